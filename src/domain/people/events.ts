// What signing up and changing how one signs in announce: the payloads of the jobs that follow.

/** Whose address awaits confirmation. */
export type AwaitsConfirmation = { userId: string };

/** What people are told by mail, so that they notice when it was not them. */
export type SecurityEvent =
  | "password-changed"
  | "email-asked"
  | "email-changed"
  | "two-factor-on"
  | "two-factor-off"
  | "recovery-codes"
  | "passkey-added"
  | "passkey-removed";

export type SecurityNotice = { username: string; to: string; event: SecurityEvent };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send the mail with the link that confirms the address. */
    "user.confirmation": AwaitsConfirmation;
    /** Send the link to choose a new password to this address, if somebody here has it. */
    "user.password_reset": { email: string };
    /** Send the link that confirms the address that is to take the place of the present one. */
    "user.email_change": { userId: string };
    "user.security_notice": SecurityNotice;
  }
}
