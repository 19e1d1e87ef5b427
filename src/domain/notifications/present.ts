// Notification views → the JSON entity. https://docs.joinmastodon.org/entities/Notification/

import type { FullConfig } from "../../platform/config/config.ts";
import { listParts } from "../../platform/http/json-bytes.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { accountEntity, accountJson } from "../accounts/present.ts";
import { collectionEntity } from "../collections/present.ts";
import { reportEntity } from "../reports/present.ts";
import { severanceEntity } from "../severances/severances.ts";
import { appendStatus, statusEntity } from "../statuses/present.ts";
import { warningEntity } from "../strikes/present.ts";
import type { NotificationRow, NotificationType, NotificationView, SubjectView } from "./tables.ts";

type Site = FullConfig["site"];

/** What is in no group is named by its own id. */
export const keyOf = (row: { id: string; group_key: string | null }): string =>
  row.group_key ?? `ungrouped-${row.id}`;

/** The members before `account`. */
const head = (view: NotificationRow) => ({
  id: view.id,
  type: view.type,
  created_at: isoTime(view.created_at),
  group_key: keyOf(view),
  ...(view.filtered && { filtered: true }),
  // Not of Mastodon: named as by Pleroma, and of no harm to apps that do not know it.
  ...(view.reaction && { emoji: view.reaction.name }),
  ...(view.reaction?.emoji && { emoji_url: view.reaction.emoji.url }),
});

/** The members after `status`: each type has one at most. */
export const subjectMembers = (
  view: SubjectView & { type: NotificationType; subject_id: string | null },
  site: Site,
) => ({
  ...(view.report && { report: reportEntity(view.report, site) }),
  ...(view.collection && { collection: collectionEntity(view.collection, site) }),
  ...(view.warning && { moderation_warning: warningEntity(view.warning, site) }),
  ...(view.severance && { event: severanceEntity(view.severance) }),
  ...(view.type === "annual_report" && { annual_report: { year: view.subject_id } }),
});

/** The JSON of the members after `status`, up to the end of the entity; some subjects have none. */
export const subjectJson = (view: Parameters<typeof subjectMembers>[0], site: Site): string => {
  const rest = JSON.stringify(subjectMembers(view, site));
  return rest === "{}" ? "}" : `,${rest.slice(1)}`;
};

export const notificationEntity = (view: NotificationView, site: Site) => ({
  ...head(view),
  account: accountEntity(view.account, site),
  ...(view.status && { status: statusEntity(view.status, site) }),
  ...subjectMembers(view, site),
});

/** The JSON before the account, which never changes. */
export const startOfNotification = (row: NotificationRow): string =>
  `${JSON.stringify(head(row)).slice(0, -1)},"account":`;

const STATUS = Buffer.from(',"status":');
const END = Buffer.from("}");

const notificationParts = (view: NotificationView, site: Site, parts: Buffer[]): void => {
  parts.push(Buffer.from(view.start ?? startOfNotification(view)));
  parts.push(accountJson(view.account, site));
  if (view.status) {
    parts.push(STATUS);
    appendStatus(view.status, site, parts);
  }
  parts.push(view.subject_id === null ? END : Buffer.from(subjectJson(view, site)));
};

/** A list of the entities as parts of its JSON, from the cached bytes of accounts and statuses. */
export const notificationListParts = (views: NotificationView[], site: Site): Buffer[] =>
  listParts(views, (view, parts) => notificationParts(view, site, parts));
