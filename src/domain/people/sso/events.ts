// Declares payloads of jobs of single sign-on.

/** What a provider calls a new person, and the address of their picture. */
export type OwnProfile = { accountId: string; name: string | null; picture: string | null };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Ask providers again about those who are due. */
    "sso.check": Record<string, never>;
    /** Take over name and picture of somebody new. */
    "sso.profile": OwnProfile;
  }
}
