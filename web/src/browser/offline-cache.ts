// Caches what an account read last, as data, for each account apart. The cache is shown to that account alone and
// deleted when it signs out. Tokens are never in it.

import { ACCOUNT_CACHE } from "../worker/names.ts";
import type { PageState } from "../pages/root.tsx";

export type KeptState = Omit<PageState, "formToken" | "others" | "linked" | "fault"> & {
  savedAt: string;
};

/** Pages of an account's cache; older ones are deleted. */
const MAX_PAGES = 20;
const MAX_CHARACTERS = 400_000;

const cacheOf = (accountId: string): string => ACCOUNT_CACHE + accountId;

const accountCaches = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(ACCOUNT_CACHE));

/** Deletes the caches of accounts that are not signed in here any more. */
export const forgetOthers = async (signedIn: readonly string[]): Promise<void> => {
  const kept = signedIn.map(cacheOf);
  const others = (await accountCaches()).filter((name) => !kept.includes(name));
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
  // It is put at the end again, so that the first one is the least recently read.
  await cache.delete(url);
  await cache.put(url, new Response(text, { headers: { "content-type": "application/json" } }));
  const surplus = (await cache.keys()).slice(0, -MAX_PAGES);
  await Promise.all(surplus.map((request) => cache.delete(request)));
};

const openKept = async (accountId: string | null): Promise<Cache | null> => {
  if (!("caches" in window) || accountId === null) return null;
  const name = cacheOf(accountId);
  return (await caches.has(name)) ? caches.open(name) : null;
};

const stateIn = async (answer: Response | undefined): Promise<KeptState | null> =>
  answer ? ((await answer.json()) as KeptState) : null;

/** Returns what an account kept of an address. */
export const readKept = async (accountId: string | null, url: string): Promise<KeptState | null> =>
  stateIn(await (await openKept(accountId))?.match(url));

/** Returns what an account kept last. */
export const readNewest = async (accountId: string | null): Promise<KeptState | null> => {
  const cache = await openKept(accountId);
  const newest = (await cache?.keys())?.at(-1);
  return stateIn(newest && (await cache?.match(newest)));
};
