// Caches statuses without any viewer's part, what viewers did with them, and viewers' exclusions (blocked domains,
// muted conversations, filters), until they are invalidated (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { boundedCache, sizeOf } from "../../../platform/caches/bounded.ts";
import { textOutsideCode } from "../../../platform/text/plain.ts";
import type { Db } from "../../../platform/db/index.ts";
import { recordCache } from "../../../platform/caches/records.ts";
import { cachedByOwner } from "../../../platform/caches/by-owner.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { emojisInTexts, remoteEmojis } from "../../base/emojis/load.ts";
import { selectStatuses } from "./queries.ts";
import { MARKS, selectMarks } from "./queries-acts.ts";
import type { CachedRow, CountedReaction, Reaction, StatusRow } from "./tables.ts";

export { reactedTo as recountReactionsOf } from "./queries-acts.ts";

/** Estimated bytes of a number by its id: the key and the map's entry. */
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

/** Returns the last number that was given; later numbers are larger. */
const newestNumber = (): number => lastNumber;

/**
 * Reserves numbers before statuses are written; the returned function numbers them when they are committed. These
 * numbers are negative. A viewer's marks that were cached before such a number was reserved are older than the status,
 * so that the viewer cannot have marked it.
 */
export const reserveNumbers = (app: App, count: number): ((ids: string[]) => void) => {
  const first = lastNumber + 1;
  lastNumber += count;
  return (ids) => {
    const numbers = numbersOf.status(app);
    for (const [n, id] of ids.entries()) {
      // A reader after the commit may have numbered it already.
      if (numbers.get(id) === undefined) numbers.set(id, -(first + n));
    }
  };
};

/** Returns whether the status was written here after that number was given. */
const isWrittenAfter = (number: number, earlier: number): boolean => -number > earlier;

/** Returns the number under which marks on a status are cached; it stays the same as long as the row is cached. */
const numberOfStatus = (app: App, id: string): number => numberOf(app, "status", id);

/** Returns the number that rows of the status get, if there is one. */
const knownNumberOfStatus = (app: App, id: string): number | undefined =>
  numbersOf.status(app).get(id);

const ofAccounts = new WeakMap<AccountView, number>();

/** Returns the number of an account. */
const numberOfAccount = (app: App, account: AccountView): number => {
  const present = ofAccounts.get(account);
  if (present !== undefined) return present;
  const number = numberOf(app, "account", account.id);
  ofAccounts.set(account, number);
  return number;
};

/**
 * Adds the pictures that local people see: those that this server fetches, and none of servers whose media are
 * rejected.
 */
export const withPictures = async <T extends Reaction & Partial<CountedReaction>>(
  app: App,
  reactions: T[],
): Promise<T[]> => withOwnPictures(app, await withRemotePictures(app, reactions));

/** Adds pictures of the server's own emojis, with which local people react. */
const withOwnPictures = async <T extends Reaction & Partial<CountedReaction>>(
  app: App,
  reactions: T[],
): Promise<T[]> => {
  const origin = `${app.config.site.origin}/`;
  const names = reactions.map(({ name, emoji, uri, by }) =>
    !emoji && (by?.length || uri?.startsWith(origin)) ? name : "",
  );
  if (!names.some((name) => name.startsWith(":"))) return reactions;
  const own = await emojisInTexts(app, app.sql, names);
  return reactions.map((reaction, n) => ({ ...reaction, emoji: own[n]![0] ?? reaction.emoji }));
};

const withRemotePictures = async <T extends Reaction>(app: App, reactions: T[]): Promise<T[]> => {
  if (!reactions.some(({ emoji }) => emoji)) return reactions;
  const items = reactions.map(({ uri, emoji }) => ({
    uri: uri ?? "",
    emojis: emoji ? [emoji] : [],
  }));
  const shown = await remoteEmojis(app, items);
  return reactions.map((reaction, n) => ({ ...reaction, emoji: shown[n]![0] ?? null }));
};

