// Presents report views as the JSON entity. https://docs.joinmastodon.org/entities/Report/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { ReportView } from "./tables.ts";

export const reportEntity = (view: ReportView, site: FullConfig["site"]) => ({
  id: view.id,
  action_taken: view.action_taken_at !== null,
  action_taken_at: view.action_taken_at && isoTime(view.action_taken_at),
  category: view.category,
  comment: view.comment,
  forwarded: view.forwarded,
  created_at: isoTime(view.created_at),
  status_ids: view.status_ids,
  collection_ids: view.collection_ids,
  rule_ids: view.rule_ids,
  target_account: accountEntity(view.target, site),
});
