// Row types of the reports slice.

import type { AccountView } from "../../people/accounts/tables.ts";

export const CATEGORIES = ["spam", "legal", "violation", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export type ReportRow = {
  id: string;
  account_id: string;
  target_account_id: string;
  status_ids: string[];
  collection_ids: string[];
  rule_ids: string[] | null;
  comment: string;
  category: Category;
  forwarded: boolean;
  uri: string | null;
  action_taken_at: Date | null;
  action_taken_by_account_id: string | null;
  assigned_account_id: string | null;
  /** Id of the decision about the account that ended it; null where there was none. */
  strike_id: string | null;
  created_at: Date;
  updated_at: Date;
};

export type NewReport = Omit<
  ReportRow,
  | "id"
  | "action_taken_at"
  | "action_taken_by_account_id"
  | "assigned_account_id"
  | "strike_id"
  | "created_at"
  | "updated_at"
>;

export type ReportView = ReportRow & { target: AccountView };
