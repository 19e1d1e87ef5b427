// Polls of statuses that are made or edited, within their transaction.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import "./events.ts";
import { deletePoll, insertPolls, lockPoll, replacePoll } from "./queries.ts";
import type { PollOf } from "./queries.ts";
import { isSamePoll } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnds } from "./vote.ts";

export const addPolls = async (app: App, tx: Tx, polls: PollOf[]): Promise<void> => {
  if (polls.length === 0) return;
  await insertPolls(tx, polls);
  await planEnds(
    app,
    tx,
    polls.map(({ statusId, poll }) => ({ status_id: statusId, expires_at: poll.expiresAt })),
  );
};

/** Votes stay when the options do; null takes the poll away. */
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
