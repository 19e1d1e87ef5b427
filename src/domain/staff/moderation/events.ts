// The payloads of the jobs that follow from what moderators do.

import type { DomainEntry } from "../../base/blocklists/csv.ts";

/** How an account stands has changed: its streams, its tokens and other servers learn of it. */
export type StandingChanged = { id: string };

/** A moderator did something to an account, which is notified. */
export type AccountModerated = { strikeId: string; mail: boolean };

/**
 * What holds for a domain has changed: its accounts get it, a slice at a time. `eventId`: of the severance, where
 * the domain is suspended. `domains`, `afterId`: those that are left, and how far the first of them is.
 */
export type DomainLimited = {
  domain: string;
  eventId: string | null;
  domains?: string[];
  afterId?: string;
};

/** A part of a file of servers. `accountId`: who began it; null: the command line. */
export type BlocksPiece = { accountId: string | null; entries: DomainEntry[] };
export type AllowsPiece = { accountId: string | null; domains: string[] };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.standing_changed": StandingChanged;
    "account.moderated": AccountModerated;
    "domain.limited": DomainLimited;
    "domain_blocks.import": BlocksPiece;
    "domain_allows.import": AllowsPiece;
    /** Delete what suspended accounts had, once their time is over. */
    "accounts.delete_due": Record<string, never>;
  }
}
