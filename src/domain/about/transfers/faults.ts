// Stores why an import, or a line of one, failed as a message and its values, and shows it in the reader's language.

import { DomainError } from "../../../platform/errors.ts";
import { saidOf } from "../../../platform/text/refusals.ts";
import { says, textsIn } from "../../../platform/text/texts.ts";
import type { Key, Said, Say } from "../../../platform/text/texts.ts";

/** What a line names cannot be found now, but its server may answer later. */
export class NotFoundYet extends Error {
  said: Said;
  constructor(key: Key) {
    super(key);
    this.said = says(key);
  }
}

export const storedSaid = (said: Said): string => JSON.stringify(said);

/** Stores a message without a translation as it is. */
export const storedFault = (error: DomainError | NotFoundYet): string => {
  const said = error.said ?? saidOf(error.message);
  return said ? storedSaid(said) : error.message;
};

const STORED = /^\{"key":"/;

/** Also reads sentences, which older versions stored. */
export const faultText = (t: Say, stored: string): string => {
  if (!STORED.test(stored)) return stored;
  const { key, values } = JSON.parse(stored) as Said;
  return t(key, values);
};

/** Returns the text for programs. */
export const faultInEnglish = (stored: string): string => faultText(textsIn("en").t, stored);
