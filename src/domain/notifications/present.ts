// Notification views → the JSON entity. https://docs.joinmastodon.org/entities/Notification/

import type { FullConfig } from "../../platform/config/config.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { accountEntity } from "../accounts/present.ts";
import { collectionEntity } from "../collections/present.ts";
import { reportEntity } from "../reports/present.ts";
import { statusEntity } from "../statuses/present.ts";
import type { NotificationView } from "./tables.ts";

export const notificationEntity = (view: NotificationView, site: FullConfig["site"]) => ({
  id: view.id,
  type: view.type,
  created_at: isoTime(view.created_at),
  group_key: `ungrouped-${view.id}`,
  account: accountEntity(view.account, site),
  ...(view.status && { status: statusEntity(view.status, site) }),
  ...(view.report && { report: reportEntity(view.report, site) }),
  ...(view.collection && { collection: collectionEntity(view.collection, site) }),
  ...(view.type === "annual_report" && { annual_report: { year: view.subject_id } }),
});
