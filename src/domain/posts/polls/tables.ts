// Row types of the polls slice.

/** A poll as it is loaded with its status. */
export type PollRow = {
  id: string;
  options: string[];
  /** Votes for each option. */
  tallies: number[];
  multiple: boolean;
  hide_totals: boolean;
  /** Number of voters; null where the origin does not state it. */
  voters_count: number | null;
  /** ISO 8601; null where the poll does not end. */
  expires_at: string | null;
};

export type PollView = PollRow & {
  expired: boolean;
  /** The viewer's choices; null without a viewer. */
  ownVotes: number[] | null;
};

/** A poll ready to be stored. */
export type NewPoll = {
  options: string[];
  tallies: number[];
  multiple: boolean;
  hideTotals: boolean;
  votersCount: number | null;
  expiresAt: Date | null;
};