/** Bytes of the largest status that is cached, since its author chooses the length. */
const MAX_BYTES = 128 * 1024;
/** Estimated bytes of the view without a viewer, an object with the same members. */
const VIEW_BYTES = 500;

/**
 * Includes what is derived from it when it is shown: the bytes of its JSON take about as much as the row, the words for
 * filters as much as its texts.
 */
export const sizeOfRow = (row: StatusRow): number =>
  2 * sizeOf(row) + row.content.length + row.spoiler_text.length + VIEW_BYTES;

export const statusCache = recordCache<CachedRow>({
  name: "statuses",
  kind: "status",
  // Texts contain the server's own emojis.
  everything: "emojis",
  size: ({ derived: _derived, ...row }) => sizeOfRow(row),
  maxBytes: MAX_BYTES,
});

/** Returns the text that may contain the server's own emojis: in Markdown, what is not code. */
export const emojiText = (
  { text, content, content_type, spoiler_text }: OwnText,
  options: string[] = [],
): string => {
  const prose = content_type === null ? text : textOutsideCode(content);
  return [prose, spoiler_text, ...options].join("\n");
};

type OwnText = Pick<StatusRow, "text" | "content" | "content_type" | "spoiler_text">;

const ownTextsOf = (row: StatusRow): string => (row.local ? emojiText(row, row.poll?.options) : "");

/** Numbers rows when they are read; data derived from a row refers to it by this number. */
let lastRow = 0;

/**
 * Joins reads: many acts on a post at the same time invalidate its row each, and those who then miss it read it
 * together.
 */
const read = (app: App, db: Db, missing: string[]): Promise<Map<string, CachedRow>> =>
  statusCache(app, db).together(missing, async (ids, put) => {
    const selected = await selectStatuses(db, ids);
    const emojis = await emojisInTexts(app, db, selected.map(ownTextsOf));
    const remote = await remoteEmojis(
      app,
      selected.map(({ uri, local, emojis: theirs }) => ({ uri, emojis: local ? [] : theirs })),
    );
    const reactions = await withPictures(
      app,
      selected.flatMap((row) => row.reactions),
    );
    const rows = selected.map((row, n) => ({
      ...row,
      reactions: reactions.splice(0, row.reactions.length),
      emojis: row.local ? emojis[n]! : remote[n]!,
      derived: {
        plain: null,
        bytes: null,
        words: null,
        shared: null,
        number: ++lastRow,
        marks: numberOfStatus(app, row.id),
      },
    }));
    for (const row of rows) put(row.id, row);
    return new Map(rows.map((row) => [row.id, row]));
  });

type Counts = Partial<Pick<CachedRow, "favourites_count" | "replies_count" | "reblogs_count">>;

/**
 * Runs an act that changes counts of these statuses and invalidates each of them once. They stay cached with the counts
 * that it passes to `keep`, unless something else changes them meanwhile.
 */
export const keepCounted = <R>(
  app: App,
  db: Db,
  ids: string[],
  act: (keep: (id: string, counts: Counts) => void) => Promise<R>,
): Promise<R> =>
  statusCache(app, db).change(ids, (put, before) =>
    act((id, counts) => {
      const row = before(id);
      if (!row) return;
      const derived = { ...row.derived, plain: null, bytes: null, number: ++lastRow };
      put(id, { ...row, ...counts, derived });
    }),
  );

const quotedBy = (rows: Map<string, CachedRow>): string[] => {
  const ids: string[] = [];
  for (const { quote } of rows.values()) {
    if (quote?.state === "accepted" && quote.quoted_status_id) ids.push(quote.quoted_status_id);
  }
  return ids;
};

/**
 * Returns rows by id, with those that they reblog and quote; takes at most four queries, two where nothing is quoted,
 * none when all are cached.
 */
