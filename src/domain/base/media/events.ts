// Declares the jobs of the media slice.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Process a file that was uploaded. */
    "media.uploaded": { id: string };
    /** Convert a video or a recording: a short conversion, or a long one. */
    "media.convert": { id: string };
    "media.convert_long": { id: string };
    /** Give new addresses to the files after this id of an account that was suspended. */
    "media.withheld": { accountId: string; after: string };
    /** Delete the copies of these hosts' files, which the staff does not want. */
    "remote_files.purge": { hosts: string[] };
  }
}

export {};
