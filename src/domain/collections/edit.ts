// Creating, changing and deleting collections and their items.

import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { parseId } from "../../platform/db/paging.ts";
import { Forbidden, NotFound, Unprocessable } from "../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import "./events.ts";
import { getCollection } from "./load.ts";
import {
  countCollections,
  deleteCollection,
  deleteItem,
  insertCollection,
  insertItems,
  lockOwner,
  revokeItem,
  selectBlocked,
  selectItem,
  selectMemberIds,
  updateCollection,
} from "./queries.ts";
import { checkFields, MAX_COLLECTIONS, MAX_ITEMS, mayBeFeatured } from "./rules.ts";
import type { CollectionInput } from "./rules.ts";
import type { CollectionView, ItemRow } from "./tables.ts";

const refuse = (words: string): never => {
  throw new Unprocessable(`Validation failed: ${words}`);
};

/** The added accounts must be known and allow it, without a block between them and the owner. */
const checkPeople = async (app: App, ownerId: string, ids: string[]): Promise<void> => {
  const [accounts, blocked] = await Promise.all([
    loadAccounts(app, ids),
    selectBlocked(app.sql, ownerId, ids),
  ]);
  for (const id of ids) {
    const account = accounts.get(id);
    if (!account || blocked.has(id) || !mayBeFeatured(account)) {
      refuse("Account cannot be added to a collection");
    }
  }
};

const add = async (
  app: App,
  db: Db,
  collectionId: string,
  accountIds: string[],
): Promise<ItemRow[]> => {
  const present = await selectMemberIds(db, collectionId);
  if (accountIds.some((id) => present.includes(id))) refuse("Account has already been added");
  if (present.length + accountIds.length > MAX_ITEMS) {
    refuse(`A collection can have at most ${MAX_ITEMS} accounts`);
  }
  const items = await insertItems(db, collectionId, accountIds, app.clock.now());
  await app.jobs.add(db, "collection.added", { collectionId, accountIds });
  return items;
};

const peopleOf = (given: string[]): string[] => [
  ...new Set(given.map((id) => parseId(id) ?? refuse("Account does not exist"))),
];

/** Returns the id. Unprocessable for invalid fields, too many collections, or accounts that do not allow it. */
export const createCollection = async (
  app: App,
  ownerId: string,
  input: CollectionInput & { account_ids?: string[] | undefined },
): Promise<string> => {
  const fields = checkFields({ ...input, name: input.name ?? "" });
  const people = peopleOf(input.account_ids ?? []);
  await checkPeople(app, ownerId, people);
  return app.sql.begin(async (tx: Tx) => {
    await lockOwner(tx, ownerId);
    if ((await countCollections(tx, ownerId)) >= MAX_COLLECTIONS) {
      refuse(`You can have at most ${MAX_COLLECTIONS} collections`);
    }
    const id = await insertCollection(tx, ownerId, fields, app.clock.now());
    if (people.length > 0) await add(app, tx, id, people);
    return id;
  });
};

/** One's own; NotFound for none, Forbidden for another's. */
const ownCollection = async (
  app: App,
  pathId: string,
  ownerId: string,
): Promise<CollectionView> => {
  const view = await getCollection(app, pathId, ownerId);
  if (view.account_id !== ownerId) throw new Forbidden();
  return view;
};

export const changeCollection = async (
  app: App,
  pathId: string,
  ownerId: string,
  input: CollectionInput,
): Promise<string> => {
  const { id } = await ownCollection(app, pathId, ownerId);
  const fields = checkFields(input);
  const shows = fields.name !== undefined || fields.description !== undefined;
  await app.sql.begin(async (tx) => {
    await updateCollection(tx, id, fields, app.clock.now());
    if (shows) await app.jobs.add(tx, "collection.updated", { collectionId: id });
  });
  return id;
};

export const removeCollection = async (
  app: App,
  pathId: string,
  ownerId: string,
): Promise<void> => {
  const { id } = await ownCollection(app, pathId, ownerId);
  await deleteCollection(app.sql, id);
};

/** Adds an account. Unprocessable where it does not allow it, is in it already, or the collection is full. */
export const addItem = async (
  app: App,
  pathId: string,
  ownerId: string,
  accountId: string | undefined,
): Promise<ItemRow> => {
  const { id } = await ownCollection(app, pathId, ownerId);
  if (!accountId) throw new Unprocessable("`account_id` parameter is missing");
  const people = peopleOf([accountId]);
  await checkPeople(app, ownerId, people);
  const [item] = await app.sql.begin(async (tx: Tx) => {
    await lockOwner(tx, ownerId);
    return add(app, tx, id, people);
  });
  return item!;
};

const findItem = async (app: App, collectionId: string, pathId: string): Promise<ItemRow> => {
  const id = parseId(pathId);
  const item = id && (await selectItem(app.sql, collectionId, id));
  if (!item) throw new NotFound();
  return item;
};

export const removeItem = async (
  app: App,
  pathId: string,
  ownerId: string,
  itemId: string,
): Promise<void> => {
  const { id } = await ownCollection(app, pathId, ownerId);
  const item = await findItem(app, id, itemId);
  await deleteItem(app.sql, item.id);
};

/** Removes oneself from another's collection, permanently. */
export const leaveCollection = async (
  app: App,
  pathId: string,
  accountId: string,
  itemId: string,
): Promise<void> => {
  const { id } = await getCollection(app, pathId, accountId);
  const item = await findItem(app, id, itemId);
  if (item.account_id !== accountId) throw new Forbidden();
  await revokeItem(app.sql, item.id);
};
