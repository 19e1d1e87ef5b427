// Loads account views by ids in a fixed number of queries (two: the accounts, and those they moved to).

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { accountsFromCache, cachedAccounts } from "./cache.ts";
import { assertionKey } from "./keys.ts";
import type { PublicKeys } from "./keys.ts";
import { selectIdsByUris, selectKeys } from "./queries.ts";
import type { AccountView } from "./tables.ts";

/** Returns views by id; unknown ids are absent. Cached views are shared, so nobody may change one. */
export const loadAccounts = (
  app: App,
  ids: string[],
  db: Db = app.sql,
): Promise<Map<string, AccountView>> => cachedAccounts(app, db, ids);

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
