// Row types of the statuses slice.

import type { KnownViewer } from "../../platform/viewer.ts";
import type { AccountView, EmojiRow } from "../accounts/tables.ts";
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

export type QuoteState = "pending" | "accepted" | "rejected" | "revoked";

/** That a status quotes another one, as it is read with it. */
export type QuoteRow = {
  id: string;
  state: QuoteState;
  /** null: not known here, or gone. */
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  quoted_uri: string;
  /** Told by a server that asks nobody. */
  legacy: boolean;
  /** The QuoteAuthorization of the quoted author. */
  approval_uri: string | null;
};

/** A status as it is read, without its people and without the viewer. */
export type StatusRow = StatusColumns & {
  /** The address of what it answers, where that is known. */
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
};

/** A row in memory, with what was made of it since it was read; nothing else is keyed so cheaply. */
export type CachedRow = StatusRow & {
  made: {
    /** The view without a viewer. */
    plain: StatusView | null;
    /** The beginning of its JSON. */
    bytes: Buffer | null;
    /** What filters look through. */
    words: string | null;
    /** No other row that was ever read has it. */
    number: number;
  };
};

/** What the viewer has done with a status. */
export type ViewerFlags = {
  favourited: boolean;
  reblogged: boolean;
  bookmarked: boolean;
  pinned: boolean;
};

/** How the viewer stands to the author, as far as it decides what is shown. */
export type AuthorRelation = Pick<
  Relation,
  "following" | "blocking" | "blocked_by" | "muting" | "domain_blocking"
>;

/** The viewer's part: who looks, what they did, how they stand to the author, what their filters find. */
export type ViewerPart = KnownViewer & {
  flags: ViewerFlags;
  relation: AuthorRelation | null;
  filtered: FilterMatch[];
  /** They do not want to hear of its conversation. */
  muted: boolean;
};

export type QuoteView = QuoteRow & {
  /** What is quoted, where its author agreed and it is there; whether the viewer may see it is not judged. */
  status: StatusView | null;
};

export type StatusView = Omit<StatusRow, "poll" | "quote"> & {
  poll: PollView | null;
  quote: QuoteView | null;
  /** What was read, the same object as long as it is cached. */
  row: CachedRow;
  account: AccountView;
  reblog: StatusView | null;
  /** null: nobody looks who is known. */
  viewer: ViewerPart | null;
};

declare const seen: unique symbol;
declare const federated: unique symbol;

/** One that its viewer may see: canSee (rules.ts) has said so. Presenters take no other. */
export type SeenStatus = Omit<StatusView, "reblog"> & {
  reblog: SeenStatus | null;
  readonly [seen]: true;
};

/** One that other servers may get: mayFederate (rules.ts) has said so. activitypub.ts takes no other. */
export type FederatedStatus = Omit<StatusView, "reblog"> & {
  reblog: FederatedStatus | null;
  readonly [federated]: true;
};

/** One that is gone, and that other servers may have. */
export type FederatedRemoval = RemovedStatus & { readonly [federated]: true };

export type StatusEditRow = {
  text: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  emojis: EmojiRow[];
  /** null: no poll. */
  poll_options: string[] | null;
  created_at: Date;
};
