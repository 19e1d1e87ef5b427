// Bookmarks, which only their owner sees, and pins, which are shown on the profile.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { KnownViewer } from "../../platform/viewer.ts";
import "./events.ts";
import { deleteMark, insertMark, lockPins } from "./queries-write.ts";
import { countPins } from "./queries.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { actTarget, afterAct, undoAct } from "./target.ts";
import { openToEverybody } from "./visibility.ts";

export const MAX_PINS = 5; // contract: limits.json, max_pinned_statuses

export const bookmark = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  await app.sql.begin(async (tx) => {
    if (!(await insertMark(tx, "bookmarks", viewer.id, view.id))) return;
    await app.jobs.add(tx, "status.bookmarked", { id: view.id });
  });
  return afterAct(app, viewer, view);
};

export const unbookmark = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, (view) => deleteMark(app.sql, "bookmarks", viewer.id, view.id));

const checkPin = (view: StatusView, accountId: string): void => {
  const fail = (text: string) => new Unprocessable(`Validation failed: ${text}`);
  if (view.reblog_of_id) throw fail("Reblogs cannot be pinned");
  if (view.account_id !== accountId) throw fail("Someone else's post cannot be pinned");
  if (!openToEverybody(view)) {
    throw fail("Only public and unlisted posts can be pinned");
  }
};

/** Pins one's own public or unlisted post; 422 for others, and over the limit. */
export const pin = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  const accountId = viewer.id;
  checkPin(view, accountId);
  await app.sql.begin(async (tx) => {
    await lockPins(tx, accountId);
    if (!(await insertMark(tx, "status_pins", accountId, view.id))) return;
    if ((await countPins(tx, accountId)) > MAX_PINS) {
      throw new Unprocessable(
        "Validation failed: You have already pinned the maximum number of posts",
      );
    }
    await app.jobs.add(tx, "status.pinned", { accountId, statusId: view.id });
  });
  return afterAct(app, viewer, view);
};

export const unpin = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, ({ id: statusId }) =>
    app.sql.begin(async (tx) => {
      const accountId = viewer.id;
      if (!(await deleteMark(tx, "status_pins", accountId, statusId))) return false;
      await app.jobs.add(tx, "status.unpinned", { accountId, statusId });
      return true;
    }),
  );
