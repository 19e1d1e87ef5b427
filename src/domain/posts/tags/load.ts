// Loads tag views for a viewer by names or ids, in one query.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { selectTagPage, selectTagStates } from "./queries-review.ts";
import type { TagState } from "./queries-review.ts";
import {
  selectFeaturedTags,
  selectFeaturedTagsUrl,
  selectTagsById,
  selectTagsByName,
} from "./queries.ts";
import { historyDays } from "./rules.ts";
import type { TagName } from "./rules.ts";
import type { FeaturedTagRow, TagView } from "./tables.ts";

const since = (app: App): Date => historyDays(app.clock.now()).at(-1)!;

/** Returns views in the order of the names; tags that nobody has used have no history. */
export const loadTagsByName = async (
  app: App,
  names: TagName[],
  viewerId: string | null,
): Promise<TagView[]> => {
  if (names.length === 0) return [];
  const keys = names.map(({ name }) => name);
  const rows = await selectTagsByName(app.sql, keys, viewerId, since(app));
  const tags = new Map(rows.map((row) => [row.name, row]));
  const own = { following: false, featuring: false, muting: false, muting_expires_at: null };
  const unused = { id: null, days: [], ...own };
  return names.map(
    ({ name, display }) => tags.get(name) ?? { ...unused, name, display_name: display },
  );
};

/** Returns views in the order of the ids; unknown ones are left out. */
export const loadTagsById = async (
  app: App,
  ids: string[],
  viewerId: string | null,
): Promise<TagView[]> => {
  if (ids.length === 0) return [];
  const rows = await selectTagsById(app.sql, ids, viewerId, since(app));
  const tags = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => tags.get(id) ?? []);
};

/** Returns the featured tags of an account, the most used first. */
export const loadFeaturedTags = async (app: App, accountId: string): Promise<FeaturedTagRow[]> => [
  ...(await selectFeaturedTags(app.sql, accountId)),
];

/** Returns the URL of a remote account's featured tags; null for local accounts and where it is not stated. */
export const getFeaturedTagsUrl = (app: App, accountId: string): Promise<string | null> =>
  selectFeaturedTagsUrl(app.sql, accountId);

/** Returns the ids of a page of all tags, newest first. */
export const pageOfTags = async (app: App, page: Page): Promise<string[]> =>
  inOrder(page, await selectTagPage(app.sql, page));

/** Returns what moderators decided about the tags. */
export const loadTagStates = async (app: App, ids: string[]): Promise<Map<string, TagState>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectTagStates(app.sql, ids);
  return new Map(rows.map((row) => [row.id, row]));
};
