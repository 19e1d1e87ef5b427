// Extracts the part of a store that one page needs, and adds such a part to another store.

import {
  createStore,
  keepAccount,
  keepRelationship,
  restoreStatuses,
  snapshotOf,
} from "./store.ts";
import type { Snapshot, Store } from "./store.ts";

/** Returns the entities that the data of a page names, and what they boost. */
export const partOf = (store: Store, data: unknown): Snapshot => {
  const all = snapshotOf(store);
  const named = new Set(JSON.stringify(data)?.match(/\d{6,}/g));
  const listed = all.statuses.filter(({ id }) => named.has(id));
  const shown = new Set([...listed.map(({ id }) => id), ...listed.map(({ reblog }) => reblog)]);
  const statuses = all.statuses.filter(({ id }) => shown.has(id));
  const authors = new Set(statuses.map(({ account }) => account));
  return {
    ...all,
    statuses,
    authors: all.authors.filter(({ id }) => authors.has(id)),
    accounts: all.accounts.filter(({ id }) => named.has(id)),
    relationships: all.relationships.filter(({ id }) => named.has(id)),
  };
};

/** Adds a part; what the store already has is newer. */
export const addPart = (store: Store, part: Snapshot): void => {
  const { statuses, accounts, relationships } = createStore(part);
  restoreStatuses(
    store,
    [...statuses.values()].map((each) => each.peek()),
  );
  for (const [id, account] of accounts)
    if (!store.accounts.has(id)) keepAccount(store, account.peek());
  for (const [id, relation] of relationships)
    if (!store.relationships.has(id)) keepRelationship(store, relation.peek());
};
