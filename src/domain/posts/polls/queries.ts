// All SQL of the polls slice. Polls are loaded with their statuses (statuses/queries.ts).

import { invalidate } from "../../../platform/db/commits.ts";
import { deleteSliceOf } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, valuesOf } from "../../../platform/db/rows.ts";
import type { NewPoll } from "./tables.ts";

export type PollOf = { statusId: string; poll: NewPoll };

export const insertPolls = async (db: Db, polls: PollOf[]): Promise<void> => {
  const rows = polls.map(({ statusId, poll }) => ({ statusId, ...poll }));
  await db`
    INSERT INTO polls
      (status_id, options, tallies, multiple, hide_totals, voters_count, expires_at)
    SELECT "statusId", options, tallies, multiple, "hideTotals", "votersCount", "expiresAt"
    FROM jsonb_to_recordset(${db.json(rows as never)}) AS p (
      "statusId" bigint, options text[], tallies bigint[], multiple boolean, "hideTotals" boolean,
      "votersCount" bigint, "expiresAt" timestamptz
    )
    ON CONFLICT (status_id) DO NOTHING
  `;
  invalidate(db, ...polls.map(({ statusId }) => `status:${statusId}` as const));
};

export type LockedPoll = {
  id: string;
  status_id: string;
  account_id: string;
  local: boolean;
  options: string[];
  tallies: string[];
  multiple: boolean;
  expires_at: Date | null;
};

/** Selects the poll with its author, and locks it until the transaction ends. */
export const lockPoll = (db: Db, by: { id: string } | { statusId: string }) =>
  firstRow(db<LockedPoll[]>`
    SELECT
      p.id, p.status_id, s.account_id, s.local, p.options, p.tallies, p.multiple, p.expires_at
    FROM polls p JOIN statuses s ON s.id = p.status_id
    WHERE ${"id" in by ? db`p.id = ${by.id}` : db`p.status_id = ${by.statusId}`}
    FOR UPDATE OF p
  `);

/** Selects the status that has the poll. */
export const selectStatusOfPoll = (db: Db, id: string): Promise<string | null> =>
  firstValue(db<{ status_id: string }[]>`SELECT status_id FROM polls WHERE id = ${id}`);

/** Selects the choices of a person in each of the polls, in order. */
export const selectChoices = (db: Db, accountId: string, pollIds: string[]) =>
  db<{ poll_id: string; choices: number[] }[]>`
    SELECT poll_id, array_agg(choice ORDER BY choice) AS choices
    FROM poll_votes
    WHERE account_id = ${accountId} AND poll_id = ANY(${pollIds}::bigint[])
    GROUP BY poll_id
  `;

type Ballot = { accountId: string; choices: number[]; uri: string | null; now: Date };

/** Returns the choices that were not there before. */
export const insertVotes = (db: Db, poll: LockedPoll, ballot: Ballot): Promise<number[]> =>
  valuesOf(db<{ choice: number }[]>`
    INSERT INTO poll_votes (poll_id, account_id, choice, uri, created_at)
    SELECT ${poll.id}::bigint, ${ballot.accountId}::bigint, choice, ${ballot.uri}, ${ballot.now}::timestamptz
    FROM unnest(${ballot.choices}::smallint[]) AS v (choice)
    ON CONFLICT (poll_id, account_id, choice) DO NOTHING
    RETURNING choice
  `);

/** Updates the counts, or the whole poll. */
export const updatePoll = async (
  db: Db,
  poll: LockedPoll,
  figures: { tallies: number[]; votersCount: number | null },
): Promise<void> => {
  invalidate(db, `status:${poll.status_id}`);
  await db`
    UPDATE polls
    SET tallies = ${figures.tallies}::bigint[], voters_count = ${figures.votersCount}
    WHERE id = ${poll.id}
  `;
};

/** Adds one voter and their votes to the counts. */
export const addToPoll = async (db: Db, poll: LockedPoll, choices: number[], voters: number) => {
  const tallies = poll.tallies.map(
    (count, index) => Number(count) + (choices.includes(index) ? 1 : 0),
  );
  invalidate(db, `status:${poll.status_id}`);
  await db`
    UPDATE polls
    SET tallies = ${tallies}::bigint[], voters_count = voters_count + ${voters}
    WHERE id = ${poll.id}
  `;
};

/** Replaces the poll by another; keeps votes where the options are the same. */
export const replacePoll = async (
  db: Db,
  poll: LockedPoll,
  next: NewPoll,
  areSameOptions: boolean,
): Promise<void> => {
  invalidate(db, `status:${poll.status_id}`);
  if (!areSameOptions) await db`DELETE FROM poll_votes WHERE poll_id = ${poll.id}`;
  await db`
    UPDATE polls
    SET
      options = ${next.options}, multiple = ${next.multiple}, hide_totals = ${next.hideTotals},
      expires_at = ${next.expiresAt}
      ${areSameOptions ? db`` : db`, tallies = ${next.tallies}::bigint[], voters_count = ${next.votersCount}`}
    WHERE id = ${poll.id}
  `;
};

export const deletePoll = async (db: Db, statusId: string): Promise<void> => {
  invalidate(db, `status:${statusId}`);
  await db`DELETE FROM polls WHERE status_id = ${statusId}`;
};

/** Returns true when the counts were not fetched since `before`; the caller fetches them now. */
export const claimRefresh = (db: Db, id: string, now: Date, before: Date) =>
  hasRows(db`
    UPDATE polls SET refreshed_at = ${now}
    WHERE id = ${id} AND (refreshed_at IS NULL OR refreshed_at < ${before})
      AND (expires_at IS NULL OR refreshed_at IS NULL OR refreshed_at < expires_at)
    RETURNING id
  `);

/** Selects local accounts that voted. */
export const selectLocalVoters = (db: Db, pollId: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT DISTINCT v.account_id AS id
    FROM poll_votes v JOIN accounts a ON a.id = v.account_id AND a.domain IS NULL
    WHERE v.poll_id = ${pollId}
  `);

/** Deletes a slice of an account's votes; the figures of the polls stay. Returns true when there may be more. */
export const deleteVotes = (db: Db, accountId: string): Promise<boolean> =>
  deleteSliceOf(db, "poll_votes", "account_id", accountId);
