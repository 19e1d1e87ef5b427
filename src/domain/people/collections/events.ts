// Declares payloads of jobs that follow from acts on collections.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "collection.created": { collectionId: string };
    /** Accounts were added; `isNew` says that the collection was made with them. */
    "collection.added": { collectionId: string; accountIds: string[]; isNew?: boolean };
    /** With `shows` its name or description changed, of which its people are notified. */
    "collection.updated": { collectionId: string; shows?: boolean; wasListed?: boolean };
    /** Ask accounts of other servers for their consent. */
    "collection.requested": { itemIds: string[] };
    /** Somebody left or was removed. `consent` belongs to a local account that took it back. */
    "collection.left": {
      collectionId: string;
      accountId: string;
      itemUri: string;
      consent: string | null;
    };
    /** A local collection was deleted; the payload says who may know it, because the rows are gone. */
    "collection.removed": {
      ownerId: string;
      uri: string;
      isListed: boolean;
      memberIds: string[];
    };
    /** Read the consent of accounts in a collection of another server. */
    "collection.check": { collectionId: string; attempt?: number };
    /** Read a collection of another server again. */
    "collection.refresh": { collectionId: string };
    /** Read the list of a remote account's collections. */
    "collections.refresh": { accountId: string };
  }
}

export {};
