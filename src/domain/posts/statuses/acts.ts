// Implements acts on posts other than favourites and boosts: bookmarks, which only their owner sees, pins, which are
// shown on the profile, muted conversations, votes. Also implements what every act begins and ends with: an act on a
// boost applies to the boosted post.

import type { App } from "../../../platform/app.ts";
import {
  BadRequest,
  Forbidden,
  NotFound,
  Unprocessable,
  orNotFound,
} from "../../../platform/errors.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import type { KnownViewer, Viewer } from "../../../platform/viewer.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { tellOwn } from "../../people/accounts/own-stream.ts";
import { addFilterStatus, getFilter } from "../filters/write.ts";
import { findStatusOfPoll } from "../polls/load.ts";
import { castVote } from "../polls/vote.ts";
import "./events.ts";
import { getVisible, loadStatuses } from "./load.ts";
import { statusJson } from "./present-bytes.ts";
import {
  countPins,
  deleteConversationMute,
  deleteMark,
  insertConversationMute,
  insertMark,
} from "./queries-acts.ts";
import { asStillSeen, canSee } from "./rules.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { openTo } from "./visibility.ts";

/** Throws NotFound for a status that the viewer may not see. */
export const actTarget = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, viewer);
  return view.reblog ?? view;
};

/** Returns one's own status; throws Forbidden for another's that can be seen. */
export const ownTarget = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, viewer);
  if (view.account_id !== viewer.id || view.reblog) throw new Forbidden();
  return view;
};

/** Shows the act in the person's other windows: the event has the status with their marks, as the response does. */
export const tellAct = async (
  app: App,
  viewer: KnownViewer,
  view: SeenStatus,
): Promise<SeenStatus> => {
  if (viewer.kind === "person")
    await tellOwn(app, viewer.id, "status.acted", () =>
      statusJson(view, app.config.site).toString(),
    );
  return view;
};

/** Returns the viewer's view after the act, or the one before where the act hid the status from them. */
export const afterAct = async (
  app: App,
  viewer: KnownViewer,
  before: StatusView,
): Promise<SeenStatus> => {
  const [view = before] = await loadStatuses(app, [before.id], viewer);
  return tellAct(app, viewer, asStillSeen(view));
};

/**
 * Takes back what the viewer did to a status, also to one that is now hidden from them: after a block the favourite can
 * still be removed. `undo` says whether there was anything; otherwise viewers who may not see it get NotFound.
 */
export const undoAct = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  undo: (view: StatusView) => Promise<boolean>,
  after: (view: StatusView) => SeenStatus | Promise<SeenStatus> = (view) =>
    afterAct(app, viewer, view),
): Promise<SeenStatus> => {
  const [target] = await loadStatuses(app, [id], viewer);
  if (!target) throw new NotFound();
  const view = target.reblog ?? target;
  if (!(await undo(view)) && !canSee(target)) throw new NotFound();
  return after(view);
};

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
  if (!openTo("here", view)) {
    throw fail("Only public and unlisted posts can be pinned");
  }
};

/** Pins one's own public or unlisted post; throws 422 for others, and over the limit. */
export const pin = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  const accountId = viewer.id;
  checkPin(view, accountId);
  await app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
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

const conversationOf = (view: StatusView): string => {
  if (view.conversation_id === null) {
    throw new Unprocessable("Validation failed: This post is not part of a conversation");
  }
  return view.conversation_id;
};

export const muteThread = async (
  app: App,
  viewer: KnownViewer,
  id: string,
): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  await insertConversationMute(app.sql, viewer.id, conversationOf(view));
  invalidate(app.sql, `muted-conversations:${viewer.id}`);
  return afterAct(app, viewer, view);
};

export const unmuteThread = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, async ({ conversation_id: conversationId }) => {
    if (conversationId === null) return false;
    const wasMuted = await deleteConversationMute(app.sql, viewer.id, conversationId);
    if (wasMuted) invalidate(app.sql, `muted-conversations:${viewer.id}`);
    return wasMuted;
  });

/** Returns the post that has the poll; throws NotFound for one that the viewer may not see. */
export const getPolled = async (app: App, viewer: Viewer, pollId: string): Promise<SeenStatus> => {
  const id = orNotFound(await findStatusOfPoll(app.sql, pollId));
  return getVisible(app, id, viewer);
};

/** `uri` is that of a remote vote, which is for one choice. Throws Unprocessable where the vote does not count. */
export const vote = async (
  app: App,
  viewer: KnownViewer,
  pollId: string,
  choices: number[],
  uri: string | null = null,
): Promise<SeenStatus> => {
  const view = await getPolled(app, viewer, pollId);
  if (choices.length === 0) {
    throw new BadRequest("param is missing or the value is empty: choices");
  }
  await castVote(app, { pollId, accountId: viewer.id, choices, uri });
  return afterAct(app, viewer, view);
};

/** Adds a post that the person may see to a filter of theirs. */
export const filterStatus = async (
  app: App,
  viewer: KnownViewer,
  filterId: string,
  id: string,
): Promise<{ id: string; status_id: string }> => {
  const filter = await getFilter(app, viewer.id, filterId);
  const view = await getVisible(app, id, viewer);
  return { id: await addFilterStatus(app, viewer.id, filter, view.id), status_id: view.id };
};
