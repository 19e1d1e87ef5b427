// Searches for accounts by name or handle, hashtags by prefix, statuses by words, and the object of a URL.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { httpUrl } from "../../../platform/json/read.ts";
import { isTagName, normaliseTag } from "../../../platform/text/tags.ts";
import { isListed, listAccounts } from "../../people/accounts/load.ts";
import { searchBios } from "../../people/accounts/search-bios.ts";
import { searchAccounts, withTotals } from "../../people/accounts/search.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { loadCollections } from "../../people/collections/load.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";
import { loadTagsByName } from "../../posts/tags/load.ts";
import type { TagView } from "../../posts/tags/tables.ts";
import { selectKnownAddress, selectTagsByPrefix } from "./queries.ts";
import { searchStatuses } from "./search-statuses.ts";
import type { Sort } from "./search-statuses.ts";

export type SearchKind = "accounts" | "statuses" | "hashtags" | "collections";

export type Search = {
  q: string;
  /** Null for all kinds. */
  kind: SearchKind | null;
  /** Whether unknown accounts and URLs are looked up on other servers. */
  resolve: boolean;
  followingOnly: boolean;
  /** Whether accounts are searched by what they write about themselves, and not by name. */
  byBio: boolean;
  /** Whether hashtags that were not reviewed are left out, except for an exact match. */
  excludeUnreviewed: boolean;
  viewer: Viewer;
  /** Author of the statuses, and bounds of their ids; null for any. */
  accountId: string | null;
  maxId: string | null;
  minId: string | null;
  limit: number;
  offset: number;
  /** Order of the statuses. */
  sort: Sort;
  /** Languages that the viewer reads. */
  languages: readonly string[];
};

export type Results = {
  accounts: AccountView[];
  statuses: SeenStatus[];
  tags: TagView[];
  collections: CollectionView[];
  /** Matches of one kind, with those hidden from the viewer, after which the next page begins; 0 at the end. */
  count: number;
};

export const NOTHING: Results = { accounts: [], statuses: [], tags: [], collections: [], count: 0 };
/** The id of no account. */
export const NO_ACCOUNT = "0";
const MAX_QUERY = 2000;

const wants = (search: Search, kind: SearchKind): boolean =>
  search.kind === null || search.kind === kind;

const behind = (app: App, url: string, resolve: boolean) => {
  const isOwn = URL.parse(url)?.origin === app.config.site.origin;
  return isOwn || resolve ? app.remote.address(url, resolve) : selectKnownAddress(app.sql, url);
};

const byAddress = async (app: App, search: Search, url: string): Promise<Results> => {
  if (search.offset > 0 || search.limit === 0) return NOTHING;
  const known = await behind(app, url, search.resolve);
  if (known?.kind === "status" && wants(search, "statuses")) {
    return { ...NOTHING, statuses: await loadVisible(app, [known.id], search.viewer) };
  }
  if (known?.kind === "account" && wants(search, "accounts")) {
    if (search.resolve) await withTotals(app, known.id);
    return { ...NOTHING, accounts: (await listAccounts(app, [known.id])).filter(isListed) };
  }
  if (known?.kind === "collection" && wants(search, "collections")) {
    const { viewer } = search;
    const viewerId = viewer.kind === "nobody" ? null : viewer.id;
    return { ...NOTHING, collections: await loadCollections(app, [known.id], viewerId) };
  }
  return NOTHING;
};

const accounts = async (app: App, search: Search): Promise<AccountView[]> => {
  if (!wants(search, "accounts") || search.q.startsWith("#")) return [];
  const { q, limit, offset, resolve, followingOnly, viewer } = search;
  const viewerId = viewer.kind === "nobody" ? NO_ACCOUNT : viewer.id;
  if (search.byBio) return searchBios(app, { viewerId, q, limit, offset });
  return searchAccounts(app, { viewerId, q, limit, offset, resolve, followingOnly });
};

const tags = async (app: App, search: Search): Promise<TagView[]> => {
  const { limit, offset, viewer, excludeUnreviewed } = search;
  const display = search.q.replace(/^#/, "");
  const isName = isTagName(display) || /^\p{Nd}+$/u.test(display);
  if (!wants(search, "hashtags") || !isName || limit === 0) return [];
  const prefix = normaliseTag(display);
  const names = await selectTagsByPrefix(app.sql, { prefix, limit, offset, excludeUnreviewed });
  const wantedTags = names.map((name) => ({ name, display: name }));
  return loadTagsByName(app, wantedTags, viewer.kind === "nobody" ? null : viewer.id);
};

/** A hashtag or handle alone searches no posts, unless only posts are requested. */
const isNameAlone = ({ q, kind }: Search): boolean =>
  kind === null && (/^[#@]\S+$/.test(q) || /^[^\s:]+@[^\s:]+$/.test(q));

/** Searches for signed-in viewers only. */
const statuses = async (app: App, search: Search) => {
  const { viewer, limit } = search;
  const isAsked = limit > 0 && wants(search, "statuses") && !isNameAlone(search);
  if (!isAsked || viewer.kind !== "person") return { views: [], passed: 0 };
  return searchStatuses(app, { ...search, viewerId: viewer.id });
};

/** Returns the status, account or collection of a URL; otherwise what the words match. Throws 422 for a long text. */
export const search = async (app: App, input: Search): Promise<Results> => {
  const q = input.q.trim().replaceAll("\0", "");
  if (q.length > MAX_QUERY) {
    throw new Unprocessable(
      `Validation failed: Q is too long (maximum is ${MAX_QUERY} characters)`,
    );
  }
  const query = { ...input, q };
  const url = httpUrl(q);
  if (url) return byAddress(app, query, url);
  const { limit } = query;
  // One more of each says whether there is a next page.
  const longer = { ...query, limit: limit && limit + 1 };
  const people = await accounts(app, longer);
  const { views, passed } = await statuses(app, query);
  const names = await tags(app, longer);
  const count = [people, names].some((all) => all.splice(limit).length > 0) ? limit : passed;
  return { accounts: people, statuses: views, tags: names, collections: [], count };
};
