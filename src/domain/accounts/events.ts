// What the accounts slice announces: the payloads of the jobs that follow from its acts.

/** A profile changed; or an account is going: hidden already, its rows are taken away by the job. */
export type AccountChanged = { id: string };

/** Noted (platform/db/invalidate.ts) when who owns the server may have changed. */
export const OWNER_CHANGED = "owner:";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.updated": AccountChanged;
    "account.removed": AccountChanged;
    /** The links of a profile are to be proven. */
    "account.links": AccountChanged;
  }
}
