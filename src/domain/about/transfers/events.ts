// Declares the jobs of the transfers slice.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Import the next slice. */
    "import.due": { id: string };
    /** Apply an archive's settings of notification policy and mails, as they were written. */
    "settings.imported": {
      accountId: string;
      policy: Record<string, string>;
      mails: Record<string, boolean>;
    };
  }
}

export {};
