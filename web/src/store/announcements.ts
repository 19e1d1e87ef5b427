// Announcements that changed since the page was loaded, by their ids; null for removed ones.

import { signal } from "@preact/signals";
import type { Announcement } from "../api/entities.ts";

export const announcements = signal<ReadonlyMap<string, Announcement | null>>(new Map());

export const changeAnnouncement = (id: string, to: Announcement | null): void => {
  announcements.value = new Map(announcements.peek()).set(id, to);
};
