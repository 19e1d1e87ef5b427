// Row types of the notifications slice.

import type { AccountView } from "../../people/accounts/tables.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import type { ReportView } from "../reports/tables.ts";
import type { SeveranceRow } from "../severed-relationships/severed-relationships.ts";
import type { Reaction, SeenStatus } from "../../posts/statuses/tables.ts";
import type { StrikeView } from "../strikes/tables.ts";

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
  "admin.sign_up",
  "admin.report",
  "annual_report",
  "added_to_collection",
  "collection_update",
  "moderation_warning",
  "severed_relationships",
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** Of the same act on the same thing within some hours, people get one group (contract: limits.json). */
export const GROUPED_TYPES: NotificationType[] = ["favourite", "reblog", "follow", "admin.sign_up"];

/** Not what others do to somebody: no policy holds these back. */
export const UNJUDGED_TYPES: NotificationType[] = [
  "poll",
  "update",
  "quoted_update",
  "admin.sign_up",
  "admin.report",
  "annual_report",
  "moderation_warning",
  "severed_relationships",
];

/** Those that people get of themselves: nobody else acted, or nobody is named. */
export const OWN_TYPES: NotificationType[] = [
  "poll",
  "annual_report",
  "moderation_warning",
  "severed_relationships",
];

export type NotificationRow = {
  id: string;
  account_id: string;
  from_account_id: string;
  type: NotificationType;
  status_id: string | null;
  /** The id of a report, collection, strike or severance, or a year, by the type. */
  subject_id: string | null;
  created_at: Date;
  /** null: it is in no group. */
  group_key: string | null;
  /** The recipient's policy holds it back. */
  filtered: boolean;
  /** The emoji with which somebody elsewhere favourited. */
  reaction: Reaction | null;
};

/** What a notification and a group are about. */
export type About = Pick<NotificationRow, "type" | "status_id" | "subject_id">;

/** What a list needs of a row: with the beginning of its JSON. */
export type ListedRow = About & Pick<NotificationRow, "id" | "from_account_id"> & { start: Buffer };

/** Rows, and the statuses that they name, each once. */
export type Rows<T> = { rows: T[]; statusIds: string[] };

/** `fromId`: the sender; null: everybody. `filtered`: of those that are, or are not, held back. */
export type NotificationFilter = {
  types: NotificationType[];
  fromId: string | null;
  filtered: boolean[];
};

/** What a notification or a group is about. */
export type SubjectView = {
  status: SeenStatus | null;
  report: ReportView | null;
  collection: CollectionView | null;
  warning: StrikeView | null;
  severance: SeveranceRow | null;
};

/** With its subject and its sender. */
export type Seen<T> = T & SubjectView & { account: AccountView };
export type NotificationView = Seen<NotificationRow>;
export type ListedView = Seen<ListedRow>;

/** A group, or a single notification in the place of one. */
export type GroupRow = {
  /** null: a single notification. */
  group_key: string | null;
  type: NotificationType;
  status_id: string | null;
  subject_id: string | null;
  /** Of the newest notification; it pages the list. */
  id: string;
  created_at: Date;
  count: number;
  /** The newest notifications (eight at most) and their senders, newest first. */
  member_ids: string[];
  sender_ids: string[];
  /** Its JSON on pages where that id is its lowest, of rows that are cached. */
  presented?: { lowest: string; json: Buffer };
};

/** Rows, and the senders and statuses that they name, each once. */
export type GroupRows = Rows<GroupRow> & { senderIds: string[] };

/** `senderIds`: those of the row that are shown, the same array where all are. */
export type GroupView = { row: GroupRow; senderIds: string[]; subject: SubjectView };

/** Groups with the accounts and statuses that they name, each once. */
export type GroupsView = { groups: GroupView[]; accounts: AccountView[]; statuses: SeenStatus[] };

export const POLICY_CHOICES = ["accept", "filter", "drop"] as const;
type PolicyChoice = (typeof POLICY_CHOICES)[number];

/** The classes of senders that a policy has a choice for, by their columns. */
export const POLICY_CLASSES = [
  "for_not_following",
  "for_not_followers",
  "for_new_accounts",
  "for_private_mentions",
  "for_limited_accounts",
  "for_bots",
] as const;
export type PolicyRow = Record<(typeof POLICY_CLASSES)[number], PolicyChoice>;

/** Of the senders whose notifications are filtered. */
export type RequestSummary = { requests: number; notifications: number };

export type RequestRow = {
  id: string;
  from_account_id: string;
  count: number;
  last_status_id: string | null;
  created_at: Date;
  updated_at: Date;
};

export type RequestView = RequestRow & { account: AccountView; status: SeenStatus | null };

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
