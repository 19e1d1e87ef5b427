// What viewers did with statuses, and their relations to the authors, as bits (queries-viewer.ts).
// Cached by viewer: whatever changes one of a viewer's marks invalidates all of them as `marks:VIEWER`
// (docs/decisions/0003-status-cache.md).

import type { App } from "../../platform/app.ts";
import { BoundedCache, boundedCache } from "../../platform/caches/bounded.ts";
import { perApp } from "../../platform/caches/index.ts";
import { onInvalidateKinds } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountView } from "../accounts/tables.ts";
import { MARKS, selectMarks } from "./queries-viewer.ts";
import type { CachedRow } from "./tables.ts";

/** Bits of a row and of its account together; undefined: they have to be read. */
export type Marks = (row: CachedRow, account: AccountView) => number | undefined;

/** One viewer's bits by the number of the status or account. */
type ViewerMarks = Map<number, number>;

/** Of one viewer; when there are more, all of them are dropped. */
const MAX_MARKS = 1_000;
/** Of an entry in a map. */
const MARK_BYTES = 48;

/** Of a number by its id: the key and the map's entry. */
const NUMBER_BYTES = 40;
let lastNumber = 0;

/**
 * Small numbers in place of ids, which would take four times the memory for each viewer. A dropped one is
 * never used again: what is cached under it is then read anew.
 */
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

const ofAccounts = new WeakMap<AccountView, number>();

/** The same for an account. */
const numberOfAccount = (app: App, account: AccountView): number => {
  const present = ofAccounts.get(account);
  if (present !== undefined) return present;
  const number = numberOf(app, "account", account.id);
  ofAccounts.set(account, number);
  return number;
};

const marksCache = perApp("viewer marks", (app) => {
  const cache = new BoundedCache<ViewerMarks>(
    app.caches.budget("viewer marks"),
    (marks) => MARK_BYTES * (1 + marks.size),
  );
  onInvalidateKinds(app.sql, ["marks"], (viewerId) => cache.delete(viewerId));
  return cache;
});

/** Null where nothing may be cached: inside a transaction, or with caches off. */
const cacheFor = (app: App, db: Db): BoundedCache<ViewerMarks> | null =>
  db === app.sql && app.config.caches.enabled ? marksCache(app) : null;

/** What is added to it after an invalidation is not cached any more. */
const mapOf = (cache: BoundedCache<ViewerMarks> | null, viewerId: string): ViewerMarks => {
  const present = cache?.get(viewerId);
  if (present && present.size < MAX_MARKS) return present;
  const made: ViewerMarks = new Map();
  cache?.set(viewerId, made);
  return made;
};

type Store = {
  get(number: number): number | undefined;
  /** Lasts as long as this object, and is cached unless it includes a mute that expires. */
  put(bits: Iterable<[number, number]>): void;
};

/** A viewer's marks. A job reads none from the cache: what it follows from may have changed them. */
const openStore = (app: App, db: Db, viewerId: string): Store => {
  const cache = cacheFor(app, db);
  const cached = mapOf(cache, viewerId);
  const own: ViewerMarks = new Map();
  return {
    get: (number) => own.get(number) ?? (app.fresh ? undefined : cached.get(number)),
    put(entries) {
      const before = cached.size;
      for (const [number, bits] of entries) {
        own.set(number, bits);
        if (!(bits & MARKS.mutingForNow)) cached.set(number, bits);
      }
      cache?.grow(viewerId, MARK_BYTES * (cached.size - before));
    },
  };
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
    ...rows.map((row) => [row.derived.marks, ofStatus.get(row.id) ?? 0] as const),
    ...accounts.map(
      (account) => [numberOfAccount(app, account), ofAuthor.get(account.id) ?? 0] as const,
    ),
  ]);
};

/** One viewer's marks on statuses and on authors; undefined: they have to be read. */
export type OwnMarks = {
  ofStatus(row: CachedRow): number | undefined;
  ofAuthor(account: AccountView): number | undefined;
  /** Stores marks that were read after the row, or the account. */
  putOfStatus(row: CachedRow, bits: number): void;
  putOfAuthor(account: AccountView, bits: number): void;
};

export const ownMarks = (app: App, viewerId: string): OwnMarks => {
  const store = openStore(app, app.sql, viewerId);
  return {
    ofStatus: (row) => store.get(row.derived.marks),
    ofAuthor: (account) => store.get(numberOfAccount(app, account)),
    putOfStatus: (row, bits) => store.put([[row.derived.marks, bits]]),
    putOfAuthor: (account, bits) => store.put([[numberOfAccount(app, account), bits]]),
  };
};

/** The cached marks alone; null: there are none. */
export const marksFromCache = (app: App, viewerId: string): Marks | null => {
  const cached = app.fresh ? undefined : cacheFor(app, app.sql)?.get(viewerId);
  if (!cached) return null;
  return (row, account) => {
    const ofRow = cached.get(row.derived.marks);
    const ofAccount = cached.get(numberOfAccount(app, account));
    return ofRow === undefined || ofAccount === undefined ? undefined : ofRow | ofAccount;
  };
};

/**
 * The viewer's marks on these rows and accounts, in one query for those that are not cached. Rows
 * and accounts must have been read before: a mark may be newer than its object, never older.
 */
export const cachedMarks = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: Map<string, CachedRow>,
  accounts: Map<string, AccountView>,
): Promise<Marks> => {
  const store = openStore(app, db, viewerId);
  const numberOfAuthor = (account: AccountView) => numberOfAccount(app, account);
  const missingRows = [...rows.values()].filter(
    (row) => store.get(row.derived.marks) === undefined,
  );
  const missingAccounts = [...accounts.values()].filter(
    (account) => store.get(numberOfAuthor(account)) === undefined,
  );
  if (missingRows.length + missingAccounts.length > 0) {
    store.put(await readMarks(app, db, viewerId, missingRows, missingAccounts));
  }
  return (row, account) =>
    (store.get(row.derived.marks) ?? 0) | (store.get(numberOfAuthor(account)) ?? 0);
};
