// The payloads of the jobs and events that follow from answers to events.

import type { Answer } from "./tables.ts";

/** `uri`: of the activity that said so. */
export type StoredAnswer = { answer: Answer; uri: string };

export type Answered = {
  statusId: string;
  accountId: string;
  /** null: taken back. */
  now: StoredAnswer | null;
  before: StoredAnswer | null;
};

export type Recounted = {
  accountIds: string[];
  /** Events up to this one are done. */
  after: string;
};

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** A local account answered an event of another server, or took its answer back: that server is told. */
    "event.answered": Answered;
  }
}

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** The counts of an event changed some seconds ago: whoever has it open sees them. */
    "event.counted": { statusId: string };
    /** Accounts that answered events are suspended, or back. */
    "event.recounted": Recounted;
  }
}
