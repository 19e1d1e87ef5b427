// The job of the media slice.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A file was uploaded. */
    "media.uploaded": { id: string };
  }
}

export {};
