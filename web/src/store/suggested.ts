// People to get to know: the same wherever they are shown. Those picked for the member come first, then those who are
// listed in the directory, of whom a new server has some while there is nobody to pick. Whom the member follows already
// is not among them.

import type { Account, CredentialAccount, Suggestion } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { loadRelationships } from "./relations.ts";
import type { Store } from "./store.ts";

/** Newest of the directory that are looked at: some of them are followed. */
const LISTED = 40;

export type Suggested = { account: Account; isNew: boolean };

type Asking = { get: Get; store: Store; me: CredentialAccount | null };

export const loadSuggested = async (asking: Asking, limit: number): Promise<Suggested[]> => {
  const { get, store, me } = asking;
  const known = new Set([me?.id]);
  const unknownOf = async (all: Suggested[]): Promise<Suggested[]> => {
    await loadRelationships(
      asking,
      all.map(({ account }) => account.id),
    );
    return all.filter(({ account: { id } }) => {
      const { following, requested } = store.relationships.get(id)?.peek() ?? {};
      return !following && !requested && !known.has(id) && known.add(id);
    });
  };
  const suggestions = await get<Suggestion[]>("/api/v2/suggestions", { limit });
  const picked = await unknownOf(
    suggestions.body.map(({ account, recently_joined: isNew = false }) => ({ account, isNew })),
  );
  if (picked.length >= limit) return picked;
  const query = { limit: LISTED, order: "active", local: true };
  const { body } = await get<Account[]>("/api/v1/directory", query);
  const listed = await unknownOf(body.map((account) => ({ account, isNew: false })));
  return [...picked, ...listed].slice(0, limit);
};
