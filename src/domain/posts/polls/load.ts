// Loads the viewer's choices for poll views, and decides whether polls have ended.

import type { Db } from "../../../platform/db/index.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { claimRefresh, selectChoices } from "./queries.ts";
import type { PollRow, PollView } from "./tables.ts";

export {
  selectLocalVoters as localVoters,
  selectStatusOfPoll as findStatusOfPoll,
} from "./queries.ts";

/** Maps poll ids to the viewer's choices. */
export type Choices = Map<string, number[]>;

/** Takes one query for any number of polls. */
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

/** Milliseconds between two fetches of the counts of a remote poll. */
const REFRESH_MS = 60_000;

/** Returns true when the caller should fetch the counts of a remote poll now. */
export const takeRefresh = (db: Db, pollId: string, now: Date): Promise<boolean> =>
  claimRefresh(db, pollId, now, new Date(now.getTime() - REFRESH_MS));
