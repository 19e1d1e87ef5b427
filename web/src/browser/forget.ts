// Frees memory in a window that stays open for days: it keeps the posts that it shows and those of pages one can go
// back to, and forgets others that streams brought.

import { answersIn } from "../store/thread.ts";
import type { ThreadData } from "../store/thread.ts";
import { waitingIn } from "../store/feed.ts";
import { forgetUnused } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { asPlain, feedsOf } from "./kept-page.ts";
import { keptPages } from "./navigation.ts";

/** Stored posts from which on unused ones are forgotten. */
export const MAX_STATUSES = 1000;
const LOOK_EVERY_MS = 30_000;

/** Returns the ids in the data of a page, with those that arrived since. */
const idsIn = (data: unknown): string[] => [
  ...(JSON.stringify(asPlain(data))?.match(/\d{6,}/g) ?? []),
  ...feedsOf(data).flatMap(waitingIn),
  ...(typeof data === "object" && data !== null ? answersIn(data as ThreadData) : []),
];

/** Returns the ids that the document shows, whatever they came from. */
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
