// Loads a page that could not be reached again as soon as the server answers.

import { OFFLINE_PATH } from "../worker/names.ts";
import { refresh } from "./navigation.ts";
import { shown } from "./shown.ts";

/** A browser is online as soon as it has any network, also one without a way to the server. */
const whereReachable = (act: () => unknown): void => {
  const looking = fetch(location.href, { method: "HEAD", cache: "no-store" });
  looking.then(({ status }) => status < 500 && act()).catch(() => {});
};

export const reloadIfReachable = (): void => whereReachable(() => location.reload());

const LOOK_EVERY_MS = 10_000;

const look = (): void => {
  const { fault, place } = shown.peek()!;
  if (document.hidden) return;
  if (fault && (fault.status === 0 || fault.status > 500)) return whereReachable(() => refresh());
  if (place.path === OFFLINE_PATH && location.pathname !== OFFLINE_PATH) reloadIfReachable();
};

/** Looks now and then while the page says that the server could not be reached. */
export const loadWhenReachable = (): void => void setInterval(look, LOOK_EVERY_MS);
