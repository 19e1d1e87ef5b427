// What signing up announces: the payloads of the jobs that follow.

/** Whose address awaits confirmation. */
export type AwaitsConfirmation = { userId: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send the mail with the link that confirms the address. */
    "user.confirmation": AwaitsConfirmation;
  }
}
