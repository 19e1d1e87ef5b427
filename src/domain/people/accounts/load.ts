// Loads account views by ids in a fixed number of queries (two: the accounts, and those they moved to), and caches them
// until they are invalidated (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { assertionKey } from "./keys.ts";
import type { PublicKeys } from "./keys.ts";
import { selectIdsByUris, selectKeys, selectAccounts } from "./queries.ts";
import type { AccountView } from "./tables.ts";
import { readMissing, recordCache } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { emojisInTexts, remoteEmojis } from "../../base/emojis/load.ts";

/** Bytes of the largest account that is cached, since its owner chooses the length; larger ones are read each time. */
const MAX_BYTES = 128 * 1024;

/** Estimated bytes of the names and the short members in the JSON of an account. */
const MEMBERS_BYTES = 750;

/** Includes the bytes of its JSON, in which each picture has several members (present.ts). */
export const sizeOfAccount = (view: AccountView): number => {
  const { uri, url, display_name, note_html, fields, emojis, avatar_url, header_url } = view;
  const texts = [uri, url, display_name, note_html, avatar_url, avatar_url, header_url, header_url];
  return sizeOf(view) + MEMBERS_BYTES + sizeOf([texts, fields, emojis, view.moved_to]);
};

export const accountCache = recordCache<AccountView>({
  name: "accounts",
  kind: "account",
  // Names and texts contain the server's own emojis.
  everything: "emojis",
  size: sizeOfAccount,
  maxBytes: MAX_BYTES,
});

type ReadAccount = Awaited<ReturnType<typeof selectAccounts>>[number];

/** Lists the texts that may contain emojis. */
const textsOf = ({ display_name, note, fields }: ReadAccount): string =>
  [display_name, note, ...fields.flatMap(({ name, value }) => [name, value])].join("\n");

/** Adds emojis to local accounts, which use the server's own. */
const withEmojis = async (app: App, db: Db, rows: ReadAccount[]): Promise<ReadAccount[]> => {
  const local = rows.filter(({ domain }) => domain === null);
  const emojis = await emojisInTexts(app, db, local.map(textsOf));
  const own = new Map(local.map(({ id }, n) => [id, emojis[n]!]));
  const remote = await remoteEmojis(
    app,
    rows.map(({ uri, domain, emojis: theirs }) => {
      return { uri, emojis: domain === null ? [] : theirs };
    }),
  );
  return rows.map((row, n) => ({ ...row, emojis: own.get(row.id) ?? remote[n]! }));
};

const readRows = async (app: App, db: Db, ids: string[]): Promise<ReadAccount[]> =>
  withEmojis(app, db, await selectAccounts(db, ids));

const read = async (app: App, db: Db, ids: string[]): Promise<AccountView[]> => {
  const rows = await readRows(app, db, ids);
  const movedIds = rows.flatMap((row) => row.moved_to_account_id ?? []);
  const moved = movedIds.length > 0 ? await readRows(app, db, movedIds) : [];
  const targets = new Map(moved.map((row) => [row.id, { ...row, moved_to: null }]));
  return rows.map((row) => ({
    ...row,
    moved_to: targets.get(row.moved_to_account_id ?? "") ?? null,
  }));
};

type Counts = Partial<
  Pick<AccountView, "statuses_count" | "last_status_at" | "followers_count" | "following_count">
>;

/**
 * Runs an act that changes counts of these accounts and invalidates each of them once. They stay cached with the counts
 * that it passes to `keep`, unless something else changes them meanwhile.
 */
export const keepCountedAccounts = <R>(
  app: App,
  db: Db,
  ids: string[],
  act: (keep: (id: string, counts: Counts) => void) => Promise<R>,
): Promise<R> =>
  accountCache(app, db).change(ids, (put, before) =>
    act((id, counts) => {
      const view = before(id);
      if (view) put(id, { ...view, ...counts });
    }),
  );

/** Returns cached views in the order of the ids without a promise; null where some have to be read. */
const accountsFromCache = (app: App, ids: string[]): AccountView[] | null => {
  const cache = accountCache(app);
  const views: AccountView[] = [];
  for (const id of ids) {
    const view = cache.get(id);
    if (!view) return null;
    views.push(view);
  }
  return views;
};

/**
 * Returns views by id; unknown ids are absent. Cached views are shared, the same objects as long as they do not change,
 * so nobody may change one.
 */
export const loadAccounts = (
  app: App,
  ids: string[],
  db: Db = app.sql,
): Promise<Map<string, AccountView>> =>
  readMissing(
    accountCache(app, db),
    ids,
    async (missing) => (await read(app, db, missing)).map((view) => [view.id, view]),
    // A view that shows another account would not be invalidated by changes of that account.
    (view) => view.moved_to_account_id === null,
  );

/** Returns views in the order of the ids; unknown ids are undefined. */
export const loadEach = async (
  app: App,
  ids: string[],
  db: Db = app.sql,
): Promise<(AccountView | undefined)[]> => {
  const cached = db === app.sql ? accountsFromCache(app, ids) : null;
  if (cached) return cached;
  const accounts = await loadAccounts(app, ids, db);
  return ids.map((id) => accounts.get(id));
};

/** Returns views in the order of the ids; unknown ids are left out. */
export const listAccounts = async (app: App, ids: string[]): Promise<AccountView[]> =>
  (await loadEach(app, ids)).filter((view) => view !== undefined);

/** Returns one view; throws NotFound when there is none. */
export const getAccount = async (app: App, id: string, db: Db = app.sql): Promise<AccountView> => {
  const view = (await loadAccounts(app, [id], db)).get(id);
  if (!view) throw new NotFound();
  return view;
};

/** Returns the known accounts among the addresses, by address. */
export const loadByUris = async (app: App, uris: string[]): Promise<Map<string, AccountView>> => {
  const ids = uris.length === 0 ? [] : await selectIdsByUris(app.sql, uris);
  const views = await loadAccounts(
    app,
    ids.map(({ id }) => id),
  );
  return new Map([...views.values()].map((view) => [view.uri, view]));
};

/** Returns the account that a path names; throws NotFound also for malformed ids and pending accounts. */
export const getShownAccount = async (app: App, pathId: string): Promise<AccountView> => {
  const id = parseId(pathId);
  if (id === null) throw new NotFound();
  const view = await getAccount(app, id);
  if (view.pending) throw new NotFound();
  return view;
};

/** Returns whether the account may be in lists: suspended and pending accounts are in none. */
export const isListed = (view: AccountView): boolean => view.suspended_at === null && !view.pending;

/** Returns the keys as in the actor document (SPKI in PEM); "" when there is none. */
export const getPublicKeys = async (app: App, id: string): Promise<PublicKeys> => {
  const row = await selectKeys(app.sql, id);
  const multikey = row?.private_key ? assertionKey(app, row.private_key).multikey : null;
  return { pem: row?.public_key ?? "", multikey };
};
