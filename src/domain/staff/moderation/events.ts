// Declares payloads of the jobs that follow from acts of moderators.

import type { DomainEntry } from "../../base/blocklists/csv.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** The standing of an account changed: its streams, its tokens and other servers are notified. */
    "account.standing_changed": { id: string };
    /** A moderator acted on an account, which is notified. */
    "account.moderated": { strikeId: string; mail: boolean };
    /**
     * The limits of a domain changed, and are applied to its accounts, a slice at a time. `eventId` is that of the
     * severance, where the domain is suspended. `domains` and `afterId` say what is left, and how far the first of
     * them is.
     */
    "domain.limited": {
      domain: string;
      eventId: string | null;
      domains?: string[];
      afterId?: string;
    };
    /** Import a part of a file of servers. `accountId` is who began it; null for the command line. */
    "domain_blocks.import": { accountId: string | null; entries: DomainEntry[] };
    "domain_allows.import": { accountId: string | null; domains: string[] };
    /** Delete the data of suspended accounts, once their time is over. */
    "accounts.delete_due": Record<string, never>;
  }
}
