// When a person was last here: what NodeInfo and the activity of the server count.

import type { App } from "../../platform/app.ts";
import { touchActive } from "./queries-activity.ts";

/** One write an hour for each person is exact enough for figures of 30 days. */
const TOUCH_SECONDS = 3600;

const touch = async (app: App, userId: string): Promise<void> => {
  if (!(await app.kv.add(`active:${userId}`, "1", TOUCH_SECONDS))) return;
  await touchActive(app.sql, userId, app.clock.now());
};

/** Noted not long ago: what a token stands for is kept for a minute (oauth/credential-cache.ts). */
const noted = new WeakSet<object>();

/** Notes that the person is here; the request does not wait, and a fault is only logged. */
export const noteActive = (app: App, viewer: { userId: string }): void => {
  if (noted.has(viewer)) return;
  noted.add(viewer);
  const { userId } = viewer;
  touch(app, userId).catch((error: unknown) => {
    app.log.warn({ err: error }, "the last activity of a person was not noted");
  });
};
