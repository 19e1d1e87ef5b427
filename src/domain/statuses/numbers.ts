// Small numbers in place of ids, under which viewers' marks are cached (viewer-marks.ts): ids would take four
// times the memory for each viewer. A dropped number is never used again: what is cached under it is then
// read anew.

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import type { AccountView } from "../accounts/tables.ts";

/** Of a number by its id: the key and the map's entry. */
const NUMBER_BYTES = 40;
let lastNumber = 0;

const numbersOf = {
  status: boundedCache<number>("numbers of statuses", () => NUMBER_BYTES),
  account: boundedCache<number>("numbers of accounts", () => NUMBER_BYTES),
};

const numberOf = (app: App, kind: keyof typeof numbersOf, id: string): number => {
  const numbers = numbersOf[kind](app);
  const present = numbers.get(id);
  if (present !== undefined) return present;
  lastNumber += 1;
  numbers.set(id, lastNumber);
  return lastNumber;
};

/** The last number that was given: what is numbered later has a larger one. */
export const newestNumber = (): number => lastNumber;

/**
 * Called before statuses are written; gives the function that numbers them when they are committed. The
 * numbers are negative: what was cached of a viewer before one was taken is older than its status, so the
 * viewer had not marked it.
 */
export const reserveNumbers = (app: App, count: number): ((ids: string[]) => void) => {
  const first = lastNumber + 1;
  lastNumber += count;
  return (ids) => {
    const numbers = numbersOf.status(app);
    for (const [n, id] of ids.entries()) {
      // Whoever has read it since the commit has numbered it.
      if (numbers.get(id) === undefined) numbers.set(id, -(first + n));
    }
  };
};

/** Whether the status was written here after that number was given. */
export const isWrittenAfter = (number: number, earlier: number): boolean => -number > earlier;

/** Under which marks on a status are cached; a row has the same one as long as it lives. */
export const numberOfStatus = (app: App, id: string): number => numberOf(app, "status", id);

/** The number that rows of the status get, if there is one. */
export const knownNumberOfStatus = (app: App, id: string): number | undefined =>
  numbersOf.status(app).get(id);

const ofAccounts = new WeakMap<AccountView, number>();

/** The same for an account. */
export const numberOfAccount = (app: App, account: AccountView): number => {
  const present = ofAccounts.get(account);
  if (present !== undefined) return present;
  const number = numberOf(app, "account", account.id);
  ofAccounts.set(account, number);
  return number;
};
