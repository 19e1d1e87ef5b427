// Finds accounts by handles: local and known ones in the database, others through app.remote.

import { asciiHost } from "../../../platform/text/hosts.ts";
import type { App } from "../../../platform/app.ts";
import { boundedCache, sizeOf } from "../../../platform/caches/bounded.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import { accountCache, loadAccounts } from "./load.ts";
import { selectIdByHandle, selectIdsByHandles } from "./queries.ts";
import type { AccountView } from "./tables.ts";

/** `key` is the handle as the caller wrote it; `domain` is null for a local one. */
export type Handle = { key: string; username: string; domain: string | null };

/** Unknown accounts of one text that this server looks up. */
const MAX_LOOKUPS = 10;

/** Returns null for the present and former domains of this server. */
export const localiseDomain = (app: App, domain: string | null): string | null => {
  if (domain === null) return null;
  // A name that is no host belongs to nobody.
  const lower = asciiHost(domain) ?? domain.toLowerCase();
  return isOwnDomain(app.config.site, lower) ? null : lower;
};

const handleKey = (username: string, domain: string | null) =>
  `${username}@${domain ?? ""}`.toLowerCase();

const lookUpUnknown = async (app: App, unknown: Handle[]): Promise<Map<string, string>> => {
  const lookups = unknown.filter((handle) => handle.domain !== null).slice(0, MAX_LOOKUPS);
  const ids = await Promise.all(
    lookups.map((handle) => app.remote.account(`${handle.username}@${handle.domain}`)),
  );
  return new Map(
    lookups.flatMap((handle, index) => (ids[index] ? [[handle.key, ids[index]] as const] : [])),
  );
};

/**
 * Returns accounts by the callers' keys, without handles that nobody has. Without `withUnknown` only accounts in the
 * database are found.
 */
export const findAccounts = async (
  app: App,
  handles: Handle[],
  withUnknown = true,
): Promise<Map<string, AccountView>> => {
  if (handles.length === 0) return new Map();
  const localised = handles.map((h) => ({ ...h, domain: localiseDomain(app, h.domain) }));
  const known = new Map(
    (await selectIdsByHandles(app.sql, localised)).map((row) => [
      handleKey(row.username, row.domain),
      row.id,
    ]),
  );
  const idOf = (handle: Handle) => known.get(handleKey(handle.username, handle.domain));
  const unknown = withUnknown ? localised.filter((handle) => !idOf(handle)) : [];
  const lookedUp = await lookUpUnknown(app, unknown);
  const ids = new Map(localised.map((h) => [h.key, idOf(h) ?? lookedUp.get(h.key)]));
  const views = await loadAccounts(
    app,
    [...ids.values()].filter((id) => id !== undefined),
  );
  return new Map(
    [...ids].flatMap(([key, id]) => {
      const view = id ? views.get(id) : undefined;
      return view ? [[key, view] as const] : [];
    }),
  );
};

/** Ids by handles, as they were looked up: cached accounts, which are invalidated, say who still has one. */
const idsByHandle = boundedCache<string>("handles", sizeOf);

/** Returns the known account of `name`, `name@local` or `name@remote` (with or without a leading @). */
export const findKnownId = async (app: App, handle: string): Promise<string | null> => {
  const [username = "", name = null] = handle.replace(/^@/, "").split("@", 2);
  const domain = localiseDomain(app, name);
  const key = handleKey(username, domain);
  const view = accountCache(app).get(idsByHandle(app).get(key) ?? "");
  if (view && handleKey(view.username, view.domain) === key) return view.id;
  const id = await selectIdByHandle(app.sql, username, domain);
  if (id !== null) idsByHandle(app).set(key, id);
  return id;
};

/** Works as findKnownId, but fetches an unknown account where that is allowed. Returns null for malformed handles. */
export const findHandle = async (
  app: App,
  text: string,
  mayFetch = true,
): Promise<string | null> => {
  const handle = text.trim().replace(/^@/, "");
  const [name, domain = null, rest] = handle.split("@");
  if (!name || rest !== undefined) return null;
  const known = await findKnownId(app, handle);
  if (known !== null || !mayFetch || localiseDomain(app, domain) === null) return known;
  return app.remote.account(handle);
};
