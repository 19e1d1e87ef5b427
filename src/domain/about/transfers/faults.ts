// Why an import, or a line of one, failed: stored as a message and its values, and said in the language of who reads
// it.

import { DomainError } from "../../../platform/errors.ts";
import { saidOf } from "../../../platform/text/refusals.ts";
import { says, textsIn } from "../../../platform/text/texts.ts";
import type { Key, Said, Say } from "../../../platform/text/texts.ts";

/** What a line names cannot be found now: its server may answer later. */
export class NotFoundYet extends Error {
  said: Said;
  constructor(key: Key) {
    super(key);
    this.said = says(key);
  }
}

export const storedSaid = (said: Said): string => JSON.stringify(said);

/** What has no translation is stored as it is. */
export const storedFault = (error: DomainError | NotFoundYet): string => {
  const said = error.said ?? saidOf(error.message);
  return said ? storedSaid(said) : error.message;
};

const STORED = /^\{"key":"/;

/** Also of older versions, which stored sentences. */
export const faultText = (t: Say, stored: string): string => {
  if (!STORED.test(stored)) return stored;
  const { key, values } = JSON.parse(stored) as Said;
  return t(key, values);
};

/** For programs. */
export const faultInEnglish = (stored: string): string => faultText(textsIn("en").t, stored);
