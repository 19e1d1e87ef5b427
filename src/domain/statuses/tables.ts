// Row types of the statuses slice.

import type { KnownViewer } from "../../platform/viewer.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { EmojiRow } from "../emojis/tables.ts";
import type { CollectionView } from "../collections/tables.ts";
import type { CardRow, CardView } from "../cards/tables.ts";
import type { FilterMatch } from "../filters/tables.ts";
import type { MediaView } from "../media/tables.ts";
import type { PollRow, PollView } from "../polls/tables.ts";
import type { Relation } from "../relationships/tables.ts";
import type { StatusColumns } from "./columns.ts";
import type { RemovedStatus } from "./events.ts";

export { VISIBILITIES } from "./columns.ts";
export type { Visibility } from "./columns.ts";

export type MentionRow = {
  id: string;
  username: string;
  domain: string | null;
  url: string;
  uri: string;
  silent: boolean;
};

export type TagRow = { name: string };

/** An emoji with which somebody elsewhere favourited. */
export type Reaction = {
  /** A character or `:name:`. */
  name: string;
  /** Its picture; null: it has none that is shown. */
  emoji: EmojiRow | null;
  /** The account that it is from, where there is a picture. */
  uri: string | null;
};

/** How many favourited with it. */
export type CountedReaction = Reaction & { count: number };

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
  quote: QuoteRow | null;
  card: CardRow | null;
  /** Of local posts, the most frequent first. */
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
    /** Under which viewers' marks on it are cached: the same whenever it is read (viewer-marks.ts). */
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

export type StatusView = Omit<StatusRow, "poll" | "quote" | "card"> & {
  poll: PollView | null;
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
  readonly [federated]: true;
};

/** A deleted status that other servers may have. */
export type FederatedRemoval = RemovedStatus & { readonly [federated]: true };

export type StatusEditRow = {
  text: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  emojis: EmojiRow[];
  /** null: no poll. */
  poll_options: string[] | null;
  media: MediaView[];
  created_at: Date;
};
