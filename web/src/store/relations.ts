// Loads a member's relationships with people, for the buttons beside them.

import type { CredentialAccount, Relationship } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { keepRelationship } from "./store.ts";
import type { Store } from "./store.ts";

/** Loads all that are not in the store yet, in one request. */
export const loadRelationships = async (
  { get, store, me }: { get: Get; store: Store; me: CredentialAccount | null },
  ids: readonly string[],
): Promise<void> => {
  const missing = [...new Set(ids)].filter((id) => id !== me?.id && !store.relationships.has(id));
  if (!me || missing.length === 0) return;
  const { body } = await get<Relationship[]>("/api/v1/accounts/relationships", { id: missing });
  for (const relationship of body) keepRelationship(store, relationship);
};
