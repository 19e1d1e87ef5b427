// What the collections slice announces.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** People were put in. */
    "collection.added": { collectionId: string; accountIds: string[] };
    /** Its name or description changed. */
    "collection.updated": { collectionId: string };
  }
}

export type CollectionAdded = { collectionId: string; accountIds: string[] };
export type CollectionUpdated = { collectionId: string };
