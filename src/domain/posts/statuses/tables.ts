// Declares the columns of a status once each (types in SQL and here, and the value when none is given), and types of
// rows and views. Inserts, selects and types of rows are made from that list.

import type { ContentType } from "../../../platform/text/written.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { EventRow, EventView } from "../events/tables.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import type { CardRow, CardView } from "../cards/tables.ts";
import type { FilterMatch } from "../filters/tables.ts";
import type { MediaView } from "../../base/media/tables.ts";
import type { PollRow, PollView } from "../polls/tables.ts";
import type { Relation } from "../../people/relationships/tables.ts";
import type { RemovedStatus } from "./removed.ts";
import type { Visibility } from "./visibility.ts";

type Column<T> = {
  /** Type in SQL. */
  sql: string;
  /** Value in a new status when none is given. */
  initial: T;
  /** False for columns that are not selected (StatusRow). */
  read?: false;
};

/** Declares a column that every insert must give. */
const required = <T>(sql: string) => ({ sql, initial: undefined as T | undefined });
const column = <T>(sql: string, initial: T): Column<T> => ({ sql, initial });

export const COLUMNS = {
  account_id: required<string>("bigint"),
  /** Made from the id for local statuses. */
  uri: column<string>("text", ""),
  url: column<string | null>("text", null),
  local: required<boolean>("boolean"),
  /** Text as written; empty for remote statuses. */
  text: column("text", ""),
  /** Type of the text; null for plain text. */
  content_type: column<ContentType | null>("text", null),
  /** HTML. */
  content: column("text", ""),
  spoiler_text: column("text", ""),
  visibility: required<Visibility>("text"),
  sensitive: column<boolean>("boolean", false),
  language: column<string | null>("text", null),
  in_reply_to_id: column<string | null>("bigint", null),
  in_reply_to_account_id: column<string | null>("bigint", null),
  reblog_of_id: column<string | null>("bigint", null),
  /** Null in an insert that starts a conversation; a reblog has none. */
  conversation_id: column<string | null>("bigint", null),
  app_id: { ...column<string | null>("bigint", null), read: false as const },
  has_media: { ...column<boolean>("boolean", false), read: false as const },
  /** Whether it has an event, in status_events. */
  has_event: { ...column<boolean>("boolean", false), read: false as const },
  emojis: column<EmojiRow[]>("jsonb", []),
  /** Hash of the link whose card it shows (links.ts), as `\\x…` in hexadecimal. */
  card_hash: { ...column<string | null>("bytea", null), read: false as const },
  /** Ids of the lists that a post for a circle was written for; null where it replies to one, or is remote. */
  circle_lists: { ...column<string[] | null>("bigint[]", null), read: false as const },
  /** Bits (rules.ts). */
  quote_policy: column<number>("smallint", 0),
  /** Bits (rules.ts). */
  interaction_policy: column<number>("int", 0),
  /** Whether the author of its target has to allow it; until then only its own author sees it. */
  awaits_approval: required<boolean>("boolean"),
  /** URI of that author's authorization. */
  approval_uri: column<string | null>("text", null),
  created_at: required<Date>("timestamptz"),
  edited_at: column<Date | null>("timestamptz", null),
  /** When it is deleted; null for never. */
  expires_at: column<Date | null>("timestamptz", null),
};

type Columns = typeof COLUMNS;
type ColumnName = keyof Columns;
type ValueOf<C> = C extends { initial: infer T } ? Exclude<T, undefined> : never;
export type RequiredColumn = {
  [N in ColumnName]: undefined extends Columns[N]["initial"] ? N : never;
}[ColumnName];
type Unread = {
  [N in ColumnName]: Columns[N] extends { read: false } ? N : never;
}[ColumnName];

/** The values of all columns. */
export type StatusValues = { [N in ColumnName]: ValueOf<Columns[N]> };
/** The values that an insert gives, including all that decide who may see it; others take `initial`. */
export type NewStatusRow = Pick<StatusValues, RequiredColumn> & Partial<StatusValues>;
/** The values that are selected from the table itself. */
export type StatusColumns = { id: string } & Omit<StatusValues, Unread>;

const names = Object.keys(COLUMNS) as ColumnName[];

/** Returns all columns, with `initial` where no value is given. */
export const fullRow = (row: NewStatusRow): StatusValues => {
  const initial = Object.fromEntries(names.map((name) => [name, COLUMNS[name].initial]));
  return { ...initial, ...row } as StatusValues;
};

/** Returns `account_id, uri, …`, with `prefix` before each. */
export const columnList = (prefix = "", of: readonly ColumnName[] = names): string =>
  of.map((name) => prefix + name).join(", ");

/** Lists the columns of StatusColumns, without the id. */
export const READ_COLUMNS: readonly ColumnName[] = names.filter(
  (name) => !("read" in COLUMNS[name]),
);

