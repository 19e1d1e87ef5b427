// What an account has read last, as data: in a cache of the account that goes when it signs out, or another signs in.
// Tokens are never in it.

import { ACCOUNT_CACHE } from "../worker/names.ts";
import type { PageState } from "../root.tsx";

export type KeptState = Omit<PageState, "formToken" | "fault"> & { savedAt: string };

/** The oldest beyond that go. */
const MAX_PAGES = 20;
const MAX_CHARACTERS = 400_000;

const cacheOf = (accountId: string): string => ACCOUNT_CACHE + accountId;

const accountCaches = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(ACCOUNT_CACHE));

/** Deletes what other accounts, or all of them, have read. */
export const forgetOthers = async (accountId: string | null): Promise<void> => {
  const own = accountId === null ? null : cacheOf(accountId);
  const others = (await accountCaches()).filter((name) => name !== own);
  await Promise.all(others.map((name) => caches.delete(name)));
};

export const writeKept = async (
  accountId: string,
  url: string,
  state: KeptState,
): Promise<void> => {
  const text = JSON.stringify(state);
  if (text.length > MAX_CHARACTERS) return;
  const cache = await caches.open(cacheOf(accountId));
  // Put at the end again: the first is the one that was not read for longest.
  await cache.delete(url);
  await cache.put(url, new Response(text, { headers: { "content-type": "application/json" } }));
  const surplus = (await cache.keys()).slice(0, -MAX_PAGES);
  await Promise.all(surplus.map((request) => cache.delete(request)));
};

/** What was kept of an address; there is never more than one account's. */
export const readKept = async (url: string): Promise<KeptState | null> => {
  if (!("caches" in window)) return null;
  const [name] = await accountCaches();
  const answer = name === undefined ? undefined : await (await caches.open(name)).match(url);
  return answer ? ((await answer.json()) as KeptState) : null;
};
