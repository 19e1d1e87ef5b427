// Keeps drafts in the browser, for each account apart: the newest few, so that they never fill its storage.

import { signal } from "@preact/signals";
import { draftName, isEmpty } from "./draft.ts";
import type { Draft, Purpose } from "./draft.ts";

const MAX_DRAFTS = 30;
const MAX_CHARACTERS = 400_000;

type Kept = { name: string; at: number; draft: Draft };
type Place = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Grows whenever this window writes a draft. */
export const revision = signal(0);

const keyOf = (accountId: string): string => `rookery:drafts:${accountId}`;

const isKept = (each: unknown): each is Kept => {
  const { name, draft } = (each ?? {}) as Partial<Kept>;
  return typeof name === "string" && Array.isArray(draft?.parts) && draft.parts.length > 0;
};

const read = (place: Place, accountId: string): Kept[] => {
  try {
    const all: unknown = JSON.parse(place.getItem(keyOf(accountId)) ?? "[]");
    return Array.isArray(all) ? all.filter(isKept) : [];
  } catch {
    return [];
  }
};

/** Returns the drafts within the limits, newest first; the newest one and those to be sent are always kept. */
const bounded = (all: Kept[]): Kept[] => {
  let characters = 0;
  return all
    .toSorted((a, b) => b.at - a.at)
    .filter((each, index) => {
      characters += JSON.stringify(each).length;
      const fits = index < MAX_DRAFTS && characters <= MAX_CHARACTERS;
      return index === 0 || fits || each.draft.isWaiting;
    });
};

const write = (place: Place, accountId: string, all: Kept[]): void => {
  try {
    if (all.length === 0) place.removeItem(keyOf(accountId));
    else place.setItem(keyOf(accountId), JSON.stringify(all));
    revision.value += 1;
  } catch {
    // The storage is full or forbidden: the newest is kept with those to be sent, or alone, or none.
    const few = all.filter(({ draft }, index) => index === 0 || draft.isWaiting);
    if (all.length > 1) write(place, accountId, few.length < all.length ? few : all.slice(0, 1));
  }
};

/** Whether a draft was kept for this purpose. */
export const hasDraft = (place: Place, accountId: string, purpose: Purpose): boolean =>
  read(place, accountId).some(({ name }) => name === draftName(purpose));

/** Lists the drafts that are sent as soon as the server can be reached, in the order in which they were written. */
export const listWaiting = (place: Place, accountId: string): Draft[] =>
  read(place, accountId)
    .toSorted((a, b) => a.at - b.at)
    .map(({ draft }) => draft)
    .filter(({ isWaiting }) => isWaiting);

export type Drafts = {
  find(purpose: Purpose): Draft | null;
  /** Keeps a draft; an empty one is deleted. */
  keep(draft: Draft): void;
  forget(purpose: Purpose): void;
  /** Lists drafts, newest first. */
  list(): Draft[];
  /** Lists drafts with the milliseconds of their last change. */
  listKept(): { at: number; draft: Draft }[];
};

/** `now` returns milliseconds. */
export const openDrafts = (
  place: Place,
  accountId: string,
  now: () => number = Date.now,
): Drafts => {
  const others = (purpose: Purpose): Kept[] =>
    read(place, accountId).filter(({ name }) => name !== draftName(purpose));
  const forget = (purpose: Purpose): void => write(place, accountId, others(purpose));
  return {
    forget,
    find: (purpose) =>
      read(place, accountId).find(({ name }) => name === draftName(purpose))?.draft ?? null,
    keep(draft) {
      if (isEmpty(draft)) return forget(draft.purpose);
      const kept = { name: draftName(draft.purpose), at: now(), draft };
      write(place, accountId, bounded([kept, ...others(draft.purpose)]));
    },
    list: () => bounded(read(place, accountId)).map(({ draft }) => draft),
    listKept: () => bounded(read(place, accountId)),
  };
};
