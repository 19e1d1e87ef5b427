// Searches for accounts: known ones, and one unknown account by its whole handle.

import type { App } from "../../../platform/app.ts";
import { wantFilled } from "./fill.ts";
import { findKnownId, localiseDomain } from "./find.ts";
import { isListed, listAccounts } from "./load.ts";
import { searchAccountIds } from "./queries-search.ts";
import type { AccountView } from "./tables.ts";

type SearchInput = {
  viewerId: string;
  q: string;
  limit: number;
  offset: number;
  /** Fetches the account of a whole handle that is not known yet. */
  resolve?: boolean;
  followingOnly?: boolean;
};

const HANDLE = /^@?([^@\s/:]+)@([^@\s/]+)$/;

/** Reads totals of an account that nobody here knew before. */
export const withTotals = async (app: App, id: string | null): Promise<string | null> => {
  const [view] = id === null ? [] : await listAccounts(app, [id]);
  if (view) await wantFilled(app, view);
  return id;
};

/** Returns the account of a whole handle, known or fetched with `resolve`. */
const byHandle = async (app: App, input: SearchInput): Promise<string | null> => {
  const [, username, domain] = HANDLE.exec(input.q) ?? [];
  if (!username || !domain || input.followingOnly || input.offset > 0) return null;
  const known = await findKnownId(app, `${username}@${domain}`);
  if (known || !input.resolve || localiseDomain(app, domain) === null) return known;
  return withTotals(app, await app.remote.account(`${username}@${domain}`));
};

const searchIds = (app: App, input: SearchInput): Promise<string[]> => {
  const [, username, host] = HANDLE.exec(input.q) ?? [];
  const text = username ?? input.q.replace(/^@/, "");
  // A local handle is a username alone.
  const domain = host === undefined ? null : localiseDomain(app, host);
  const { viewerId, limit, offset, followingOnly = false } = input;
  return searchAccountIds(app.sql, { viewerId, text, domain, followingOnly, limit, offset });
};

/** Returns the best first; an empty query finds nothing. */
export const searchAccounts = async (app: App, input: SearchInput): Promise<AccountView[]> => {
  const q = input.q.trim();
  if (q.replace(/^@/, "") === "" || input.limit === 0) return [];
  const query = { ...input, q };
  const exact = await byHandle(app, query);
  const matches = await searchIds(app, query);
  const ids = [...new Set([...(exact ? [exact] : []), ...matches])].slice(0, input.limit);
  return (await listAccounts(app, ids)).filter(isListed);
};
