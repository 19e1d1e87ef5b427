// Row types of the notifications slice.

import type { AccountView } from "../../people/accounts/tables.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import type { ReportView } from "../reports/tables.ts";
import type { SeveranceRow } from "../severed-relationships/severed-relationships.ts";
import type { Reaction, SeenStatus } from "../../posts/statuses/tables.ts";
import type { StrikeView } from "../strikes/tables.ts";

/** Types of the contract's list that this server makes. */
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

/** Pleroma's type of a favourite with an emoji, for apps that name it; for others it is a favourite. */
export const REACTION_TYPE = "pleroma:emoji_reaction";

/** Types that are grouped: the same act on the same thing within some hours (limits.json of the contract). */
export const GROUPED_TYPES: NotificationType[] = ["favourite", "reblog", "follow", "admin.sign_up"];

/** Types that no policy holds back, because they are not acts of others on the recipient. */
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

/** Types about the recipient's own things, where nobody else acted, or nobody is named. */
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
  /** Id of a report, collection, strike or severance, or a year, by the type. */
  subject_id: string | null;
  created_at: Date;
  /** Null where it is in no group. */
  group_key: string | null;
  /** Whether the recipient's policy holds it back. */
  filtered: boolean;
  /** Emoji with which a remote account favourited. */
  reaction: Reaction | null;
};

/** The subject of a notification or a group. */
export type About = Pick<NotificationRow, "type" | "status_id" | "subject_id">;

/** The part of a row that a list needs, with the beginning of its JSON. */
export type ListedRow = About & Pick<NotificationRow, "id" | "from_account_id"> & { start: Buffer };

/** Rows, and the statuses that they name, each once. */
export type Rows<T> = { rows: T[]; statusIds: string[] };

/**
 * `fromId` is the sender; null for everybody. `filtered` says whether held back ones are selected, or others.
 * `reactions` are favourites where it is null; for an app that knows REACTION_TYPE they are shown by it beside
 * favourites, or instead of those, or left out.
 */
export type NotificationFilter = {
  types: NotificationType[];
  reactions: "beside" | "alone" | "none" | null;
  fromId: string | null;
  filtered: boolean[];
};

/** The loaded subject of a notification or a group. */
export type SubjectView = {
  status: SeenStatus | null;
  report: ReportView | null;
  collection: CollectionView | null;
  warning: StrikeView | null;
  severance: SeveranceRow | null;
};

/** A notification or a group with its subject and its sender. */
export type Seen<T> = T & SubjectView & { account: AccountView };
export type NotificationView = Seen<NotificationRow>;
export type ListedView = Seen<ListedRow>;

/** A group, or a single notification in the place of one. */
export type GroupRow = {
  /** Null for a single notification. */
  group_key: string | null;
  type: NotificationType;
  status_id: string | null;
  subject_id: string | null;
  /** Id of the newest notification; it pages the list. */
  id: string;
  created_at: Date;
  count: number;
  /** Ids of the newest notifications (eight at most) and of their senders, newest first. */
  member_ids: string[];
  sender_ids: string[];
  /** Of a group of favourites the emoji of each sender; null for one without. */
  reactions: (Reaction | null)[] | null;
  /** Its type for an app that knows REACTION_TYPE, where it is another. */
  shown_type?: typeof REACTION_TYPE;
  /** JSON for pages on which that id is its lowest, for cached rows. */
  presented?: { lowest: string; json: Buffer };
};

/** Rows, and the senders and statuses that they name, each once. */
export type GroupRows = Rows<GroupRow> & { senderIds: string[] };

/** `senderIds` are those of the row that are shown, the same array where all are. */
export type GroupView = { row: GroupRow; senderIds: string[]; subject: SubjectView };

/** Groups with the accounts and statuses that they name, each once. */
export type GroupsView = { groups: GroupView[]; accounts: AccountView[]; statuses: SeenStatus[] };

export const POLICY_CHOICES = ["accept", "filter", "drop"] as const;
type PolicyChoice = (typeof POLICY_CHOICES)[number];

/** Classes of senders that a policy has a choice for, by their columns. */
export const POLICY_CLASSES = [
  "for_not_following",
  "for_not_followers",
  "for_new_accounts",
  "for_private_mentions",
  "for_limited_accounts",
  "for_bots",
] as const;
export type PolicyRow = Record<(typeof POLICY_CLASSES)[number], PolicyChoice>;

/** Numbers of senders whose notifications are filtered, and of these notifications. */
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
  /** Id of the account that acted. */
  fromId: string;
  type: NotificationType;
  /** Id of the status concerned; for a reblog of the original, not of the reblog. */
  statusId?: string | null;
  /** Id of the report, collection or year concerned. */
  subjectId?: string | null;
  /** Time before which a notification with the same keys is replaced. */
  replaceBefore?: Date | null;
};

/** An undone act: with a status for all who were notified, else for one account. */
export type Undone = { fromId: string; type: NotificationType } & (
  | { statusId: string }
  | { accountId: string }
);
