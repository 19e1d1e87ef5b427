// Row types of the reports slice.

import type { AccountView } from "../accounts/tables.ts";

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
  created_at: Date;
};

export type NewReport = Omit<ReportRow, "id" | "action_taken_at" | "created_at">;

export type ReportView = ReportRow & { target: AccountView };
