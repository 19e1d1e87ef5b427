// Declares the payload of the job that follows when tokens are revoked in another process (the command line, a job):
// the process with the open streams closes them.

/** The tokens that were revoked, by any of these ids. */
export type RevokedTokens = {
  tokenIds?: string[];
  userId?: string;
  accountId?: string;
  appId?: string;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "tokens.revoked": RevokedTokens;
  }
}
