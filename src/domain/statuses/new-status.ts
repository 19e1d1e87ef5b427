// A status that is to be created, and what an edit makes of one.

import { normaliseTag } from "../../platform/text/tags.ts";
import type { EmojiRow } from "../emojis/tables.ts";
import type { MediaChange } from "../media/attach.ts";
import type { NewRemoteMedia } from "../media/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { NewStatusRow } from "./columns.ts";
import type { NewMention } from "./queries-create.ts";
import type { NewQuote } from "./quotes/add.ts";
import type { QuotePolicy } from "./quotes/policy.ts";

/** `scheduledId`: the scheduled post that they were kept for. */
export type OwnUploads = { ids: string[]; scheduledId?: string | undefined };

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
  quote: null,
  idempotencyKey: null,
  quiet: false,
} satisfies Omit<NewStatus, "row">;

export type Created = { id: string; isNew: boolean };

/** What an edit makes of a status. */
export type StatusChange = {
  text: string;
  content: string;
  spoilerText: string;
  sensitive: boolean;
  language: string | null;
  mentions: { accountId: string; silent: boolean }[];
  tags: string[];
  emojis: EmojiRow[];
  /** Of remote ones; null: unchanged. */
  media: NewRemoteMedia[] | null;
  /** Of local ones: all that it has then, in order, and what changes of some; undefined: unchanged. */
  uploads?: { ids: string[]; changes: Map<string, MediaChange> };
  /** null: removed; undefined: unchanged. */
  poll?: NewPoll | null | undefined;
  /** Who may quote a local one from then on; undefined: unchanged. */
  quotePolicy?: QuotePolicy | undefined;
  /** Remote: when it was edited there; null: now. */
  editedAt: Date | null;
  /** It was judged already, or a moderator let it through: no rule against spam judges it. */
  cleared?: boolean;
};

/** Distinct tags by their folded name; the first spelling wins. */
export const tagRows = (tags: string[]): { name: string; display: string }[] => {
  const byName = new Map<string, string>();
  for (const display of tags) {
    const name = normaliseTag(display);
    if (name !== "" && !byName.has(name)) byName.set(name, display);
  }
  return [...byName].map(([name, display]) => ({ name, display }));
};
