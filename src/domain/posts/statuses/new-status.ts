// What is stored as a status, and what an edit makes of one: checked and rendered, before the rules against spam judge
// it.

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

/** `scheduledId`: the scheduled post that they were kept for. */
type OwnUploads = { ids: string[]; scheduledId?: string | undefined };

/** A quote ready to be stored. */
export type NewQuote = {
  quotedUri: string;
  /** null: to be looked up. */
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  /** No approval has to be requested: the quoted author is local, and the rules allow it. */
  accepted: boolean;
  legacy: boolean;
  /** The authorization that the quoting status names. */
  approvalUri: string | null;
  /** Of a local quoted author: the URI of the authorization without the quote's id at its end. */
  approvalPrefix?: string | null;
  /** How many quotes were followed from the received status to this one. */
  depth: number;
};

/** A status ready to be stored: checked, its text rendered, its mentions resolved. */
export type NewStatus = {
  /** The URIs of a local one are made from its id. */
  row: NewStatusRow;
  /** The conversation's own uri, where a remote status names it. */
  conversationUri: string | null;
  mentions: NewMention[];
  /** As written, without #. */
  tags: string[];
  media: NewRemoteMedia[];
  /** Uploads of its local author, in order. */
  uploads: OwnUploads | null;
  poll: NewPoll | null;
  event: NewEvent | null;
  quote: NewQuote | null;
  idempotencyKey: string | null;
  /** An older post that is only now read: nobody is notified of it. */
  quiet: boolean;
  /** A moderator let it through: no rule against spam judges it. */
  cleared?: boolean;
};

/** The members of a status that has nothing but its row. */
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

/** What an edit makes of a status. */
export type StatusChange = {
  text: string;
  contentType: ContentType | null;
  content: string;
  spoilerText: string;
  /** undefined: unchanged. */
  sensitive: boolean | undefined;
  language: string | null;
  mentions: { accountId: string; silent: boolean }[];
  tags: string[];
  emojis: EmojiRow[];
  /** Of remote ones; null: unchanged. */
  media: NewRemoteMedia[] | null;
  /**
   * Of remote ones: what it quotes, a post of ours or another; who may quote, answer, favourite and boost it, as bits.
   */
  remote?: {
    quote: ParsedQuote | null;
    quotesLocal: boolean;
    quotePolicy: number;
    interactionPolicy: number;
  };
  /** Of local ones: all that it has then, in order, and what changes of some; undefined: unchanged. */
  uploads?: { ids: string[]; changes: Map<string, MediaChange> };
  /** null: removed; undefined: unchanged. */
  poll?: NewPoll | null | undefined;
  /** undefined: unchanged. */
  event?: NewEvent | undefined;
  /** Who may quote and answer a local one from then on; undefined: unchanged. */
  quotePolicy?: QuotePolicy | undefined;
  replyPolicy?: ReplyPolicy | undefined;
  /** When it is deleted; null: never; undefined: unchanged. */
  expiresAt?: Date | null | undefined;
  /** Remote: when it was edited there; null: now. */
  editedAt: Date | null;
  /** It was judged already, or a moderator let it through: no rule against spam judges it. */
  cleared?: boolean;
};
