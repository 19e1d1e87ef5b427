// Declares the events and jobs of the statuses slice, with their payloads.

import type { RemovedStatus } from "./removed.ts";

export type Favourited = {
  accountId: string;
  statusId: string;
  uri?: string | null;
  /** Emoji of the favourite: a character or `:name:`. */
  reaction?: string;
};
export type Pinned = { accountId: string; statusId: string };

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** A local post, a remote note, or a reblog was created. */
    "status.created": { id: string };
    /** An older post of another server was stored, without notifications. */
    "status.backfilled": { id: string };
    /** A local reply or boost waits for the approval of its target's author. */
    "status.awaiting": { id: string };
    "status.removed": RemovedStatus;
    "status.favourited": Favourited;
    "status.unfavourited": Favourited;
  }
}

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.edited": { id: string };
    /** The author of the target approved a local reply or boost. */
    "status.approved": { id: string };
    /** Somebody here opened the thread of a remote post. */
    "thread.wanted": { statusId: string };
    "status.bookmarked": { id: string };
    "status.scheduled": { id: string };
    /** Delete posts that end. */
    "statuses.expire": Record<string, never>;
    /** At its time a scheduled post was refused for good. */
    "scheduled.refused": { id: string };
    "status.pinned": Pinned;
    "status.unpinned": Pinned;
  }
}

export type QuoteEnded = {
  /** Id of the quoting status. */
  statusId: string;
  /** URI of the author's authorization, if there was one. */
  approvalUri: string | null;
  quotedAccountId: string | null;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A local status quotes a remote one, whose author has to approve it. */
    "quote.requested": { statusId: string };
    /** A remote status quotes another, whose authorization has to be checked. */
    "quote.check": QuoteCheck;
    /** A quote was accepted. */
    "quote.accepted": { statusId: string };
    /** A quote was rejected or revoked. */
    "quote.ended": QuoteEnded;
    /** The policy for quotes or replies of a local status changed, or the time at which it ends. */
    "quote.policy_changed": { statusId: string };
  }
}

/** `depth` counts the quotes that were followed from the received status to this one. */
export type QuoteCheck = { statusId: string; depth: number };
