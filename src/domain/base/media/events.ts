// The jobs of the media slice.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A file was uploaded. */
    "media.uploaded": { id: string };
    /** A video or a recording was looked at, and takes little of the processor, or much. */
    "media.convert": { id: string };
    "media.convert_long": { id: string };
    /** An account was suspended: its files after this id get new addresses. */
    "media.withheld": { accountId: string; after: string };
    /** The staff wants no copies of these hosts' files. */
    "remote_files.purge": { hosts: string[] };
  }
}

export {};
