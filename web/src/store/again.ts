// Asks for posts and people by their ids: those that a list was restored without.

import type { Account, Status } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { keepAccount, keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";

/** Ids that one request may name. */
const [MAX_STATUSES, MAX_ACCOUNTS] = [20, 40];

const ask = async <T>(
  get: Get,
  path: string,
  ids: readonly string[],
  most: number,
): Promise<T[]> => {
  const turns = Array.from({ length: Math.ceil(ids.length / most) }, (_, turn) => turn * most);
  const pages = turns.map((from) => get<T[]>(path, { id: ids.slice(from, from + most) }));
  return (await Promise.all(pages)).flatMap(({ body }) => body);
};

/** Loads those that the store has not. */
export const loadByIds = async (
  { get, store }: { get: Get; store: Store },
  statusIds: readonly string[],
  accountIds: readonly string[] = [],
): Promise<void> => {
  const without = (ids: readonly string[], table: Map<string, unknown>): string[] =>
    [...new Set(ids)].filter((id) => !table.has(id));
  const [statuses, accounts] = await Promise.all([
    ask<Status>(get, "/api/v1/statuses", without(statusIds, store.statuses), MAX_STATUSES),
    ask<Account>(get, "/api/v1/accounts", without(accountIds, store.accounts), MAX_ACCOUNTS),
  ]);
  keepStatuses(store, statuses);
  for (const account of accounts) keepAccount(store, account);
};
