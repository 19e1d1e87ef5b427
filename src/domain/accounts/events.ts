// The payloads of the jobs that follow from changes of accounts.

/** A profile changed. */
export type AccountChanged = { id: string };

/**
 * An account, already hidden, is to be deleted. `announced`: other servers know, its rows are next.
 * `reserve`: whether its name and address stay taken, a remote one as suspended; by default those of local
 * accounts do.
 */
export type AccountRemoved = { id: string; announced?: boolean; reserve?: boolean };

/** Invalidated (platform/db/invalidate.ts) when the owner of the server may have changed. */
export const OWNER_CHANGED = "owner:";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.updated": AccountChanged;
    /** An account moved; `after`: its followers up to this id have followed. */
    "account.moved": { accountId: string; targetId: string; after: string };
    "account.removed": AccountRemoved;
    /** The links of a profile are due for verification. */
    "account.links": AccountChanged;
    /** Somebody here looks at a remote account or wants to follow it. */
    "account.wanted": { id: string };
  }
}
