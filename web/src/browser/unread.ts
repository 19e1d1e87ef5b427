// Counts unread notifications as they come, shows the number in the title and on the app's icon, and marks them read,
// for every app, when their page was seen.

import { effect } from "@preact/signals";
import { markRead } from "../acts/notifications.ts";
import type { Doing } from "../acts/acts.ts";
import type { App } from "../app.ts";
import { loadUnread } from "../store/notifications.ts";
import type { NotificationsData } from "../store/notifications.ts";
import { notifications } from "../pages/notifications.tsx";
import { fresh } from "../store/fresh.ts";
import { countForGroups, countForStaff } from "../store/waiting.ts";
import { on } from "../window/live.ts";
import { shown } from "./shown.ts";

type Following = Doing & Pick<App, "get" | "me">;

const count = ({ store }: Following): void => {
  store.unread.value += 1;
  fresh.value += 1;
};

/** The last request that marks notifications as read. */
let marking: Promise<void> = Promise.resolve();

/** Counts again: another app may have read some, or the socket missed some. */
const recount = async (following: Following): Promise<void> => {
  await marking;
  const { unread } = following.store;
  const before = unread.peek();
  const count = await loadUnread(following.get);
  // The number changed while the answer was on its way.
  if (unread.peek() !== before) return recount(following);
  unread.value = count;
  fresh.value += Math.max(0, count - before);
};

const FIRST_WAIT_MS = 3000;
const WAITING_EVERY_MS = 300_000;

/** Counts what waits for the staff and in groups again from time to time, since no stream says it. */
const followWaiting = (following: Following): void => {
  const { groupsWaiting } = following.store;
  const recount = async (): Promise<void> => {
    if (document.hidden) return;
    await countForStaff(following);
    if (groupsWaiting.peek() !== null) await countForGroups(following);
  };
  const again = (): void => void recount().catch(ignore);
  setInterval(again, WAITING_EVERY_MS);
  document.addEventListener("visibilitychange", again);
  // A group was made there, or something decided, since the page was last drawn.
  effect(() => {
    if (shown.value?.place.path.startsWith("/groups")) void countForGroups(following).catch(ignore);
  });
};

const ignore = (): void => {};

const follow = (following: Following): void => {
  on("notification", () => count(following));
  on("notifications_merged", () => count(following));
  // This also counts once at the start, after what the first view needs, since some may have come after the page was
  // drawn.
  let wait = FIRST_WAIT_MS;
  on("open", () => {
    setTimeout(() => void recount(following).catch(ignore), wait);
    wait = 0;
  });
};

/** Returns the newest notification of all kinds that the window shows; null if it shows something else. */
const newestShown = (): string | null => {
  const { page, data, fault } = shown.value ?? {};
  // Waiting notifications are not seen; when they are shown, the data changes.
  const isWaiting = fresh.value > 0;
  if (page !== notifications || fault || isWaiting) return null;
  const { groups, kind } = data as NotificationsData;
  const newest = kind === null ? groups[0]?.most_recent_notification_id : undefined;
  return newest === undefined ? null : String(newest);
};

const readWhatIsSeen = (following: Following): void => {
  const look = (): void => {
    const newest = newestShown();
    if (newest === null || document.hidden || following.store.unread.peek() === 0) return;
    marking = markRead(following, "read", newest).catch(ignore);
  };
  effect(look);
  document.addEventListener("visibilitychange", look);
};

const showOnIcon = ({ store }: Following): void => {
  if (!("setAppBadge" in navigator)) return;
  effect(() => {
    const unread = store.unread.value;
    const done = unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge();
    done.catch(ignore);
  });
};

export const followUnread = (following: Following): void => {
  follow(following);
  readWhatIsSeen(following);
  showOnIcon(following);
  followWaiting(following);
};
