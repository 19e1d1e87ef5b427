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
    "account.removed": AccountRemoved;
    /** The links of a profile are due for verification. */
    "account.links": AccountChanged;
  }
}
