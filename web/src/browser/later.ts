// Loads what is not needed for the first view, after it.

import { effect } from "@preact/signals";
import type { App } from "../app.ts";
import { listWaiting } from "../compose/browser-drafts.ts";
import { OFFLINE_PATH } from "../worker/names.ts";
import { isConnected } from "../window/live.ts";
import { refresh } from "./navigation.ts";
import { reloadIfReachable } from "./reachable.ts";
import { shown } from "./shown.ts";
import type { KeptState } from "./offline-cache.ts";
import { loadAhead, withTexts } from "../texts/texts.ts";

type Base = Omit<App, "place">;

const WAIT_MS = 2000;
const SEND_AGAIN_MS = 60_000;

const whenIdle = (work: () => void): void => {
  const wait = () => setTimeout(work, WAIT_MS);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
};

/**
 * Reloads the page when a file of its version no longer exists on the server. Who wanted the file says what failed: the
 * server may be out of reach, where nothing would be left of the page.
 */
const reloadWhereOutdated = (): void =>
  window.addEventListener("vite:preloadError", () => reloadIfReachable());

/** Sends waiting posts: at the start, whenever the connection returns, and regularly. */
const sendWhatWaits = (base: Base): void => {
  const { me } = base;
  if (!me) return;
  const send = async () => {
    if (listWaiting(localStorage, me.id).length === 0) return;
    const place = { path: location.pathname, params: {}, query: {} };
    const { sendWaiting } = await withTexts(import("../compose/waiting.ts"));
    await sendWaiting({ ...base, place });
  };
  effect(() => {
    if (isConnected.value) send().catch(() => {});
  });
  setInterval(() => void send().catch(() => {}), SEND_AGAIN_MS);
};

const LOOK_EVERY_MS = 10_000;

/** Loads a page again that says that the server could not be reached. */
const loadWhenReachable = (): void => {
  const { fault, place } = shown.peek()!;
  if (document.hidden) return;
  if (fault && (fault.status === 0 || fault.status > 500)) return reloadIfReachable(refresh);
  const isInstead = place.path === OFFLINE_PATH && location.pathname !== OFFLINE_PATH;
  if (isInstead) reloadIfReachable();
};

/** `isTold` says whether the server said who is signed in. */
export const startLater = (base: Base, isTold: boolean): void => {
  reloadWhereOutdated();
  const start = async () => (await import("./offline.ts")).startOffline(base, isTold);
  whenIdle(() => {
    setInterval(loadWhenReachable, LOOK_EVERY_MS);
    start().catch(() => {});
    loadAhead().catch(() => {});
    sendWhatWaits(base);
  });
};

/** Returns what was kept of the address, if the offline page was shown in its place. */
export const keptInstead = async (drawnPath: string): Promise<KeptState | null> => {
  if (drawnPath !== OFFLINE_PATH || location.pathname === OFFLINE_PATH) return null;
  return (await import("./offline.ts")).keptState();
};
