// What the accounts slice announces: the payloads of the jobs that follow from its acts.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A profile changed. */
    "account.updated": { id: string };
    /** An account is going: it is hidden already, everything of it is taken away by the job. */
    "account.removed": { id: string };
  }
}

export {};
