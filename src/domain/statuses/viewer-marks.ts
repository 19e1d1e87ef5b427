// What viewers did with statuses, and their relations to the authors, as bits (queries-viewer.ts).
// Cached for as long as the cached status and account are the same objects as when the marks were
// read: whatever changes a mark invalidates one of the two (docs/decisions/0003-status-cache.md).

import type { App } from "../../platform/app.ts";
import { BoundedCache } from "../../platform/caches/bounded.ts";
import { perApp } from "../../platform/caches/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountView } from "../accounts/tables.ts";
import { MARKS, selectMarks } from "./queries-viewer.ts";
import type { CachedRow } from "./tables.ts";

/** Bits of a row and of its account together; undefined: they have to be read. */
export type Marks = (row: CachedRow, account: AccountView) => number | undefined;

/**
 * One viewer's bits by the number of the row or account; numbers, so that no old objects are held
 * in memory.
 */
type ViewerMarks = Map<number, number>;

/** Of one viewer; when there are more, all of them are dropped. */
const MAX_MARKS = 1_000;
/** Of an entry in a map. */
const MARK_BYTES = 48;

const numbers = new WeakMap<AccountView, number>();
let lastNumber = 0;

/** For a row or an account that was read: marks are cached by this number. */
export const newNumber = (): number => ++lastNumber;

const numberOf = (account: AccountView): number => {
  const present = numbers.get(account);
  if (present !== undefined) return present;
  const made = newNumber();
  numbers.set(account, made);
  return made;
};

const marksCache = perApp(
  "viewer marks",
  (app) =>
    new BoundedCache<ViewerMarks>(
      app.caches.budget("viewer marks"),
      (marks) => MARK_BYTES * (1 + marks.size),
    ),
);

/** Null where nothing may be cached: inside a transaction, or with caches off. */
const cacheFor = (app: App, db: Db): BoundedCache<ViewerMarks> | null =>
  db === app.sql && app.config.caches.enabled ? marksCache(app) : null;

const marksOf = (cache: BoundedCache<ViewerMarks> | null, viewerId: string): ViewerMarks => {
  const present = cache?.get(viewerId);
  if (present && present.size < MAX_MARKS) return present;
  const made: ViewerMarks = new Map();
  cache?.set(viewerId, made);
  return made;
};

/** Marks by the number of the row or account, from the database. */
const readMarks = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: CachedRow[],
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
    ...rows.map((row) => [row.derived.number, ofStatus.get(row.id) ?? 0] as const),
    ...accounts.map((account) => [numberOf(account), ofAuthor.get(account.id) ?? 0] as const),
  ]);
};

/** Looks up both, first what was just read. */
const marksIn = (cached: ViewerMarks, fresh: ViewerMarks | null): Marks => {
  const get = (number: number) => fresh?.get(number) ?? cached.get(number) ?? 0;
  return (row, account) => get(row.derived.number) | get(numberOf(account));
};

/** One viewer's marks on statuses and on authors; undefined: they have to be read. */
export type OwnMarks = {
  ofStatus(row: CachedRow): number | undefined;
  ofAuthor(account: AccountView): number | undefined;
  /** Stores marks that were read after the row, or the account. */
  putOfStatus(row: CachedRow, bits: number): void;
  putOfAuthor(account: AccountView, bits: number): void;
};

/**
 * What is put lasts as long as this object, and is cached unless it includes a mute that expires.
 */
export const ownMarks = (app: App, viewerId: string): OwnMarks => {
  const cache = cacheFor(app, app.sql);
  const cached = marksOf(cache, viewerId);
  const put = new Map<number, number>();
  const get = (number: number) => put.get(number) ?? cached.get(number);
  const set = (number: number, bits: number): void => {
    put.set(number, bits);
    if (bits & MARKS.mutingForNow) return;
    cached.set(number, bits);
    cache?.grow(viewerId, MARK_BYTES);
  };
  return {
    ofStatus: (row) => get(row.derived.number),
    ofAuthor: (account) => get(numberOf(account)),
    putOfStatus: (row, bits) => set(row.derived.number, bits),
    putOfAuthor: (account, bits) => set(numberOf(account), bits),
  };
};

/** The cached marks alone; null: there are none. */
export const marksFromCache = (app: App, viewerId: string): Marks | null => {
  const cached = cacheFor(app, app.sql)?.get(viewerId);
  if (!cached) return null;
  return (row, account) => {
    const ofRow = cached.get(row.derived.number);
    const ofAccount = cached.get(numberOf(account));
    return ofRow === undefined || ofAccount === undefined ? undefined : ofRow | ofAccount;
  };
};

/**
 * The viewer's marks on these rows and accounts, in one query for those that are not cached. Rows
 * and accounts must have been read before: a mark may be newer than its object, never older. A mute
 * that expires is not cached.
 */
export const cachedMarks = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: Map<string, CachedRow>,
  accounts: Map<string, AccountView>,
): Promise<Marks> => {
  const cache = cacheFor(app, db);
  const cached = marksOf(cache, viewerId);
  const missingRows: CachedRow[] = [];
  const missingAccounts: AccountView[] = [];
  for (const row of rows.values()) if (!cached.has(row.derived.number)) missingRows.push(row);
  for (const account of accounts.values()) {
    if (!cached.has(numberOf(account))) missingAccounts.push(account);
  }
  if (missingRows.length + missingAccounts.length === 0) return marksIn(cached, null);
  const fresh = await readMarks(app, db, viewerId, missingRows, missingAccounts);
  const before = cached.size;
  for (const [number, bits] of fresh) {
    if (!(bits & MARKS.mutingForNow)) cached.set(number, bits);
  }
  cache?.grow(viewerId, MARK_BYTES * (cached.size - before));
  return marksIn(cached, fresh);
};
