// Row types of the notifications slice.

import type { AccountView } from "../accounts/tables.ts";
import type { CollectionView } from "../collections/tables.ts";
import type { ReportView } from "../reports/tables.ts";
import type { StatusView } from "../statuses/tables.ts";

/** Those that are made so far, of the contract's list. */
export const NOTIFICATION_TYPES = [
  "mention",
  "status",
  "reblog",
  "follow",
  "follow_request",
  "favourite",
  "update",
  "poll",
  "quote",
  "quoted_update",
  "admin.report",
  "annual_report",
  "added_to_collection",
  "collection_update",
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export type NotificationRow = {
  id: string;
  account_id: string;
  from_account_id: string;
  type: NotificationType;
  status_id: string | null;
  /** A report, a collection or a year, by the type. */
  subject_id: string | null;
  created_at: Date;
};

export type NotificationView = NotificationRow & {
  account: AccountView;
  status: StatusView | null;
  report: ReportView | null;
  collection: CollectionView | null;
};

/** That something happened, for one recipient. */
export type Notice = {
  accountId: string;
  /** Whose act it is. */
  fromId: string;
  type: NotificationType;
  /** The status it is about; for a reblog the original, not the reblog. */
  statusId?: string | null;
  /** The report, collection or year that it is about. */
  subjectId?: string | null;
  /** A notification of the same from before that time gives way to the new one. */
  replaceBefore?: Date | null;
};

/** An act that was undone: with a status for everybody who was notified, else for one account. */
export type Undone = { fromId: string; type: NotificationType } & (
  | { statusId: string }
  | { accountId: string }
);
