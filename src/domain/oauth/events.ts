// What is announced when tokens end by an act in another process (the command line, a moderator's
// job): the process with the open streams closes them.

/** Whose tokens lost their force: any of these. */
export type RevokedTokens = {
  tokenIds?: string[];
  userId?: string;
  accountId?: string;
  appId?: string;
};

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "tokens.revoked": RevokedTokens;
  }
}
