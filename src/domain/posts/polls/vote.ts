// Stores votes of local and remote accounts in one transaction with the counts and what follows.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Unprocessable, orNotFound } from "../../../platform/errors.ts";
import "./events.ts";
import { addToPoll, insertVotes, lockPoll, selectChoices } from "./queries.ts";
import type { LockedPoll } from "./queries.ts";
import { checkChoices } from "./rules.ts";

export { deleteVotes as deleteVotesOf } from "./queries.ts";

export type Vote = {
  pollId: string;
  accountId: string;
  choices: number[];
  /** URI of a remote account's vote. */
  uri: string | null;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

/** Milliseconds between two deliveries of the counts, however many people vote. */
const COUNTED_MS = 3 * 60_000;

const isOver = (poll: LockedPoll, now: Date): boolean =>
  poll.expires_at !== null && poll.expires_at <= now;

const check = (poll: LockedPoll, vote: Vote, now: Date): number[] => {
  if (isOver(poll, now)) throw invalid("The poll has already ended");
  if (poll.account_id === vote.accountId) throw invalid("You cannot vote in your own polls");
  return checkChoices(vote.choices, poll);
};

type Ending = Pick<LockedPoll, "status_id" | "expires_at">;

/** Enqueues a job at the end of each poll; its key prevents doubles. */
export const planEnds = (app: App, db: Db, polls: Ending[]): Promise<void> =>
  app.jobs.addMany(
    db,
    "poll.ended",
    polls.flatMap(({ status_id: statusId, expires_at: runAt }) =>
      runAt === null ? [] : [{ payload: { statusId }, runAt, key: `poll.ended:${statusId}` }],
    ),
  );

const enqueueJobs = async (app: App, tx: Tx, poll: LockedPoll, vote: Vote): Promise<void> => {
  const { status_id: statusId } = poll;
  if (!poll.local) {
    await planEnds(app, tx, [poll]);
    const { pollId, accountId, choices } = vote;
    const ballot = randomUUID();
    return app.jobs.add(tx, "poll.voted", { pollId, statusId, accountId, choices, ballot });
  }
  const slot = Math.ceil(app.clock.now().getTime() / COUNTED_MS) * COUNTED_MS;
  const options = { runAt: new Date(slot), key: `poll.counted:${statusId}` };
  await app.jobs.add(tx, "poll.counted", { statusId }, options);
};

/** Returns whether the vote has all choices at once, as those of local accounts do. */
const isWhole = (vote: Vote): boolean => vote.uri === null;

/**
 * Stores the votes of one account. Throws 422 when the poll has ended, is their own, or they have voted already. Remote
 * choices arrive one at a time, and several make up one ballot.
 */
export const castVote = async (app: App, vote: Vote): Promise<void> => {
  const now = app.clock.now();
  await app.sql.begin(async (tx) => {
    const poll = orNotFound(await lockPoll(tx, { id: vote.pollId }));
    const choices = check(poll, vote, now);
    const [before] = await selectChoices(tx, vote.accountId, [poll.id]);
    if (before && (isWhole(vote) || !poll.multiple)) {
      throw invalid("You have already voted on this poll");
    }
    const fresh = await insertVotes(tx, poll, { ...vote, choices, now });
    if (fresh.length === 0) return;
    await addToPoll(tx, poll, fresh, before ? 0 : 1);
    await enqueueJobs(app, tx, poll, { ...vote, choices: fresh });
  });
};
