// The jobs of the transfers slice.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** The next slice of an import. */
    "import.due": { id: string };
    /** What an archive says of whose notifications are held back, and of mails; as it was written. */
    "settings.imported": {
      accountId: string;
      policy: Record<string, string>;
      mails: Record<string, boolean>;
    };
  }
}

export {};
