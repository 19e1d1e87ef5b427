// Declares payloads of jobs that follow from sign-up and from changes of sign-in.

/** A person whose address is not confirmed yet, or an address; the job finds out whether somebody waits with it. */
export type AwaitsConfirmation = { userId: string } | { email: string };

/** Changes that people get a mail about, so that they notice if somebody else made them. */
export type SecurityEvent =
  | "password-changed"
  | "email-asked"
  | "email-changed"
  | "two-factor-on"
  | "two-factor-off"
  | "recovery-codes"
  | "passkey-added"
  | "passkey-removed"
  | "way-added"
  | "way-removed"
  | "account-linked"
  | "account-unlinked"
  | "account-invited"
  | "member-joined"
  | "member-left"
  | "membership-ended"
  | "account-deleted";

/** `locale` is absent in jobs of earlier versions. */
export type SecurityNotice = {
  username: string;
  to: string;
  locale?: string;
  event: SecurityEvent;
  /** Name of the other account, where the notice is about one. */
  other?: string;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send the mail with the link that confirms the address. */
    "user.confirmation": AwaitsConfirmation;
    /** Mail an applicant what the moderators decided. */
    "user.decided": { username: string; to: string; locale?: string; approved: boolean };
    /** Notify the staff of a person whose address is confirmed. */
    "user.signed_up": { accountId: string };
    /** Send the link to choose a new password to this address, if a person here has it. */
    "user.password_reset": { email: string };
    /** Send the link that confirms the new address. */
    "user.email_change": { userId: string };
    "user.security_notice": SecurityNotice;
  }
}
