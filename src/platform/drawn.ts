// Names the state that a form was drawn with, so that saving it undoes nothing that was saved elsewhere since.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Conflict } from "./errors.ts";
import { says } from "./text/texts.ts";

/** What a form shows was changed since it was drawn: it is shown again beside what is saved now. */
export class ChangedSince extends Conflict {
  constructor() {
    super(says("field.changed_since"));
  }
}

export const markOf = (record: unknown): string =>
  createHash("sha256").update(JSON.stringify(record)).digest("base64url");

/**
 * Throws ChangedSince if the record, which the caller has locked, is no longer what the form showed, unless the change
 * leaves it as it is. Programs send no mark, and change what they name.
 */
export const requireAsDrawn = (record: object, mark: string | undefined, change: object): void => {
  if (mark === undefined || mark === markOf(record)) return;
  if (!isDeepStrictEqual({ ...record, ...change }, { ...record })) throw new ChangedSince();
};
