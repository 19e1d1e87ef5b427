// Saves a person's search: its text alone, never its results.

import type { App } from "../../../platform/app.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { deleteSavedSearch, insertSavedSearch, selectSavedSearch } from "./queries.ts";
import type { SavedSearch } from "./queries.ts";

const MAX_SAVED = 100;
export const MAX_LENGTH = 500;

/** PostgreSQL stores no NUL. */
const clean = (q: string): string => q.replaceAll("\0", "").toWellFormed().trim();

const check = (q: string): void => {
  if (q === "") throw new Unprocessable("Validation failed: Q can't be blank");
  if ([...q].length > MAX_LENGTH) {
    throw new Unprocessable(
      `Validation failed: Q is too long (maximum is ${MAX_LENGTH} characters)`,
    );
  }
};

/** Returns the existing one for the same text. Throws 422 for no text, a long one, and over the limit. */
export const saveSearch = async (
  app: App,
  accountId: string,
  text: string,
): Promise<SavedSearch> => {
  const q = clean(text);
  check(q);
  const inserted = await app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    return insertSavedSearch(tx, accountId, q, MAX_SAVED);
  });
  const row = inserted ?? (await selectSavedSearch(app.sql, accountId, q));
  if (!row) throw new Unprocessable(`Validation failed: Only ${MAX_SAVED} searches can be saved`);
  return row;
};

/** Throws 404 where the person has none of that id. */
export const removeSavedSearch = async (app: App, accountId: string, id: string): Promise<void> => {
  if (!(await deleteSavedSearch(app.sql, accountId, id))) throw new NotFound();
};
