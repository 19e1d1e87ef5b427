// A window that stays open for days keeps what it shows and what one can go back to, and forgets the other posts that
// streams brought.

import { answersIn } from "../store/thread.ts";
import type { ThreadData } from "../store/thread.ts";
import { waitingIn } from "../store/feed.ts";
import { forgetUnused } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { asPlain, feedsOf } from "./kept-page.ts";
import { keptPages } from "./navigation.ts";

/** From so many posts on it is looked which of them are used. */
export const MAX_STATUSES = 1000;
const LOOK_EVERY_MS = 30_000;

/** The ids in the data of a page, with those that came since. */
const idsIn = (data: unknown): string[] => [
  ...(JSON.stringify(asPlain(data))?.match(/\d{6,}/g) ?? []),
  ...feedsOf(data).flatMap(waitingIn),
  ...(typeof data === "object" && data !== null ? answersIn(data as ThreadData) : []),
];

/** Of what the document shows, wherever it has it from. */
const idsShown = (): string[] =>
  [...document.querySelectorAll<HTMLElement>("[data-status], [data-id], [data-entry]")].flatMap(
    ({ dataset }) =>
      [dataset["status"], dataset["id"], dataset["entry"]].filter((id) => id !== undefined),
  );

const forgetOld = (store: Store): void => {
  if (store.statuses.size <= MAX_STATUSES) return;
  forgetUnused(store, new Set([...keptPages().flatMap(idsIn), ...idsShown()]));
};

export const followSize = (store: Store): void =>
  void setInterval(() => forgetOld(store), LOOK_EVERY_MS);
