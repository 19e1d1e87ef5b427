// Poll rows → views: with the viewer's choices, and whether the poll has ended.

import type { Db } from "../../../platform/db/index.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { claimRefresh, selectChoices, selectLocalVoters, selectStatusOfPoll } from "./queries.ts";
import type { PollRow, PollView } from "./tables.ts";

/** Poll id → the viewer's choices. */
export type Choices = Map<string, number[]>;

/** One query, however many polls. */
export const loadChoices = async (
  db: Db,
  viewerId: string,
  pollIds: string[],
): Promise<Choices> => {
  const rows = await selectChoices(db, viewerId, pollIds);
  return new Map(rows.map(({ poll_id, choices }) => [poll_id, choices]));
};

export const pollView = (
  row: PollRow,
  choices: Choices | null,
  viewer: Viewer,
  now: Date,
): PollView => ({
  ...row,
  expired: row.expires_at !== null && new Date(row.expires_at) <= now,
  ownVotes: viewer.kind === "person" ? (choices?.get(row.id) ?? []) : null,
});

/** The id of the status that has the poll. */
export const findStatusOfPoll = (db: Db, pollId: string): Promise<string | null> =>
  selectStatusOfPoll(db, pollId);

/** The counts of a remote poll are fetched at most this often. */
const REFRESH_MS = 60_000;

/** True when the caller should fetch the counts of a remote poll now. */
export const takeRefresh = (db: Db, pollId: string, now: Date): Promise<boolean> =>
  claimRefresh(db, pollId, now, new Date(now.getTime() - REFRESH_MS));

/** Local accounts that voted. */
export const localVoters = (db: Db, pollId: string): Promise<string[]> =>
  selectLocalVoters(db, pollId);
