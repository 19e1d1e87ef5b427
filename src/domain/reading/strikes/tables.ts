// Row types of the strikes slice.

import type { AccountView } from "../../people/accounts/tables.ts";

export const STRIKE_ACTIONS = [
  "none",
  "disable",
  "mark_statuses_as_sensitive",
  "delete_statuses",
  "sensitive",
  "silence",
  "suspend",
] as const;
export type StrikeAction = (typeof STRIKE_ACTIONS)[number];

/** A deleted post, as moderators may still read it. */
export type Evidence = { id: string; uri: string; content: string; created_at: string };

export type NewStrike = {
  /** Id of the moderator; null for the command line. */
  account_id: string | null;
  target_account_id: string;
  action: StrikeAction;
  text: string;
  report_id: string | null;
  status_ids: string[] | null;
  evidence: Evidence[];
};

export type StrikeRow = Omit<NewStrike, "evidence"> & {
  id: string;
  overruled_at: Date | null;
  created_at: Date;
  appeal_text: string | null;
  appeal_decided: boolean | null;
  appeal_approved: boolean | null;
};

export type StrikeView = StrikeRow & { target: AccountView };
