// What viewers did with statuses, and their relations to the authors, as bits (queries-viewer.ts).
// Cached by viewer: an act of the viewer's on a status invalidates the marks on it as `mark:VIEWER/STATUS`,
// a change of relations all of the viewer's marks as `relations:VIEWER`
// (docs/decisions/0003-status-cache.md).

import type { App } from "../../platform/app.ts";
import { cachedByOwner } from "../../platform/caches/by-owner.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountView } from "../accounts/tables.ts";
import { statusCache } from "./cache.ts";
import { isWrittenAfter, knownNumberOfStatus, newestNumber, numberOfAccount } from "./numbers.ts";
import { MARKS, selectMarks } from "./queries-viewer.ts";
import type { CachedRow } from "./tables.ts";

/** Bits of a row and of its account together; undefined: they have to be read. */
export type Marks = (row: CachedRow, account: AccountView) => number | undefined;

/** One viewer's bits by the number of the status or account. */
type ViewerMarks = Map<number, number>;

/** The numbers under which the marks on a status may be cached; null: not known. */
const numbersFor = (app: App, statusId: string): number[] | null => {
  const given = knownNumberOfStatus(app, statusId);
  if (given === undefined) return null;
  // A row that was cached before the number was dropped still has its own.
  const row = statusCache(app).get(statusId);
  return row ? [given, row.derived.marks] : [given];
};

const marksCache = cachedByOwner<number, number>({
  name: "viewer marks",
  kinds: ["relations"],
  one: {
    kind: "mark",
    of(app, id) {
      const [owner, statusId] = id.split("/") as [string, string];
      return { owner, keys: numbersFor(app, statusId) };
    },
  },
  entryBytes: 48,
  maxEntries: 1_000,
  // Of a status that was written since then no mark is read: the viewer's acts on it invalidate it here.
  implied: {
    began: newestNumber,
    value: (number, began) => (isWrittenAfter(number, began) ? 0 : undefined),
  },
  // Such a mute ends by itself.
  lasts: (bits) => !(bits & MARKS.mutingForNow),
});

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
  const store = marksCache.open(app, app.sql, viewerId);
  return {
    ofStatus: (row) => store.get(row.derived.marks),
    ofAuthor: (account) => store.get(numberOfAccount(app, account)),
    putOfStatus: (row, bits) => store.put([[row.derived.marks, bits]]),
    putOfAuthor: (account, bits) => store.put([[numberOfAccount(app, account), bits]]),
  };
};

/** The cached marks alone; null: there are none. */
export const marksFromCache = (app: App, viewerId: string): Marks | null => {
  const cached = marksCache.cached(app, viewerId);
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
  const store = marksCache.open(app, db, viewerId);
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

/** Adds the mark of authors whose whole domain the viewer blocks. */
export const withDomains = (marks: Marks, domains: ReadonlySet<string>): Marks => {
  if (domains.size === 0) return marks;
  return (row, account) => {
    const bits = marks(row, account);
    const isBlocked = account.domain !== null && domains.has(account.domain);
    return bits !== undefined && isBlocked ? bits | MARKS.domainBlocking : bits;
  };
};
