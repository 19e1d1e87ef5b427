// Handles → accounts: local and known ones from the database, the others through app.remote.

import { asciiHost } from "../../../platform/text/hosts.ts";
import type { App } from "../../../platform/app.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import { loadAccounts } from "./load.ts";
import { selectIdByHandle, selectIdsByHandles } from "./queries.ts";
import type { AccountView } from "./tables.ts";

/** `key` is the handle as the caller writes it; `domain` null: local. */
export type Handle = { key: string; username: string; domain: string | null };

/** How many unknown accounts one text may make this server look up. */
const MAX_LOOKUPS = 10;

/** Null for the domains of this server, and for those that it had. */
export const localiseDomain = (app: App, domain: string | null): string | null => {
  if (domain === null) return null;
  // What is no name of a host is nobody's, and not of this server.
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
 * Accounts by the callers' keys; handles of nobody are absent. Without `withUnknown` only accounts
 * that are in the database.
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

/** The account of `name`, `name@local` or `name@remote` (with or without a leading @), where it is known. */
export const findKnownId = (app: App, handle: string): Promise<string | null> => {
  const [username = "", domain = null] = handle.replace(/^@/, "").split("@", 2);
  return selectIdByHandle(app.sql, username, localiseDomain(app, domain));
};

/** As findKnownId, but fetches an unknown account where that is allowed. Null for malformed handles. */
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
