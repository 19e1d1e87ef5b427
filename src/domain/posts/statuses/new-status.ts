// Declares what is stored as a status, and the change by an edit: checked and rendered, before the rules against spam
// judge it.

import type { ContentType } from "../../../platform/text/written.ts";
import type { ReplyPolicy } from "../../people/accounts/tables.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";
import type { MediaChange } from "../../base/media/attach.ts";
import type { NewRemoteMedia } from "../../base/media/tables.ts";
import type { NewEvent } from "../events/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { NewMention } from "./queries-write.ts";
import type { ParsedQuote } from "./parse-note.ts";
import type { QuotePolicy } from "./rules.ts";
import type { NewStatusRow } from "./tables.ts";

/** `scheduledId` is the scheduled post that they were kept for. */
type OwnUploads = { ids: string[]; scheduledId?: string | undefined };

/** A quote ready to be stored. */
export type NewQuote = {
  quotedUri: string;
  /** Null where it has to be looked up. */
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  /** Whether the quote needs no request for approval: the quoted author is local, and the rules allow it. */
  accepted: boolean;
  legacy: boolean;
  /** URI of the authorization that the quoting status names. */
  approvalUri: string | null;
  /** URI of the authorization without the quote's id at its end; set for a local quoted author. */
  approvalPrefix?: string | null;
  /** Number of quotes that were followed from the received status to this one. */
  depth: number;
};

/** A status ready to be stored: checked, its text rendered, its mentions resolved. */
export type NewStatus = {
  /** Columns of the row; the URIs of a local status are made from its id. */
  row: NewStatusRow;
  /** The conversation's own URI, where a remote status names it. */
  conversationUri: string | null;
  mentions: NewMention[];
  /** Tags as written, without #. */
  tags: string[];
  media: NewRemoteMedia[];
  /** Uploads of its local author, in order. */
  uploads: OwnUploads | null;
  poll: NewPoll | null;
  event: NewEvent | null;
  quote: NewQuote | null;
  idempotencyKey: string | null;
  /** Whether it is an older post that is only read now, so that nobody is notified of it. */
  quiet: boolean;
  /** Whether a moderator approved it, so that no rule against spam judges it. */
  cleared?: boolean;
};

/** The members of a status without anything but its row. */
export const ROW_ONLY = {
  conversationUri: null,
  mentions: [],
  tags: [],
  media: [],
  uploads: null,
  poll: null,
  event: null,
  quote: null,
  idempotencyKey: null,
  quiet: false,
} satisfies Omit<NewStatus, "row">;

export type Created = { id: string; isNew: boolean };

/** The change of a status by an edit. */
export type StatusChange = {
  text: string;
  contentType: ContentType | null;
  content: string;
  spoilerText: string;
  /** Undefined for unchanged. */
  sensitive: boolean | undefined;
  language: string | null;
  mentions: { accountId: string; silent: boolean }[];
  tags: string[];
  emojis: EmojiRow[];
  /** Set for remote statuses; null for unchanged. */
  media: NewRemoteMedia[] | null;
  /**
   * Set for remote statuses: the quote of a local or other post, and who may quote, reply, favourite and boost, as
   * bits.
   */
  remote?: {
    quote: ParsedQuote | null;
    quotesLocal: boolean;
    quotePolicy: number;
    interactionPolicy: number;
  };
  /** Set for local statuses: all that it has then, in order, and changes of some; undefined for unchanged. */
  uploads?: { ids: string[]; changes: Map<string, MediaChange> };
  /** Null for removed; undefined for unchanged. */
  poll?: NewPoll | null | undefined;
  /** Undefined for unchanged. */
  event?: NewEvent | undefined;
  /** Who may quote and reply to a local status from then on; undefined for unchanged. */
  quotePolicy?: QuotePolicy | undefined;
  replyPolicy?: ReplyPolicy | undefined;
  /** When it is deleted; null for never; undefined for unchanged. */
  expiresAt?: Date | null | undefined;
  /** Set for remote statuses: when it was edited there; null for now. */
  editedAt: Date | null;
  /** Whether it was judged already, or a moderator approved it, so that no rule against spam judges it. */
  cleared?: boolean;
};
