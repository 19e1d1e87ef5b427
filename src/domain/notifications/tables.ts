// Row types of the notifications slice.

import type { AccountView } from "../accounts/tables.ts";
import type { CollectionView } from "../collections/tables.ts";
import type { ReportView } from "../reports/tables.ts";
import type { SeenStatus } from "../statuses/tables.ts";

/** Those of the contract's list that this server makes so far. */
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
  /** The id of a report or collection, or a year, by the type. */
  subject_id: string | null;
  created_at: Date;
};

export type NotificationView = NotificationRow & {
  account: AccountView;
  status: SeenStatus | null;
  report: ReportView | null;
  collection: CollectionView | null;
};

/** An act, for one recipient. */
export type Notice = {
  accountId: string;
  /** The account that acted. */
  fromId: string;
  type: NotificationType;
  /** The status concerned; for a reblog the original, not the reblog. */
  statusId?: string | null;
  /** The report, collection or year concerned. */
  subjectId?: string | null;
  /** Replaces a notification with the same keys from before that time. */
  replaceBefore?: Date | null;
};

/** An undone act: with a status for all who were notified, else for one account. */
export type Undone = { fromId: string; type: NotificationType } & (
  | { statusId: string }
  | { accountId: string }
);
