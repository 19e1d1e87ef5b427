// The payloads of the jobs that follow from acts on collections.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Accounts were added. */
    "collection.added": { collectionId: string; accountIds: string[] };
    /** Its name or description changed. */
    "collection.updated": { collectionId: string };
  }
}

export type CollectionAdded = { collectionId: string; accountIds: string[] };
export type CollectionUpdated = { collectionId: string };
