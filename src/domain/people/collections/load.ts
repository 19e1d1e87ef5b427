// Loads collection views for a viewer by ids in a fixed number of queries (rows, items, accounts, blocks).

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import {
  selectBlocked,
  selectCollectionOf,
  selectCollections,
  selectItems,
  selectOwned,
  selectOwnIds,
  selectPending,
} from "./queries.ts";
import { localIdOf } from "./present.ts";
import { selectIdsByAddresses, selectItemOf } from "./queries-consent.ts";
import { MAX_COLLECTIONS } from "./rules.ts";
import type { CollectionView, ItemRow } from "./tables.ts";

type Seen = { viewerId: string | null; blocked: Set<string> };

/** Shows pending items to the owner alone; the viewer's own item is always shown. */
const shows = (item: ItemRow, ownerId: string, { viewerId, blocked }: Seen): boolean =>
  (item.state === "accepted" || viewerId === ownerId) && !blocked.has(item.account_id);

/**
 * Returns views in the order of the ids, without those that are deleted or whose owner is suspended or blocks the
 * viewer; items as the viewer may see them.
 */
export const loadCollections = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<CollectionView[]> => {
  if (ids.length === 0) return [];
  const [rows, items] = await Promise.all([selectCollections(db, ids), selectItems(db, ids)]);
  const people = [...rows, ...items].map((row) => row.account_id);
  const blocked = viewerId === null ? [] : await selectBlocked(db, viewerId, people);
  const seen = { viewerId, blocked: new Set(blocked) };
  const owners = await loadAccounts(app, [...new Set(rows.map((row) => row.account_id))], db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ofCollection = Map.groupBy(items, (item) => item.collection_id);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    const owner = row && owners.get(row.account_id);
    if (!owner || owner.suspended_at !== null || seen.blocked.has(owner.id)) return [];
    const own = (ofCollection.get(id) ?? []).filter((item) => shows(item, owner.id, seen));
    return [{ ...row, owner, items: own }];
  });
};

/** Returns the collection that a path names; throws NotFound when the viewer may not see it. */
export const getCollection = async (
  app: App,
  pathId: string,
  viewerId: string | null,
): Promise<CollectionView> => {
  const id = parseId(pathId);
  const [view] = id === null ? [] : await loadCollections(app, [id], viewerId);
  if (!view) throw new NotFound();
  return view;
};

/** Returns the public view of a collection, for jobs that notify others; null where it is deleted or hidden. */
export const loadForAll = async (app: App, id: string): Promise<CollectionView | null> =>
  (await loadCollections(app, [id], null))[0] ?? null;

/** Returns items whose accounts have to be asked, with their collections. */
export const waitingItems = async (
  app: App,
  ids: string[],
): Promise<{ view: CollectionView; item: ItemRow }[]> => {
  const items = await selectPending(app.sql, ids);
  const collectionIds = [...new Set(items.map((item) => item.collection_id))];
  const views = await loadCollections(app, collectionIds, null);
  const byId = new Map(views.map((view) => [view.id, view]));
  return items.flatMap((item) => {
    const view = byId.get(item.collection_id);
    return view ? [{ view, item }] : [];
  });
};

/** Returns a local collection as anybody may see it; throws NotFound otherwise. */
export const getLocalCollection = async (app: App, pathId: string): Promise<CollectionView> => {
  const view = await getCollection(app, pathId, null);
  if (view.uri !== null) throw new NotFound();
  return view;
};

/** Returns the collections of a local account that are listed for everybody, newest first. */
export const listedCollections = async (app: App, accountId: string): Promise<CollectionView[]> => {
  const ids = await selectOwnIds(app.sql, accountId, true, { limit: MAX_COLLECTIONS, offset: 0 });
  return loadCollections(app, ids, null);
};

/** Returns a person's own collection of this name, for imports; null where there is none. */
export const ownCollectionNamed = async (
  app: App,
  accountId: string,
  name: string,
): Promise<CollectionView | null> => {
  const ids = await selectOwnIds(app.sql, accountId, false, { limit: MAX_COLLECTIONS, offset: 0 });
  const views = await loadCollections(app, ids, accountId);
  return views.find((view) => view.name === name.trim()) ?? null;
};

/** Returns an accepted item with its collection; null when it is not public. */
export const collectionOfItem = async (
  app: App,
  pathId: string,
): Promise<{ view: CollectionView; item: ItemRow } | null> => {
  const id = parseId(pathId);
  const collectionId = id && (await selectCollectionOf(app.sql, id));
  const [view] = collectionId ? await loadCollections(app, [collectionId], null) : [];
  const item = view?.items.find((item) => item.id === id);
  return view && item ? { view, item } : null;
};

/** Returns the item of an account in a local collection. */
export const findItemOf = async (
  app: App,
  collectionUri: string | null,
  accountId: string,
): Promise<string | null> => {
  const id = localIdOf(app.config.site, collectionUri);
  return id === null ? null : ((await selectItemOf(app.sql, id, accountId))?.id ?? null);
};

/** Returns those of the ids that are collections of the account. */
export const collectionsOf = (app: App, accountId: string, ids: string[]): Promise<string[]> =>
  ids.length === 0 ? Promise.resolve([]) : selectOwned(app.sql, accountId, ids);

/**
 * Returns public collections that a text links to, by the exact address of their page or their own; unknown ones are
 * left out. https://docs.joinmastodon.org/client/collections/#sharing-collections
 */
export const collectionsAt = async (
  app: App,
  addresses: string[],
  db: Db = app.sql,
): Promise<ReadonlyMap<string, CollectionView>> => {
  const { site } = app.config;
  const ids = new Map<string, string>();
  const remote: string[] = [];
  for (const address of new Set(addresses)) {
    const id = localIdOf(site, address);
    if (id === null) remote.push(address);
    else ids.set(address, id);
  }
  if (remote.length > 0) {
    for (const row of await selectIdsByAddresses(db, remote)) ids.set(row.address, row.id);
  }
  const views = await loadCollections(app, [...new Set(ids.values())], null, db);
  const byId = new Map(views.map((view) => [view.id, view]));
  return new Map(
    [...ids].flatMap(([address, id]) => {
      const view = byId.get(id);
      return view ? [[address, view] as const] : [];
    }),
  );
};
