// Stores collections of other servers as their owners describe them. Accounts count as being in one only by their own
// consent, which the job `collection.check` reads.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { lockAccount } from "../accounts/lock.ts";
import "./events.ts";
import type { ParsedCollection } from "./parse.ts";
import {
  addRemoteItems,
  countItems,
  countRemote,
  deleteOtherItems,
  deleteRemoteItem,
  insertRemote,
  recheckItems,
  selectByUri,
  updateRemote,
} from "./queries-consent.ts";
import type { RemoteItemRow } from "./queries-consent.ts";
import { deleteCollection } from "./queries.ts";
import { MAX_REMOTE_COLLECTIONS, MAX_REMOTE_ITEMS } from "./rules.ts";

const checkLater = (app: App, tx: Tx, collectionId: string): Promise<void> =>
  app.jobs.add(
    tx,
    "collection.check",
    { collectionId },
    { key: `collection.check:${collectionId}` },
  );

const upsert = async (app: App, tx: Tx, ownerId: string, { row }: ParsedCollection) => {
  const now = app.clock.now();
  const known = await selectByUri(tx, row.uri);
  if (!known) {
    if ((await countRemote(tx, ownerId)) >= MAX_REMOTE_COLLECTIONS) return null;
    return insertRemote(tx, ownerId, row, now);
  }
  if (known.account_id !== ownerId) return null;
  await updateRemote(tx, known.id, row, now);
  const shows = known.name !== row.name || known.description !== row.description;
  if (shows) await app.jobs.add(tx, "collection.updated", { collectionId: known.id, shows });
  return known.id;
};

/** Returns its id; null where another account owns it, or this one has too many. */
export const storeCollection = (
  app: App,
  ownerId: string,
  parsed: ParsedCollection,
): Promise<string | null> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, ownerId);
    const id = await upsert(app, tx, ownerId, parsed);
    if (id === null || parsed.items === null) return id;
    const { items } = parsed;
    await deleteOtherItems(
      tx,
      id,
      items.map(({ uri }) => uri),
    );
    if (items.length > 0) {
      await recheckItems(tx, id, items);
      await addRemoteItems(tx, id, items);
      await checkLater(app, tx, id);
    }
    return id;
  });

/** Stores an item that the owner added. */
export const addRemoteItem = (
  app: App,
  { id, ownerId }: { id: string; ownerId: string },
  item: RemoteItemRow,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, ownerId);
    if ((await countItems(tx, id)) >= MAX_REMOTE_ITEMS) return;
    await addRemoteItems(tx, id, [item]);
    await checkLater(app, tx, id);
  });

export const removeRemoteItem = async (app: App, id: string, uri: string): Promise<void> => {
  await deleteRemoteItem(app.sql, id, uri);
};

export const removeRemoteCollection = async (app: App, id: string): Promise<void> => {
  await deleteCollection(app.sql, id);
};
