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
