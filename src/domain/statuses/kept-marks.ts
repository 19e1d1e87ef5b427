// What viewers did with statuses and how they stand to the authors, as bits (queries-viewer.ts), kept
// for as long as the status and the account are the same objects as when it was asked: whatever
// changes a mark notes a change of the one or the other (docs/decisions/0003-status-cache.md).

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountView } from "../accounts/tables.ts";
import { MARKS, selectMarks } from "./queries-viewer.ts";
import type { KeptRow } from "./tables.ts";

/** Bits of a row and of its account together; undefined: they have to be asked. */
export type Marks = (row: KeptRow, account: AccountView) => number | undefined;

/** One viewer's bits by the number of the object; numbers, so that nothing old is held in memory. */
type ViewerMarks = Map<number, number>;

/** Some 30 KB each when full: 30 MB in all. */
const MAX_VIEWERS = 1_000;
const MAX_MARKS = 1_000;

const caches = new WeakMap<App, LRUCache<string, ViewerMarks>>();
const numbers = new WeakMap<AccountView, number>();
let lastNumber = 0;

/** For a row or an account that was read: what is asked of it is kept by this number. */
export const newNumber = (): number => ++lastNumber;

const numberOf = (account: AccountView): number => {
  const present = numbers.get(account);
  if (present !== undefined) return present;
  const made = newNumber();
  numbers.set(account, made);
  return made;
};

/** Null where nothing may be kept: inside a transaction, or switched off. */
const cacheFor = (app: App, db: Db): LRUCache<string, ViewerMarks> | null => {
  if (db !== app.sql || !app.config.caches.statuses) return null;
  const present = caches.get(app);
  if (present) return present;
  const made = new LRUCache<string, ViewerMarks>({ max: MAX_VIEWERS });
  caches.set(app, made);
  return made;
};

const marksOf = (cache: LRUCache<string, ViewerMarks> | null, viewerId: string): ViewerMarks => {
  const present = cache?.get(viewerId);
  if (present && present.size < MAX_MARKS) return present;
  const made: ViewerMarks = new Map();
  cache?.set(viewerId, made);
  return made;
};

/** Asks for those; a mute that ends by itself is not kept. */
const ask = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: KeptRow[],
  accounts: AccountView[],
): Promise<ViewerMarks> => {
  const found = await selectMarks(db, {
    viewerId,
    statusIds: rows.map((row) => row.id),
    ownIds: rows.filter((row) => row.account_id === viewerId).map((row) => row.id),
    authorIds: accounts.map((account) => account.id),
    now: app.clock.now(),
  });
  const ofStatus = new Map<string, number>();
  const ofAuthor = new Map<string, number>();
  for (const { mark, id } of found) {
    const of = mark < MARKS.following ? ofStatus : ofAuthor;
    of.set(id, (of.get(id) ?? 0) | mark);
  }
  return new Map<number, number>([
    ...rows.map((row) => [row.made.number, ofStatus.get(row.id) ?? 0] as const),
    ...accounts.map((account) => [numberOf(account), ofAuthor.get(account.id) ?? 0] as const),
  ]);
};

/** A view into what is kept, and into what had to be asked (where that is not kept). */
const marksIn = (kept: ViewerMarks, asked: ViewerMarks | null): Marks => {
  const get = (number: number) => asked?.get(number) ?? kept.get(number) ?? 0;
  return (row, account) => get(row.made.number) | get(numberOf(account));
};

/** One viewer's marks, those on a status and those on its author each by itself; undefined: to be asked. */
export type OwnMarks = {
  ofStatus(row: KeptRow): number | undefined;
  ofAuthor(account: AccountView): number | undefined;
  /** What was asked after the row, or the account, was read. */
  putOfStatus(row: KeptRow, bits: number): void;
  putOfAuthor(account: AccountView, bits: number): void;
};

/** What is put is there for as long as this object is; a mute that ends by itself no longer. */
export const ownMarks = (app: App, viewerId: string): OwnMarks => {
  const kept = marksOf(cacheFor(app, app.sql), viewerId);
  const put = new Map<number, number>();
  const get = (number: number) => put.get(number) ?? kept.get(number);
  const set = (number: number, bits: number): void => {
    put.set(number, bits);
    if (!(bits & MARKS.mutingForNow)) kept.set(number, bits);
  };
  return {
    ofStatus: (row) => get(row.made.number),
    ofAuthor: (account) => get(numberOf(account)),
    putOfStatus: (row, bits) => set(row.made.number, bits),
    putOfAuthor: (account, bits) => set(numberOf(account), bits),
  };
};

/** What is kept of the viewer's marks alone; null: nothing. */
export const marksAtHand = (app: App, viewerId: string): Marks | null => {
  const kept = cacheFor(app, app.sql)?.get(viewerId);
  if (!kept) return null;
  return (row, account) => {
    const ofRow = kept.get(row.made.number);
    const ofAccount = kept.get(numberOf(account));
    return ofRow === undefined || ofAccount === undefined ? undefined : ofRow | ofAccount;
  };
};

/**
 * The viewer's marks on these rows and accounts, in one query for those that are not kept. They must
 * have been read before this is called: a mark may be newer than its object, never older.
 */
export const keptMarks = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: Map<string, KeptRow>,
  accounts: Map<string, AccountView>,
): Promise<Marks> => {
  const kept = marksOf(cacheFor(app, db), viewerId);
  const missingRows: KeptRow[] = [];
  const missingAccounts: AccountView[] = [];
  for (const row of rows.values()) if (!kept.has(row.made.number)) missingRows.push(row);
  for (const account of accounts.values()) {
    if (!kept.has(numberOf(account))) missingAccounts.push(account);
  }
  if (missingRows.length + missingAccounts.length === 0) return marksIn(kept, null);
  const asked = await ask(app, db, viewerId, missingRows, missingAccounts);
  for (const [number, bits] of asked) {
    if (!(bits & MARKS.mutingForNow)) kept.set(number, bits);
  }
  return marksIn(kept, asked);
};
