// Declares what is stored as a status, and the change by an edit: checked and rendered, before the rules against spam
// judge it.

import type { ContentType } from "../../../platform/text/written.ts";
import type { ReplyPolicy } from "../../people/accounts/policies.ts";
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
  /** Is null where it has to be looked up. */
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  /** Says that no approval has to be requested: the quoted author is local, and the rules allow it. */
  accepted: boolean;
  legacy: boolean;
  /** Is the authorization that the quoting status names. */
  approvalUri: string | null;
  /** Is set for a local quoted author: the URI of the authorization without the quote's id at its end. */
  approvalPrefix?: string | null;
  /** Counts the quotes that were followed from the received status to this one. */
  depth: number;
};

/** A status ready to be stored: checked, its text rendered, its mentions resolved. */
export type NewStatus = {
  /** Has the columns; the URIs of a local status are made from its id. */
  row: NewStatusRow;
  /** Is the conversation's own uri, where a remote status names it. */
  conversationUri: string | null;
  mentions: NewMention[];
  /** Are as written, without #. */
  tags: string[];
  media: NewRemoteMedia[];
  /** Are uploads of its local author, in order. */
  uploads: OwnUploads | null;
  poll: NewPoll | null;
  event: NewEvent | null;
  quote: NewQuote | null;
  idempotencyKey: string | null;
  /** Says that it is an older post that is only read now, so that nobody is notified of it. */
  quiet: boolean;
  /** Says that a moderator approved it, so that no rule against spam judges it. */
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
  /** Is undefined for unchanged. */
  sensitive: boolean | undefined;
  language: string | null;
  mentions: { accountId: string; silent: boolean }[];
  tags: string[];
  emojis: EmojiRow[];
  /** Are set for remote statuses; null for unchanged. */
  media: NewRemoteMedia[] | null;
  /**
   * Is set for remote statuses: the quote of a local or other post, and who may quote, answer, favourite and boost, as
   * bits.
   */
  remote?: {
    quote: ParsedQuote | null;
    quotesLocal: boolean;
    quotePolicy: number;
    interactionPolicy: number;
  };
  /** Are set for local statuses: all that it has then, in order, and changes of some; undefined for unchanged. */
  uploads?: { ids: string[]; changes: Map<string, MediaChange> };
  /** Is null for removed; undefined for unchanged. */
  poll?: NewPoll | null | undefined;
  /** Is undefined for unchanged. */
  event?: NewEvent | undefined;
  /** Say who may quote and answer a local status from then on; undefined for unchanged. */
  quotePolicy?: QuotePolicy | undefined;
  replyPolicy?: ReplyPolicy | undefined;
  /** Is when it is deleted; null for never; undefined for unchanged. */
  expiresAt?: Date | null | undefined;
  /** Is set for remote statuses: when it was edited there; null for now. */
  editedAt: Date | null;
  /** Says that it was judged already, or that a moderator approved it, so that no rule against spam judges it. */
  cleared?: boolean;
};
