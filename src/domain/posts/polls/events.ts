// Declares payloads of the jobs that follow from polls.

export type Voted = {
  pollId: string;
  statusId: string;
  accountId: string;
  choices: number[];
  /**
   * Key that differs for each vote, because voters may vote again after a poll was reset; absent in jobs of older
   * versions.
   */
  ballot?: string;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A local account voted in a remote poll; the votes are delivered to its server. */
    "poll.voted": Voted;
    /** The counts of a local poll changed some minutes ago; servers that have it get an Update. */
    "poll.counted": { statusId: string };
    /** A poll ended. */
    "poll.ended": { statusId: string };
  }
}
