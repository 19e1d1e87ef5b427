// Stores a person's private note about an account.

import type { App } from "../../../platform/app.ts";
import { invalidFields, tooLong } from "../../../platform/errors.ts";
import { countGraphemes } from "../../../platform/text/count.ts";
import type { Pair } from "./events.ts";
import { deleteNote, upsertNote } from "./queries.ts";

export const MAX_LENGTH = 2000; // contract: limits.json, private_note_length
/** UTF-16 units of a note: a grapheme cluster has no limit of its own. */
const MAX_UNITS = MAX_LENGTH * 20;

/** Deletes the note for an empty text; throws 422 for one that is too long. */
export const writeNote = async (
  app: App,
  { accountId, targetId }: Pair,
  comment: string,
): Promise<void> => {
  if (comment === "") return void (await deleteNote(app.sql, accountId, targetId));
  if (comment.length > MAX_UNITS || countGraphemes(comment) > MAX_LENGTH) {
    throw invalidFields([tooLong("comment", MAX_LENGTH)]);
  }
  await upsertNote(app.sql, accountId, targetId, comment);
};
