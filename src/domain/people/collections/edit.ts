// Creates, changes and deletes collections and their items.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { lockAccount } from "../accounts/lock.ts";
import { endItem, featurable } from "./consent.ts";
import "./events.ts";
import { getCollection } from "./load.ts";
import {
  countCollections,
  deleteCollection,
  insertCollection,
  insertItems,
  selectItem,
  selectMemberIds,
  updateCollection,
} from "./queries.ts";
import { collectionUri } from "./present.ts";
import { checkFields, MAX_COLLECTIONS, MAX_ITEMS } from "./rules.ts";
import type { CollectionInput } from "./rules.ts";
import type { ItemRow } from "./tables.ts";

const refuse = (words: string): never => {
  throw new Unprocessable(`Validation failed: ${words}`);
};

/**
 * Returns those who are on other servers and have to be asked first; throws Unprocessable where one of them may not be
 * added.
 */
const checkPeople = async (app: App, ownerId: string, ids: string[]): Promise<string[]> => {
  const allowed = await featurable(app, ownerId, ids);
  if (allowed.length < ids.length) refuse("Account cannot be added to a collection");
  return allowed.filter(({ domain }) => domain !== null).map(({ id }) => id);
};

type Added = { collectionId: string; accountIds: string[]; pendingIds: string[]; isNew?: boolean };

const add = async (app: App, db: Db, added: Added): Promise<ItemRow[]> => {
  const { collectionId, accountIds, pendingIds, isNew = false } = added;
  const members = await selectMemberIds(db, collectionId);
  if (accountIds.some((id) => members.includes(id))) refuse("Account has already been added");
  if (members.length + accountIds.length > MAX_ITEMS) {
    refuse(`A collection can have at most ${MAX_ITEMS} accounts`);
  }
  const items = await insertItems(db, collectionId, accountIds, pendingIds, app.clock.now());
  const [pending, accepted] = [true, false].map((isPending) =>
    items.filter(({ state }) => (state === "pending") === isPending),
  ) as [ItemRow[], ItemRow[]];
  if (accepted.length > 0) {
    const ids = accepted.map((item) => item.account_id);
    await app.jobs.add(db, "collection.added", { collectionId, accountIds: ids, isNew });
  }
  if (pending.length > 0) {
    await app.jobs.add(db, "collection.requested", { itemIds: pending.map(({ id }) => id) });
  }
  return items;
};

const peopleOf = (rawIds: string[]): string[] => [
  ...new Set(rawIds.map((id) => parseId(id) ?? refuse("Account does not exist"))),
];

/** Returns the id; throws Unprocessable for invalid fields, too many collections, or accounts that do not allow it. */
export const createCollection = async (
  app: App,
  ownerId: string,
  input: CollectionInput & { account_ids?: string[] | undefined },
): Promise<string> => {
  const fields = checkFields({ ...input, name: input.name ?? "" });
  const people = peopleOf(input.account_ids ?? []);
  const pendingIds = await checkPeople(app, ownerId, people);
  return app.sql.begin(async (tx: Tx) => {
    await lockAccount(tx, ownerId);
    if ((await countCollections(tx, ownerId)) >= MAX_COLLECTIONS) {
      refuse(`You can have at most ${MAX_COLLECTIONS} collections`);
    }
    const id = await insertCollection(tx, ownerId, fields, app.clock.now());
    await app.jobs.add(tx, "collection.created", { collectionId: id });
    if (people.length > 0) {
      await add(app, tx, { collectionId: id, accountIds: people, pendingIds, isNew: true });
    }
    return id;
  });
};

/** Returns one's own collection; throws NotFound for none, Forbidden for another's. */
const ownCollection = async (app: App, pathId: string, ownerId: string) => {
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
  const { id, discoverable: wasListed } = await ownCollection(app, pathId, ownerId);
  const fields = checkFields(input);
  const shows = fields.name !== undefined || fields.description !== undefined;
  await app.sql.begin(async (tx) => {
    await updateCollection(tx, id, fields, app.clock.now());
    await app.jobs.add(tx, "collection.updated", { collectionId: id, shows, wasListed });
  });
  return id;
};

export const removeCollection = async (
  app: App,
  pathId: string,
  ownerId: string,
): Promise<void> => {
  const view = await ownCollection(app, pathId, ownerId);
  await app.sql.begin(async (tx) => {
    const memberIds = await selectMemberIds(tx, view.id);
    await deleteCollection(tx, view.id);
    const uri = collectionUri(app.config.site, view);
    const removed = { ownerId, uri, isListed: view.discoverable, memberIds };
    await app.jobs.add(tx, "collection.removed", removed);
  });
};

/**
 * Adds an account; throws Unprocessable where it does not allow that, is in the collection already, or the collection
 * is full.
 */
export const addItem = async (
  app: App,
  pathId: string,
  ownerId: string,
  accountId: string | undefined,
): Promise<ItemRow> => {
  const { id } = await ownCollection(app, pathId, ownerId);
  if (!accountId) throw new Unprocessable("`account_id` parameter is missing");
  const people = peopleOf([accountId]);
  const pendingIds = await checkPeople(app, ownerId, people);
  const [item] = await app.sql.begin(async (tx: Tx) => {
    await lockAccount(tx, ownerId);
    return add(app, tx, { collectionId: id, accountIds: people, pendingIds });
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
  await endItem(app, item.id, "removed");
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
  await endItem(app, item.id, "revoked");
};
