// Keeps what is read for use without a connection, and registers the service worker.

import { effect } from "@preact/signals";
import { forgetUsedAccount, lastUsed } from "../api/used-account.ts";
import type { App } from "../app.ts";
import { keptSince } from "../store/kept-since.ts";
import { addPart, partOf } from "../store/part.ts";
import { OFFLINE_PATH, WORKER_PATH } from "../worker/names.ts";
import { asPlain, forgetPagesOfOthers } from "./kept-page.ts";
import { reloadIfReachable } from "./reachable.ts";
import { shown } from "./shown.ts";
import type { Shown } from "./shown.ts";
import { forgetOthers, readKept, readNewest, writeKept } from "./offline-cache.ts";
import type { KeptState } from "./offline-cache.ts";

type Base = Omit<App, "place">;

const keep = async (
  { site, me, isAuthor, locale, look, store }: Base,
  { place, data: live }: Shown,
) => {
  const data = asPlain(live);
  const snapshot = partOf(store, data);
  const savedAt = new Date().toISOString();
  const state: KeptState = { site, me, isAuthor, locale, look, place, data, snapshot, savedAt };
  const query = new URLSearchParams(place.query).toString();
  await writeKept(me!.id, place.path + (query && `?${query}`), state);
};

/** Milliseconds after which a page is kept; one that is left sooner is not. */
const READ_MS = 1500;

const keepWhatIsShown = (base: Base): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const now = shown.value;
    clearTimeout(timer);
    if (!now?.page || now.fault) return;
    timer = setTimeout(() => keep(base, now).catch(() => {}), READ_MS);
  });
};

/** Returns the URL of the only script that is ever registered (Trusted Types). */
const workerUrl = (): string => {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return WORKER_PATH;
  const rules = {
    createScriptURL(url: string): string {
      if (url !== WORKER_PATH) throw new TypeError(`not a script of ours: ${url}`);
      return url;
    },
  };
  return trustedTypes.createPolicy("rookery", rules).createScriptURL(WORKER_PATH);
};

type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

const register = (): void => {
  if (!("serviceWorker" in navigator)) return;
  const options = { scope: "/", updateViaCache: "none" } as const;
  navigator.serviceWorker.register(workerUrl(), options).catch(() => {});
};

/** Deletes what was kept of accounts that are not signed in any more; visitors leave no data on the device. */
const forgetWhoLeft = ({ me, others }: Base): void => {
  forgetOthers(me ? [me, ...others].map(({ id }) => id) : []).catch(() => {});
  forgetPagesOfOthers({ me });
  if (!me) forgetUsedAccount();
};

/**
 * `isTold` says whether the server answered, and said who is signed in; where it did not, nothing may be deleted, and
 * what is shown was kept before.
 */
export const startOffline = (base: Base, isTold: boolean): void => {
  if (!("caches" in window)) return;
  if (isTold) forgetWhoLeft(base);
  if (!base.me) return;
  if (isTold) keepWhatIsShown(base);
  register();
};

/** Returns the offline page with the menu of the member, as it was kept with another page. */
const asMember = async (accountId: string | null): Promise<KeptState | null> => {
  const newest = await readNewest(accountId);
  const place = { path: OFFLINE_PATH, params: {}, query: {} };
  return newest && { ...newest, place, data: null };
};

/** Returns what to show instead of the offline page, which came as a visitor's in place of this address. */
export const keptState = async (): Promise<KeptState | null> => {
  const { pathname, search } = location;
  const path = pathname === "/" ? "/home" : pathname;
  window.addEventListener("online", () => reloadIfReachable());
  const kept = await readKept(lastUsed(), path + search).catch(() => null);
  if (kept) keptSince.value = kept.savedAt;
  return kept ?? asMember(lastUsed()).catch(() => null);
};

/** Returns what was kept of the page, for use without a connection. */
export const keptPage = async (base: Base, url: URL): Promise<Omit<Shown, "page"> | null> => {
  const kept = await readKept(base.me?.id ?? null, url.pathname + url.search);
  if (!kept) return null;
  addPart(base.store, kept.snapshot);
  return { place: kept.place, data: kept.data, fault: null };
};
