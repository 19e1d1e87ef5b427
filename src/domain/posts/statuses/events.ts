// The events and jobs of the statuses slice, with their payloads.

import type { RemovedStatus } from "./removed.ts";

export type Favourited = {
  accountId: string;
  statusId: string;
  uri?: string | null;
  /** With an emoji: a character or `:name:`. */
  reaction?: string;
};
export type Pinned = { accountId: string; statusId: string };

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** A local post, a remote note, or a reblog. */
    "status.created": { id: string };
    /** An older post of another server was stored, of which nobody is notified. */
    "status.backfilled": { id: string };
    /** The author of what a local one answers or boosts has to approve it first. */
    "status.awaiting": { id: string };
    "status.removed": RemovedStatus;
    "status.favourited": Favourited;
    "status.unfavourited": Favourited;
  }
}

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.edited": { id: string };
    /** The author of what it answers allowed that. */
    "status.approved": { id: string };
    /** Somebody here opened the thread of a remote post. */
    "thread.wanted": { statusId: string };
    "status.bookmarked": { id: string };
    "status.scheduled": { id: string };
    /** Posts that end are looked for. */
    "statuses.expire": Record<string, never>;
    /** At its time a scheduled post was refused for good. */
    "scheduled.refused": { id: string };
    "status.pinned": Pinned;
    "status.unpinned": Pinned;
  }
}

export type QuoteEnded = {
  /** The status that quotes. */
  statusId: string;
  /** The author's authorization, if there was one. */
  approvalUri: string | null;
  quotedAccountId: string | null;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A local status quotes a remote one, whose author has to approve it. */
    "quote.requested": { statusId: string };
    /** A remote status quotes: whether that is authorized has to be checked. */
    "quote.check": QuoteCheck;
    /** A quote is shown from now on. */
    "quote.accepted": { statusId: string };
    /** A quote was rejected or revoked. */
    "quote.ended": QuoteEnded;
    /** Who may quote or answer a local status changed, or when it ends. */
    "quote.policy_changed": { statusId: string };
  }
}

/** `depth`: how many quotes were followed from the received status to this one. */
export type QuoteCheck = { statusId: string; depth: number };
