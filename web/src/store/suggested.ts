// Suggests people, the same wherever they are shown: first those picked for the member, then those in the directory,
// which has some even on a new server that cannot pick anybody.

import type { Account, Suggestion } from "../api/entities.ts";
import type { Get } from "../api/get.ts";

export type Suggested = { account: Account; isNew: boolean };

export const loadSuggested = async (
  get: Get,
  meId: string | undefined,
  limit: number,
): Promise<Suggested[]> => {
  const [suggestions, directory] = await Promise.all([
    get<Suggestion[]>("/api/v2/suggestions", { limit }),
    get<Account[]>("/api/v1/directory", { limit, order: "active", local: true }),
  ]);
  const all = [
    ...suggestions.body.map(({ account, recently_joined: isNew = false }) => ({ account, isNew })),
    ...directory.body.map((account) => ({ account, isNew: false })),
  ];
  const known = new Set([meId]);
  const people: Suggested[] = [];
  for (const each of all) {
    if (known.has(each.account.id)) continue;
    known.add(each.account.id);
    people.push(each);
  }
  return people.slice(0, limit);
};
