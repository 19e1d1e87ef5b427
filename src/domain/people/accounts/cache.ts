// Accounts as they were last read, until they are invalidated (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { recordCache } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import type { Db } from "../../../platform/db/index.ts";
import { emojisInTexts, remoteEmojis } from "../../base/emojis/load.ts";
import { selectAccounts } from "./queries.ts";
import type { AccountView } from "./tables.ts";

/** A longer one is read each time: its owner chooses how long it is. */
const MAX_BYTES = 128 * 1024;

/** The names of the members in its JSON, and those that are short. */
const MEMBERS_BYTES = 750;

/** With the bytes of its JSON, in which pictures have several members each (present.ts). */
export const sizeOfAccount = (view: AccountView): number => {
  const { uri, url, display_name, note_html, fields, emojis, avatar_url, header_url } = view;
  const texts = [uri, url, display_name, note_html, avatar_url, avatar_url, header_url, header_url];
  return sizeOf(view) + MEMBERS_BYTES + sizeOf([texts, fields, emojis, view.moved_to]);
};

export const accountCache = recordCache<AccountView>({
  name: "accounts",
  kind: "account",
  // The server's own, in names and texts.
  everything: "emojis",
  size: sizeOfAccount,
  maxBytes: MAX_BYTES,
});

type ReadAccount = Awaited<ReturnType<typeof selectAccounts>>[number];

/** What may have emojis in it. */
const textsOf = ({ display_name, note, fields }: ReadAccount): string =>
  [display_name, note, ...fields.flatMap(({ name, value }) => [name, value])].join("\n");

/** Those of local accounts are the server's own. */
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
 * Runs an act that changes counts of these accounts and invalidates each of them once: they stay cached with the counts
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

/** Views in the order of the ids, without a promise; null: some have to be read. */
export const accountsFromCache = (app: App, ids: string[]): AccountView[] | null => {
  const cache = accountCache(app);
  const views: AccountView[] = [];
  for (const id of ids) {
    const view = cache.get(id);
    if (!view) return null;
    views.push(view);
  }
  return views;
};

/** Views by id, the same objects as long as they do not change; unknown ids are absent. */
export const cachedAccounts = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, AccountView>> => {
  const cache = accountCache(app, db);
  const accounts = new Map<string, AccountView>();
  const missing: string[] = [];
  for (const id of ids) {
    const present = cache.get(id);
    if (present) accounts.set(id, present);
    else missing.push(id);
  }
  if (missing.length === 0) return accounts;
  return cache.fill(async (put) => {
    for (const view of await read(app, db, [...new Set(missing)])) {
      accounts.set(view.id, view);
      // Changes of the account that it moved to would not invalidate it.
      if (view.moved_to_account_id === null) put(view.id, view);
    }
    return accounts;
  });
};
