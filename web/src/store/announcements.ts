// Announcements that changed since the page was loaded, by their ids; null for removed and dismissed ones.

import { signal } from "@preact/signals";
import type { Announcement } from "../api/entities.ts";

export const announcements = signal<ReadonlyMap<string, Announcement | null>>(new Map());

/** Ids of those dismissed here: an answer that was on its way meanwhile must not show them again. */
const dismissed = new Set<string>();

export const changeAnnouncement = (id: string, to: Announcement | null): void => {
  if (dismissed.has(id)) return;
  announcements.value = new Map(announcements.peek()).set(id, to);
};

/** Hides an announcement for good, and returns a function that shows it again. */
export const dismissAnnouncement = (id: string): (() => void) => {
  const before = announcements.peek().get(id);
  changeAnnouncement(id, null);
  dismissed.add(id);
  return () => {
    dismissed.delete(id);
    const now = new Map(announcements.peek());
    if (before === undefined) now.delete(id);
    else now.set(id, before);
    announcements.value = now;
  };
};

/** Returns the announcements to show now: those that were loaded, as they have changed, and newer ones. */
export const currentOf = (loaded: readonly Announcement[]): Announcement[] => {
  const changed = announcements.value;
  const known = new Map<string, Announcement | null>(loaded.map((each) => [each.id, each]));
  return [...new Map([...known, ...changed]).values()].filter((each) => each !== null);
};
