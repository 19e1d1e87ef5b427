// Updates announcements as they are made, changed and removed while the window is open.

import type { Announcement } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { changeAnnouncement } from "../store/announcements.ts";
import { on } from "../window/live.ts";

/** Milliseconds to wait before loading again, since many may react at once. */
const WAIT_MS = 2000;

const reload = async (get: Get): Promise<void> => {
  const { body } = await get<Announcement[]>("/api/v1/announcements");
  for (const each of body) if (!each.read) changeAnnouncement(each.id, each);
};

export const followAnnouncements = (get: Get): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  on("announcement", (announcement) => changeAnnouncement(announcement.id, announcement));
  on("announcement.delete", (id) => changeAnnouncement(id, null));
  on("announcement.reaction", () => {
    clearTimeout(timer);
    timer = setTimeout(() => reload(get).catch(() => {}), WAIT_MS);
  });
};
