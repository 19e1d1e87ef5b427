// What is told about polls.

export type Voted = { pollId: string; statusId: string; accountId: string; choices: number[] };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Somebody here voted: their vote travels to where the poll is. */
    "poll.voted": Voted;
    /** The figures of a poll of ours changed some time ago: those who have it hear of them. */
    "poll.counted": { statusId: string };
    /** The time of a poll is over. */
    "poll.ended": { statusId: string };
  }
}
