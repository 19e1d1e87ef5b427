// Accounts as they were last read: kept until a change of them is committed
// (platform/db/invalidate.ts; docs/decisions/0003-status-cache.md).

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { keepRecords } from "../../platform/db/kept.ts";
import type { KeptRecords } from "../../platform/db/kept.ts";
import { selectAccounts } from "./queries.ts";
import type { AccountView } from "./tables.ts";

const MAX_ACCOUNTS = 6_000;
/** A longer one is not cached, so that it does not push out many others. */
const MAX_TEXT = 20_000;

const caches = new WeakMap<App, KeptRecords<AccountView>>();

/** Null where nothing may be cached: inside a transaction, or when switched off. */
export const accountCache = (app: App, db: Db): KeptRecords<AccountView> | null => {
  if (db !== app.sql || !app.config.caches.statuses) return null;
  const present = caches.get(app);
  if (present) return present;
  const made = keepRecords<AccountView>(app.sql, "account", MAX_ACCOUNTS);
  caches.set(app, made);
  return made;
};

const read = async (db: Db, ids: string[]): Promise<AccountView[]> => {
  const rows = await selectAccounts(db, ids);
  const movedIds = rows.flatMap((row) => row.moved_to_account_id ?? []);
  const moved = movedIds.length > 0 ? await selectAccounts(db, movedIds) : [];
  const targets = new Map(moved.map((row) => [row.id, { ...row, moved_to: null }]));
  return rows.map((row) => ({
    ...row,
    moved_to: targets.get(row.moved_to_account_id ?? "") ?? null,
  }));
};

/** A moved account is not cached: a change of the account it moved to would not invalidate it. */
const mayKeep = (view: AccountView): boolean =>
  view.moved_to_account_id === null && view.note_html.length <= MAX_TEXT;

/** Views by id, the same objects as long as they do not change; unknown ids are absent. */
export const keptAccounts = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, AccountView>> => {
  const cache = accountCache(app, db);
  const found = new Map<string, AccountView>();
  const missing: string[] = [];
  for (const id of ids) {
    const kept = cache?.get(id);
    if (kept) found.set(id, kept);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const readAt = cache?.now() ?? 0;
  for (const view of await read(db, [...new Set(missing)])) {
    found.set(view.id, view);
    if (mayKeep(view)) cache?.put(view.id, view, readAt);
  }
  return found;
};
