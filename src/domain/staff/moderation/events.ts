// Declares payloads of the jobs that follow from acts of moderators.

import type { DomainEntry } from "../../base/blocklists/csv.ts";

/** The standing of an account changed: its streams, its tokens and other servers are notified. */
export type StandingChanged = { id: string };

/** A moderator acted on an account, which is notified. */
export type AccountModerated = { strikeId: string; mail: boolean };

/**
 * The limits of a domain changed, and are applied to its accounts, a slice at a time. `eventId` is that of the
 * severance, where the domain is suspended. `domains` and `afterId` say what is left, and how far the first of them is.
 */
export type DomainLimited = {
  domain: string;
  eventId: string | null;
  domains?: string[];
  afterId?: string;
};

/** A part of a file of servers. `accountId` is who began it; null for the command line. */
export type BlocksPiece = { accountId: string | null; entries: DomainEntry[] };
export type AllowsPiece = { accountId: string | null; domains: string[] };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.standing_changed": StandingChanged;
    "account.moderated": AccountModerated;
    "domain.limited": DomainLimited;
    "domain_blocks.import": BlocksPiece;
    "domain_allows.import": AllowsPiece;
    /** Delete the data of suspended accounts, once their time is over. */
    "accounts.delete_due": Record<string, never>;
  }
}
