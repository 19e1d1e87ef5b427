// Caches accounts until they are invalidated (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { recordCache } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import type { Db } from "../../../platform/db/index.ts";
import { emojisInTexts, remoteEmojis } from "../../base/emojis/load.ts";
import { selectAccounts } from "./queries.ts";
import type { AccountView } from "./tables.ts";

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

/** Returns views by id, the same objects as long as they do not change; unknown ids are absent. */
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
      // A view that shows another account would not be invalidated by changes of that account.
      if (view.moved_to_account_id === null) put(view.id, view);
    }
    return accounts;
  });
};
