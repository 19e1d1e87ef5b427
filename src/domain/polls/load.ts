// Poll rows → views: what the viewer chose, and whether the time is over.

import type { Db } from "../../platform/db/index.ts";
import type { Viewer } from "../../platform/viewer.ts";
import {
  claimRefresh,
  selectChoices,
  selectLocalVoters,
  selectStatusOfPoll,
  selectVoterInboxes,
} from "./queries.ts";
import type { PollRow, PollView } from "./tables.ts";

/** Poll id → what the viewer chose. */
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

/** Figures of a poll elsewhere are asked for at most this often. */
const REFRESH_MS = 60_000;

/** True when it is the caller's turn to ask for the figures of a poll elsewhere. */
export const takeRefresh = (db: Db, pollId: string, now: Date): Promise<boolean> =>
  claimRefresh(db, pollId, now, new Date(now.getTime() - REFRESH_MS));

/** People here who voted. */
export const localVoters = (db: Db, pollId: string): Promise<string[]> =>
  selectLocalVoters(db, pollId);

/** Where people elsewhere who voted take their mail. */
export const voterInboxes = (db: Db, pollId: string): Promise<string[]> =>
  selectVoterInboxes(db, pollId);