export const cachedStatuses = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, CachedRow>> => {
  const cache = statusCache(app, db);
  const rows = new Map<string, CachedRow>();
  const lookUp = async (ids: Iterable<string>): Promise<void> => {
    const missing: string[] = [];
    for (const id of ids) {
      const present = rows.get(id) ?? cache.get(id);
      if (present) rows.set(id, present);
      else missing.push(id);
    }
    if (missing.length === 0) return;
    for (const [id, row] of await read(app, db, [...new Set(missing)])) rows.set(id, row);
  };
  await lookUp(ids);
  const targets: string[] = [];
  for (const row of rows.values()) if (row.reblog_of_id) targets.push(row.reblog_of_id);
  if (targets.length > 0) await lookUp(targets);
  // Reads quoted statuses, and those that they quote (load.ts).
  const quoted = quotedBy(rows);
  if (quoted.length === 0) return rows;
  await lookUp(quoted);
  await lookUp(quotedBy(rows));
  return rows;
};

/** Returns the bits of a row and of its account together; undefined where they have to be read. */
export type Marks = (row: CachedRow, account: AccountView) => number | undefined;

/** One viewer's bits by the number of the status or account. */
type ViewerMarks = Map<number, number>;

/** Returns the numbers under which the marks on a status may be cached; null where unknown. */
const numbersFor = (app: App, statusId: string): number[] | null => {
  const number = knownNumberOfStatus(app, statusId);
  if (number === undefined) return null;
  // A row that was cached before the number was dropped still has its own.
  const row = statusCache(app).get(statusId);
  return row ? [number, row.derived.marks] : [number];
};

const marksCache = cachedByOwner<number, number>({
  name: "viewer marks",
  kinds: ["relations"],
  entry: {
    kind: "mark",
    of(app, id) {
      const [owner, statusId] = id.split("/") as [string, string];
      return { owner, keys: numbersFor(app, statusId) };
    },
  },
  entryBytes: 48,
  maxEntries: 1_000,
  // Marks on a status that was written since then are not read: acts of the viewer on it invalidate them here.
  implied: {
    began: newestNumber,
    value: (number, began) => (isWrittenAfter(number, began) ? 0 : undefined),
  },
  // A mute that expires is not cached.
  lasts: (bits) => !(bits & MARKS.mutingForNow),
});

/** Reads marks from the database, by the number of the row or account. */
const readMarks = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: CachedRow[],
  accounts: AccountView[],
): Promise<ViewerMarks> => {
  const marks = await selectMarks(db, {
    viewerId,
    statusIds: rows.map((row) => row.id),
    ownIds: rows.filter((row) => row.account_id === viewerId).map((row) => row.id),
    authorIds: accounts.map((account) => account.id),
    now: app.clock.now(),
  });
  const ofStatus = new Map<string, number>();
  const ofAuthor = new Map<string, number>();
  for (const { mark, id } of marks) {
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

/** One viewer's marks on statuses and on authors; undefined where they have to be read. */
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

/**
 * Prepares an act of the viewer on a status. The returned function is called when the act is done, with the bit that
 * the act sets or clears, so that the viewer's mark stays cached.
 */
export const keepMark = (
  app: App,
  db: Db,
  viewerId: string,
  statusId: string,
): ((bit: number, isSet: boolean) => void) => {
  const number = statusCache(app, db).get(statusId)?.derived.marks;
  if (number === undefined) return () => {};
  const keep = marksCache.changing(app, viewerId, number);
  return (bit, isSet) => keep((bits) => (isSet ? bits | bit : bits & ~bit));
};

/** Returns the cached marks alone; null where there are none. */
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
 * Returns the viewer's marks on these rows and accounts, with one query for those that are not cached. Rows and
 * accounts must have been read before: a mark may be newer than its object, never older.
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

/** Adds the mark for authors whose whole domain the viewer blocks. */
export const withDomains = (marks: Marks, domains: ReadonlySet<string>): Marks => {
  if (domains.size === 0) return marks;
  return (row, account) => {
    const bits = marks(row, account);
    const isBlocked = account.domain !== null && domains.has(account.domain);
    return bits !== undefined && isBlocked ? bits | MARKS.domainBlocking : bits;
  };
};
