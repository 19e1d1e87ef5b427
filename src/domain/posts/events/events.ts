// Declares payloads of the jobs and events that follow from answers to calendar events.

import type { Answer } from "./tables.ts";

/** `uri` is that of the activity with the answer. */
export type StoredAnswer = { answer: Answer; uri: string };

export type Answered = {
  statusId: string;
  accountId: string;
  /** Null where the answer was taken back. */
  now: StoredAnswer | null;
  before: StoredAnswer | null;
};

export type Recounted = {
  accountIds: string[];
  /** Events up to this id are done. */
  after: string;
};

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** A local account answered an event of another server, or took its answer back; that server is notified. */
    "event.answered": Answered;
  }
}

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** The counts of an event changed some seconds ago; streams get them. */
    "event.counted": { statusId: string };
    /** Accounts that answered events were suspended, or restored. */
    "event.recounted": Recounted;
  }
}
