// Moves follows after somebody moved to another account: local followers of the old one follow the new one, with the
// same options.

import type { App } from "../../../platform/app.ts";
import { isRefusal } from "../../../platform/errors.ts";
import { follow } from "./follow.ts";
import { selectMovingFollowers } from "./queries.ts";
import type { MovingFollower } from "./queries.ts";
import { unfollow } from "./unfollow.ts";

const SLICE = 50;

export type Moving = { fromId: string; toId: string; after: string };

type Listed = (ownerId: string) => Promise<void>;

/** A follower who may not follow the new account (a block, a limit) stays with the old one. */
const moveOne = async (app: App, follower: MovingFollower, moving: Moving, list: Listed) => {
  const { account_id: accountId, notify, languages } = follower;
  if (accountId === moving.toId) return unfollow(app, { accountId, targetId: moving.fromId });
  try {
    const { show_reblogs: reblogs, show_replies: replies, daily_limit: dailyLimit } = follower;
    const options = { reblogs, replies, dailyLimit, notify, languages };
    await follow(app, { accountId, targetId: moving.toId, options });
  } catch (error) {
    if (isRefusal(error)) return;
    throw error;
  }
  await list(accountId);
  await unfollow(app, { accountId, targetId: moving.fromId });
};

/**
 * Enqueues a Follow for a slice of the local people who follow the account or requested it; returns where the next
 * slice begins, or null.
 */
export const sendFollowsAgain = async (
  app: App,
  targetId: string,
  after: string,
): Promise<string | null> => {
  const slice = await selectMovingFollowers(app.sql, targetId, after, SLICE);
  await app.jobs.addMany(
    app.sql,
    "account.follow_requested",
    slice.map(({ account_id: accountId }) => ({ payload: { accountId, targetId } })),
  );
  return slice.length < SLICE ? null : slice.at(-1)!.id;
};

/** Moves a slice of the followers; returns where the next one begins, or null. `list` also moves their lists. */
export const moveFollows = async (
  app: App,
  moving: Moving,
  list: Listed,
): Promise<string | null> => {
  const slice = await selectMovingFollowers(app.sql, moving.fromId, moving.after, SLICE);
  for (const follower of slice) await moveOne(app, follower, moving, list);
  return slice.length < SLICE ? null : slice.at(-1)!.id;
};
