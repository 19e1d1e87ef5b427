// A poll of a status that is made or edited, within its transaction.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import "./events.ts";
import { deletePoll, insertPoll, lockPoll, replacePoll } from "./queries.ts";
import { isSamePoll } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnd } from "./vote.ts";

export const addPoll = async (app: App, tx: Tx, statusId: string, poll: NewPoll): Promise<void> => {
  await insertPoll(tx, statusId, poll);
  await planEnd(app, tx, { status_id: statusId, expires_at: poll.expiresAt });
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
  if (!before) return addPoll(app, tx, statusId, poll);
  await replacePoll(tx, before, poll, isSamePoll(before, poll));
  await planEnd(app, tx, { status_id: statusId, expires_at: poll.expiresAt });
};
