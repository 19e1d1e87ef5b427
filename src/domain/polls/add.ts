// Polls of new and edited statuses, in the same transaction; and the counts of remote polls.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import "./events.ts";
import { deletePoll, insertPolls, lockPoll, replacePoll, updatePoll } from "./queries.ts";
import type { PollOf } from "./queries.ts";
import { isSamePoll } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnds } from "./vote.ts";

export const addPolls = async (app: App, tx: Tx, polls: PollOf[]): Promise<void> => {
  if (polls.length === 0) return;
  await insertPolls(tx, polls);
  const now = app.clock.now();
  // Of one that has ended already nobody has to be notified.
  const open = polls.filter(({ poll }) => poll.expiresAt === null || poll.expiresAt > now);
  await planEnds(
    app,
    tx,
    open.map(({ statusId, poll }) => ({ status_id: statusId, expires_at: poll.expiresAt })),
  );
};

/** Votes stay when the options are the same; null removes the poll. */
export const changePoll = async (
  app: App,
  tx: Tx,
  statusId: string,
  poll: NewPoll | null,
): Promise<void> => {
  if (poll === null) return deletePoll(tx, statusId);
  const before = await lockPoll(tx, { statusId });
  if (!before) return addPolls(app, tx, [{ statusId, poll }]);
  await replacePoll(tx, before, poll, isSamePoll(before, poll));
  await planEnds(app, tx, [{ status_id: statusId, expires_at: poll.expiresAt }]);
};

const isSameTime = (one: Date | null, other: Date | null): boolean =>
  one?.getTime() === other?.getTime();

/** A poll with other options starts again, without votes. */
export const recountPoll = async (app: App, statusId: string, fresh: NewPoll): Promise<void> =>
  app.sql.begin(async (tx) => {
    const poll = await lockPoll(tx, { statusId });
    if (!poll || poll.local) return;
    const same = isSamePoll(poll, fresh);
    if (!same || !isSameTime(poll.expires_at, fresh.expiresAt)) {
      await replacePoll(tx, poll, fresh, same);
      await planEnds(app, tx, [{ status_id: statusId, expires_at: fresh.expiresAt }]);
    }
    if (same) await updatePoll(tx, poll, fresh);
  });
