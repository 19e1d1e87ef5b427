// The columns of a status, each declared once (its types in SQL and here, and its value when none is given), and the
// types of rows and views. Inserting, selecting and the types of rows are made from that list.

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
  /** Its type in SQL. */
  sql: string;
  /** The value in a new status when none is given. */
  initial: T;
  /** false: not selected (StatusRow). */
  read?: false;
};

/** A column that every insert must give. */
const required = <T>(sql: string) => ({ sql, initial: undefined as T | undefined });
const column = <T>(sql: string, initial: T): Column<T> => ({ sql, initial });

export const COLUMNS = {
  account_id: required<string>("bigint"),
  /** Local ones are made from the id. */
  uri: column<string>("text", ""),
  url: column<string | null>("text", null),
  local: required<boolean>("boolean"),
  /** As written; empty for remote statuses. */
  text: column("text", ""),
  /** What that is written in; null: plain text. */
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
  /** null in an insert: it starts a conversation; a reblog has none. */
  conversation_id: column<string | null>("bigint", null),
  app_id: { ...column<string | null>("bigint", null), read: false as const },
  has_media: { ...column<boolean>("boolean", false), read: false as const },
  /** Its event is in status_events. */
  has_event: { ...column<boolean>("boolean", false), read: false as const },
  emojis: column<EmojiRow[]>("jsonb", []),
  /** As `\\x…` in hexadecimal: of the link that it shows a card of (links.ts). */
  card_hash: { ...column<string | null>("bytea", null), read: false as const },
  /** Of a post for a circle: the lists that it was written for; null: it answers one, or is of another server. */
  circle_lists: { ...column<string[] | null>("bigint[]", null), read: false as const },
  /** Bits: rules.ts. */
  quote_policy: column<number>("smallint", 0),
  /** Bits: rules.ts. */
  interaction_policy: column<number>("int", 0),
  /** The author of what it answers or boosts has to allow it: until then only its own author sees it. */
  awaits_approval: required<boolean>("boolean"),
  /** The authorization of that author. */
  approval_uri: column<string | null>("text", null),
  created_at: required<Date>("timestamptz"),
  edited_at: column<Date | null>("timestamptz", null),
  /** When it is deleted; null: never. */
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
/** What an insert gives, of all that decides who may see it too; the rest takes `initial`. */
export type NewStatusRow = Pick<StatusValues, RequiredColumn> & Partial<StatusValues>;
/** What is selected from the table itself. */
export type StatusColumns = { id: string } & Omit<StatusValues, Unread>;

const names = Object.keys(COLUMNS) as ColumnName[];

/** All columns, with `initial` where no value is given. */
export const fullRow = (row: NewStatusRow): StatusValues => {
  const initial = Object.fromEntries(names.map((name) => [name, COLUMNS[name].initial]));
  return { ...initial, ...row } as StatusValues;
};

/** `account_id, uri, …`, with `prefix` before each. */
export const columnList = (prefix = "", of: readonly ColumnName[] = names): string =>
  of.map((name) => prefix + name).join(", ");

/** The columns of StatusColumns, but for the id. */
export const READ_COLUMNS: readonly ColumnName[] = names.filter(
  (name) => !("read" in COLUMNS[name]),
);

/** `account_id bigint, uri text, …`: for jsonb_to_recordset. */
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
  /** Its picture; null: it has none that is shown. */
  emoji: EmojiRow | null;
  /** The account that it is from, where there is a picture. */
  uri: string | null;
};

/** How many favourited with it. */
export type CountedReaction = Reaction & {
  count: number;
  /** The ids of people here among them, as far as `me` is told of; null: nobody here. */
  by: string[] | null;
};

export type QuoteState = "pending" | "accepted" | "rejected" | "revoked";

/** The quote in a status, as it is read with the status. */
export type QuoteRow = {
  id: string;
  state: QuoteState;
  /** null: unknown, or deleted. */
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  quoted_uri: string;
  /** Named by a member that is older than FEP-044f, for which nobody is asked. */
  legacy: boolean;
  /** The QuoteAuthorization of the quoted author. */
  approval_uri: string | null;
};

/** A status as it is read, without its author and without the viewer. */
export type StatusRow = StatusColumns & {
  /** The URI of what it replies to, where that is known. */
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
  /** Of posts of other servers those of people here; the most frequent first. */
  reactions: CountedReaction[];
};

/** A cached row, with what was derived from it since it was read. */
export type CachedRow = StatusRow & {
  derived: {
    /** The view without a viewer. */
    plain: StatusView | null;
    /** The beginning of its JSON. */
    bytes: Buffer | null;
    /** The text that filters search. */
    words: string | null;
    /** The links in it that may be to collections of accounts. */
    shared: string[] | null;
    /** Unique among all rows that were ever read. */
    number: number;
    /** Under which viewers' marks on it are cached: the same whenever it is read (cache.ts). */
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
 * The viewer's part: who they are, what they did, their relation to the author, and what their
 * filters find.
 */
export type ViewerPart = KnownViewer & {
  flags: ViewerFlags;
  relation: AuthorRelation | null;
  filtered: FilterMatch[];
  /** They muted its conversation. */
  muted: boolean;
};

export type QuoteView = QuoteRow & {
  /**
   * The quoted status, where the quote is accepted and it exists; whether the viewer may see it is
   * not checked.
   */
  status: StatusView | null;
};

export type StatusView = Omit<StatusRow, "poll" | "event" | "quote" | "card"> & {
  poll: PollView | null;
  event: EventView | null;
  quote: QuoteView | null;
  card: CardView | null;
  /** Collections of accounts that it links to, as everybody sees them. */
  collections: CollectionView[];
  /** The row that was read: the same object as long as it is cached. */
  row: CachedRow;
  account: AccountView;
  reblog: StatusView | null;
  /** null: loaded without a viewer, or for nobody who is signed in. */
  viewer: ViewerPart | null;
};

declare const seen: unique symbol;
declare const federated: unique symbol;

/** A status that its viewer may see, as canSee (rules.ts) has checked. Presenters take no other. */
export type SeenStatus = Omit<StatusView, "reblog"> & {
  reblog: SeenStatus | null;
  readonly [seen]: true;
};

/**
 * A status that other servers may get, as mayFederate (rules.ts) has checked. activitypub.ts takes
 * no other.
 */
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
  /** null: no poll. */
  poll_options: string[] | null;
  media: MediaView[];
  created_at: Date;
};
