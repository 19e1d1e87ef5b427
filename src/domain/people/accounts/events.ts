// The payloads of the jobs that follow from changes of accounts.

/** A profile changed. */
export type AccountChanged = { id: string };

/**
 * An account, already hidden, is to be deleted. `announced`: other servers know, its rows are next.
 * `reserve`: whether its name and address stay taken, a remote one as suspended; by default those of local
 * accounts do.
 */
export type AccountRemoved = { id: string; announced?: boolean; reserve?: boolean };

/** Invalidated (platform/db/commits.ts) when the owner of the server may have changed. */
export const OWNER_CHANGED = "owner:";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.updated": AccountChanged;
    /**
     * An account moved. `after`: the people here up to this id have blocked, muted and noted the new one as they did
     * the old one; where `carried`, that is done, and the follows up to this id are moved.
     */
    "account.moved": { accountId: string; targetId: string; after: string; carried?: boolean };
    "account.removed": AccountRemoved;
    /** The links of a profile are due for verification. */
    "account.links": AccountChanged;
    /** Some avatars may have no small one yet. */
    "avatars.shrink": Record<string, never>;
    /** Somebody here looks at a remote account or wants to follow it. */
    "account.wanted": { id: string };
  }
}
