// Stores polls of new and edited statuses in the same transaction, and the counts of remote polls.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import "./events.ts";
import { deletePoll, insertPolls, lockPoll, replacePoll, updatePoll } from "./queries.ts";
import type { PollOf } from "./queries.ts";
import { isSamePoll, isSameTime } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnds } from "./vote.ts";

export const addPolls = async (app: App, tx: Tx, polls: PollOf[]): Promise<void> => {
  if (polls.length === 0) return;
  await insertPolls(tx, polls);
  const now = app.clock.now();
  // Nobody has to be notified of a poll that has ended already.
  const open = polls.filter(({ poll }) => poll.expiresAt === null || poll.expiresAt > now);
  await planEnds(
    app,
    tx,
    open.map(({ statusId, poll }) => ({ status_id: statusId, expires_at: poll.expiresAt })),
  );
};

/**
 * Keeps votes when the options are the same; null removes the poll. A remote one starts with the counts of its server.
 */
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

/**
 * Stores the counts and the deadline that its server states now. A changed poll deletes no votes here, which takes an
 * edit.
 */
export const recountPoll = async (
  app: App,
  tx: Tx,
  statusId: string,
  fresh: NewPoll,
): Promise<void> => {
  const poll = await lockPoll(tx, { statusId });
  if (!poll || poll.local || !isSamePoll(poll, fresh)) return;
  if (!isSameTime(poll.expires_at, fresh.expiresAt)) {
    await replacePoll(tx, poll, fresh, true);
    await planEnds(app, tx, [{ status_id: statusId, expires_at: fresh.expiresAt }]);
  }
  await updatePoll(tx, poll, fresh);
};
