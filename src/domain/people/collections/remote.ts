// Reads what is stored of collections of other servers, for federation and for people who look at them.

import type { App } from "../../../platform/app.ts";
import "./events.ts";
import {
  deleteItems,
  selectIdByAddress,
  selectListUrl,
  selectUnchecked,
  selectUris,
  settleItem,
} from "./queries-consent.ts";
import { selectCollections } from "./queries.ts";
import type { CollectionView } from "./tables.ts";

/** Returns the address of a remote collection; null for a local one and an unknown id. */
export const remoteUri = async (app: App, id: string): Promise<string | null> =>
  (await selectCollections(app.sql, [id]))[0]?.uri ?? null;

/** Finds a collection by its address or that of its page. */
export const findRemote = (app: App, address: string): Promise<string | null> =>
  selectIdByAddress(app.sql, address);

/** Returns the address of the list of a remote account's collections. */
export const listUrlOf = (app: App, accountId: string): Promise<string | null> =>
  selectListUrl(app.sql, accountId);

/** Returns the stored collections of a remote account. */
export const remoteUris = async (app: App, accountId: string) => [
  ...(await selectUris(app.sql, accountId)),
];

export const uncheckedItems = async (app: App, collectionId: string, limit: number) => [
  ...(await selectUnchecked(app.sql, collectionId, limit)),
];

/** Stores that the account agreed. */
export const settle = (app: App, itemId: string, accountId: string): Promise<void> =>
  settleItem(app.sql, itemId, accountId);

export const dropItems = async (app: App, ids: string[]): Promise<void> => {
  if (ids.length > 0) await deleteItems(app.sql, ids);
};

const FRESH_MS = 24 * 60 * 60 * 1000;
/** Seconds between two attempts, which may fail. */
const AGAIN_SECONDS = 60 * 60;

/** Enqueues reading a remote collection again that was read long ago, after the answer. */
export const refreshLater = async (app: App, view: CollectionView): Promise<void> => {
  if (view.fetched_at === null) return;
  if (app.clock.now().getTime() - view.fetched_at.getTime() < FRESH_MS) return;
  const key = `collection-refresh:${view.id}`;
  if (!(await app.kv.add(key, "1", AGAIN_SECONDS))) return;
  await app.jobs.add(app.sql, "collection.refresh", { collectionId: view.id }, { key });
};

/** Enqueues reading the collections of a remote account when somebody looks at them, at most once a day. */
export const refreshListLater = async (
  app: App,
  { id, domain }: { id: string; domain: string | null },
): Promise<void> => {
  if (domain === null) return;
  const key = `collections-refresh:${id}`;
  if (!(await app.kv.add(key, "1", FRESH_MS / 1000))) return;
  await app.jobs.add(app.sql, "collections.refresh", { accountId: id }, { key });
};
