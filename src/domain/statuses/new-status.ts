// A status that is to be created.

import type { NewRemoteMedia } from "../media/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { NewStatusRow } from "./columns.ts";
import type { NewMention } from "./queries-create.ts";
import type { NewQuote } from "./quotes/add.ts";

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
