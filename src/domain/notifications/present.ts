// Notification views → the JSON entity. https://docs.joinmastodon.org/entities/Notification/

import type { FullConfig } from "../../platform/config/config.ts";
import { listParts } from "../../platform/http/json-bytes.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { accountEntity, accountJson } from "../accounts/present.ts";
import { collectionEntity } from "../collections/present.ts";
import { reportEntity } from "../reports/present.ts";
import { appendStatus, statusEntity } from "../statuses/present.ts";
import type { NotificationView } from "./tables.ts";

type Site = FullConfig["site"];

/** The members before `account`. */
const head = (view: NotificationView) => ({
  id: view.id,
  type: view.type,
  created_at: isoTime(view.created_at),
  group_key: `ungrouped-${view.id}`,
});

/** The members after `status`: each type has one at most. */
const subject = (view: NotificationView, site: Site) => ({
  ...(view.report && { report: reportEntity(view.report, site) }),
  ...(view.collection && { collection: collectionEntity(view.collection, site) }),
  ...(view.type === "annual_report" && { annual_report: { year: view.subject_id } }),
});

export const notificationEntity = (view: NotificationView, site: Site) => ({
  ...head(view),
  account: accountEntity(view.account, site),
  ...(view.status && { status: statusEntity(view.status, site) }),
  ...subject(view, site),
});

const STATUS = Buffer.from(',"status":');
const END = Buffer.from("}");

const notificationParts = (view: NotificationView, site: Site, parts: Buffer[]): void => {
  parts.push(Buffer.from(`${JSON.stringify(head(view)).slice(0, -1)},"account":`));
  parts.push(accountJson(view.account, site));
  if (view.status) {
    parts.push(STATUS);
    appendStatus(view.status, site, parts);
  }
  const rest = JSON.stringify(subject(view, site));
  parts.push(rest === "{}" ? END : Buffer.from(`,${rest.slice(1)}`));
};

/** A list of the entities as parts of its JSON, from the cached bytes of accounts and statuses. */
export const notificationListParts = (views: NotificationView[], site: Site): Buffer[] =>
  listParts(views, (view, parts) => notificationParts(view, site, parts));
