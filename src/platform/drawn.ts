// Names the state that a form was drawn with, so that saving it undoes nothing that someone else has saved since.

import { createHash } from "node:crypto";
import { Conflict } from "./errors.ts";
import { says } from "./text/texts.ts";

export const markOf = (record: unknown): string =>
  createHash("sha256").update(JSON.stringify(record)).digest("base64url");

/**
 * Throws Conflict if the record, which the caller has locked, is no longer what the form showed. Programs send no mark,
 * and change what they name.
 */
export const requireAsDrawn = (record: unknown, mark: string | undefined): void => {
  if (mark !== undefined && mark !== markOf(record))
    throw new Conflict(says("staff.changed_since"));
};
