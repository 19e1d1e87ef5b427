// Presents strikes as the AccountWarning entity. https://docs.joinmastodon.org/entities/AccountWarning/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { StrikeRow, StrikeView } from "./tables.ts";

const appealEntity = (row: StrikeRow) => {
  if (row.appeal_text === null) return null;
  const decided = row.appeal_approved ? "approved" : "rejected";
  return { text: row.appeal_text, state: row.appeal_decided ? decided : "pending" };
};

export const warningEntity = (view: StrikeView, site: FullConfig["site"]) => ({
  id: view.id,
  action: view.action,
  text: view.text,
  status_ids: view.status_ids,
  target_account: accountEntity(view.target, site),
  appeal: appealEntity(view),
  created_at: isoTime(view.created_at),
});
