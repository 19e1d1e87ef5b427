// Declares the jobs of the mails slice.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send one notification by mail. */
    "mail.notification": { notificationId: string };
    /** Find people who were away, a batch at a time: those last active since `from` (ISO time). */
    "mail.digests": { from?: string };
    /** Send one person the summary of what they missed. */
    "mail.digest": { userId: string };
    /** Find people who want the letter of the month before and did not get it, a batch at a time. */
    "mail.letters": Record<string, never>;
    /** Send the letter to one of them; `month` is YYYY-MM. */
    "mail.letter": { userId: string; month: string };
  }
}

export {};
