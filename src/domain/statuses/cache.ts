// Statuses and accounts as they were last read, kept as long as the versions of their rows say that
// they are right. Nothing is ever invalidated: every page asks for the versions anew, so a change by
// anybody, in any process, shows at once (docs/decisions/0003-status-cache.md).

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { PageRow } from "./queries-page.ts";
import { selectStatuses } from "./queries.ts";
import type { StatusRow } from "./tables.ts";

type Kept<T> = { version: string; value: T };
type Caches = { statuses: LRUCache<string, Kept<StatusRow>>; accounts: LRUCache<string, Kept<AccountView>> };

/** About 5 KB each with the texts made of them: some 60 MB when full. */
const MAX_STATUSES = 8_000;
const MAX_ACCOUNTS = 6_000;
/** A longer one is read each time rather than pushing out many others. */
const MAX_CONTENT = 20_000;

const caches = new WeakMap<App, Caches>();

const cachesOf = (app: App): Caches => {
  const present = caches.get(app);
  if (present) return present;
  const made = {
    statuses: new LRUCache<string, Kept<StatusRow>>({ max: MAX_STATUSES }),
    accounts: new LRUCache<string, Kept<AccountView>>({ max: MAX_ACCOUNTS }),
  };
  caches.set(app, made);
  return made;
};

type Item = { id: string; version: string };

/** The values by id: from the cache where the version is the same, the others through `read`. */
const through = async <T>(
  cache: LRUCache<string, Kept<T>> | null,
  items: Item[],
  read: (ids: string[]) => PromiseLike<Iterable<[string, T]>>,
  mayKeep: (value: T) => boolean,
): Promise<Map<string, T>> => {
  const found = new Map<string, T>();
  const missing = new Map<string, string>();
  for (const { id, version } of items) {
    const kept = cache?.get(id);
    if (kept?.version === version) found.set(id, kept.value);
    else missing.set(id, version);
  }
  if (missing.size === 0) return found;
  for (const [id, value] of await read([...missing.keys()])) {
    found.set(id, value);
    // What was read is as new as the version or newer; if newer, the next page reads it again.
    if (cache && mayKeep(value)) cache.set(id, { version: missing.get(id)!, value });
  }
  return found;
};

const readStatuses = async (db: Db, ids: string[]): Promise<[string, StatusRow][]> =>
  (await selectStatuses(db, ids)).map((row) => [row.id, row]);

/** The statuses and accounts of a page; inside a transaction nothing is cached. */
export const loadParts = async (app: App, db: Db, page: PageRow[]) => {
  const kept = db === app.sql ? cachesOf(app) : null;
  const authors = page.map((row) => ({ id: row.account_id, version: row.account_version }));
  const [rows, accounts] = await Promise.all([
    through(
      kept?.statuses ?? null,
      page,
      (ids) => readStatuses(db, ids),
      (row) => row.content.length <= MAX_CONTENT,
    ),
    through(
      kept?.accounts ?? null,
      authors,
      (ids) => loadAccounts(app, ids, db),
      // The version says nothing of the account that it moved to.
      (view) => view.moved_to_account_id === null && view.note_html.length <= MAX_CONTENT,
    ),
  ]);
  return { rows, accounts };
};
