// The payloads of the jobs that follow from acts on collections.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "collection.created": { collectionId: string };
    "collection.added": CollectionAdded;
    "collection.updated": CollectionUpdated;
    /** Accounts of other servers are to be asked for their consent. */
    "collection.requested": { itemIds: string[] };
    "collection.left": CollectionLeft;
    "collection.removed": CollectionRemoved;
    /** The consent of accounts in a collection of another server has to be read. */
    "collection.check": { collectionId: string; attempt?: number };
    /** A collection of another server is to be read again. */
    "collection.refresh": { collectionId: string };
    /** The list of a remote account's collections is to be read. */
    "collections.refresh": { accountId: string };
  }
}

/** Accounts are in it from now on. `isNew`: since it was made. */
export type CollectionAdded = { collectionId: string; accountIds: string[]; isNew?: boolean };

/** `shows`: its name or description changed, which its people are notified of. */
export type CollectionUpdated = { collectionId: string; shows?: boolean; wasListed?: boolean };

/** Somebody is in it no longer. `consent`: of an account here that took it back. */
export type CollectionLeft = {
  collectionId: string;
  accountId: string;
  itemUri: string;
  consent: string | null;
};

/** A local collection was deleted: who may know it, since the rows are gone. */
export type CollectionRemoved = {
  ownerId: string;
  uri: string;
  isListed: boolean;
  memberIds: string[];
};