/** Returns `account_id bigint, uri text, …`, for jsonb_to_recordset. */
export const COLUMN_TYPES = names.map((name) => `${name} ${COLUMNS[name].sql}`).join(", ");

type MentionRow = {
  id: string;
  username: string;
  domain: string | null;
  url: string;
  uri: string;
  silent: boolean;
};

type TagRow = { name: string };

/** An emoji with which somebody favourited. */
export type Reaction = {
  /** A character or `:name:`. */
  name: string;
  /** Its picture; null where none is shown. */
  emoji: EmojiRow | null;
  /** URI of the account that reacted, where there is a picture. */
  uri: string | null;
};

/** An emoji, and how many people favourited with it. */
export type CountedReaction = Reaction & {
  count: number;
  /** Ids of local people among them, a bounded number, for `me`; null for none. */
  by: string[] | null;
};

export type QuoteState = "pending" | "accepted" | "rejected" | "revoked";

/** The quote in a status, as it is loaded with the status. */
export type QuoteRow = {
  id: string;
  state: QuoteState;
  /** Null where unknown or deleted. */
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  quoted_uri: string;
  /** Whether a member older than FEP-044f names it, for which nobody is asked. */
  legacy: boolean;
  /** URI of the quoted author's QuoteAuthorization. */
  approval_uri: string | null;
};

/** A status as it is loaded, without its author and without the viewer. */
export type StatusRow = StatusColumns & {
  /** URI of its parent, where that is known. */
  in_reply_to_uri: string | null;
  conversation_uri: string | null;
  replies_count: string;
  reblogs_count: string;
  favourites_count: string;
  quotes_count: string;
  app_name: string | null;
  app_website: string | null;
  mentions: MentionRow[];
  tags: TagRow[];
  media: MediaView[];
  poll: PollRow | null;
  event: EventRow | null;
  quote: QuoteRow | null;
  card: CardRow | null;
  /** Most frequent first; for remote posts the reactions of local people. */
  reactions: CountedReaction[];
};

/** A cached row, with what was derived from it since it was read. */
export type CachedRow = StatusRow & {
  derived: {
    /** View without a viewer. */
    plain: StatusView | null;
    /** Beginning of its JSON. */
    bytes: Buffer | null;
    /** Text that filters search. */
    words: string | null;
    /** Links in it that may be to collections of accounts. */
    shared: string[] | null;
    /** Unique among all rows that were ever read. */
    number: number;
    /** Number under which viewers' marks on it are cached, the same whenever it is read (cache.ts). */
    marks: number;
  };
};

/** What the viewer has done with a status. */
export type ViewerFlags = {
  favourited: boolean;
  reblogged: boolean;
  bookmarked: boolean;
  pinned: boolean;
};

/** The viewer's relation to the author, as far as it decides what is shown. */
export type AuthorRelation = Pick<
  Relation,
  "following" | "blocking" | "blocked_by" | "muting" | "domain_blocking"
>;

/**
 * The viewer's part of a view: who they are, what they did, their relation to the author, and the matches of their
 * filters.
 */
export type ViewerPart = KnownViewer & {
  flags: ViewerFlags;
  relation: AuthorRelation | null;
  filtered: FilterMatch[];
  /** Whether they muted its conversation. */
  muted: boolean;
};

export type QuoteView = QuoteRow & {
  /** The quoted status, where the quote is accepted and it exists; whether the viewer may see it is not checked. */
  status: StatusView | null;
};

export type StatusView = Omit<StatusRow, "poll" | "event" | "quote" | "card"> & {
  poll: PollView | null;
  event: EventView | null;
  quote: QuoteView | null;
  card: CardView | null;
  /** Collections of accounts that the status links to, as everybody sees them. */
  collections: CollectionView[];
  /** The row that was read, the same object as long as it is cached. */
  row: CachedRow;
  account: AccountView;
  reblog: StatusView | null;
  /** Null where it was loaded without a viewer, or for nobody who is signed in. */
  viewer: ViewerPart | null;
};

declare const seen: unique symbol;
declare const federated: unique symbol;

/** A status that its viewer may see, as canSee (rules.ts) has checked. Presenters accept no other. */
export type SeenStatus = Omit<StatusView, "reblog"> & {
  reblog: SeenStatus | null;
  readonly [seen]: true;
};

/** A status that other servers may get, as mayFederate (rules.ts) has checked. activitypub.ts accepts no other. */
export type FederatedStatus = Omit<StatusView, "reblog"> & {
  reblog: FederatedStatus | null;
  /** The members of a circle to whom this copy is sent. */
  recipientIds?: string[];
  readonly [federated]: true;
};

/** A deleted status that other servers may have. */
export type FederatedRemoval = RemovedStatus & { readonly [federated]: true };

export type StatusEditRow = {
  text: string;
  content_type: ContentType | null;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  emojis: EmojiRow[];
  /** Null without a poll. */
  poll_options: string[] | null;
  media: MediaView[];
  created_at: Date;
};
