// The payloads of the jobs that follow from changes of accounts.

/** A profile changed; or an account, already hidden, is to be deleted by the job. */
export type AccountChanged = { id: string };

/** Invalidated (platform/db/invalidate.ts) when the owner of the server may have changed. */
export const OWNER_CHANGED = "owner:";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.updated": AccountChanged;
    "account.removed": AccountChanged;
    /** The links of a profile are due for verification. */
    "account.links": AccountChanged;
  }
}
