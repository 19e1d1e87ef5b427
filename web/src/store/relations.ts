// Loads a member's relationships with people, for the buttons beside them.

import type { CredentialAccount, Relationship } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { keepRelationship } from "./store.ts";
import type { Store } from "./store.ts";

type Asking = { get: Get; store: Store };

/** Number of relationships that events brought, and which of them was the last for each account. */
let told = 0;
const toldAt = new Map<string, number>();

/** Keeps what an event says. */
export const keepTold = (store: Store, relationship: Relationship): void => {
  toldAt.set(relationship.id, (told += 1));
  keepRelationship(store, relationship);
};

/** Loads those with these people, in one request; what an event said meanwhile is newer than the response. */
export const readRelationships = async (
  { get, store }: Asking,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  const before = told;
  const { body } = await get<Relationship[]>("/api/v1/accounts/relationships", { id: ids });
  for (const relationship of body)
    if ((toldAt.get(relationship.id) ?? 0) <= before) keepRelationship(store, relationship);
};

/** Relationships that are loaded again: those that were kept last. */
const MAX_RELOADED = 40;

/** Loads again what the store has. */
export const reloadRelations = (asking: Asking): Promise<void> =>
  readRelationships(asking, [...asking.store.relationships.keys()].slice(-MAX_RELOADED));

/** Loads all that are not in the store yet. */
export const loadRelationships = async (
  { me, ...asking }: Asking & { me: CredentialAccount | null },
  ids: readonly string[],
): Promise<void> => {
  const { relationships } = asking.store;
  const missing = [...new Set(ids)].filter((id) => id !== me?.id && !relationships.has(id));
  if (me) await readRelationships(asking, missing);
};
