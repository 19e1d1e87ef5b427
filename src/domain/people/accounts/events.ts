// Declares payloads of jobs that follow from changes of accounts.

/** A profile was changed. */
export type AccountChanged = { id: string };

/**
 * An account that is already hidden is to be deleted. `announced` says that other servers know, and its rows are next.
 * `reserve` says whether its name and address stay taken (of a remote one as suspended); by default those of local
 * accounts do.
 */
export type AccountRemoved = { id: string; announced?: boolean; reserve?: boolean };

/** Key that is invalidated (platform/db/commits.ts) when the owner of the server may have changed. */
export const OWNER_CHANGED = "owner:";

/**
 * Key that is invalidated when a follower's inbox may have changed, an account may not get posts any more or gets them
 * again, or a host that was gone is back (federation/delivery/follower-inboxes.ts).
 */
export const INBOXES_CHANGED = "inboxes:";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.updated": AccountChanged;
    /**
     * An account moved. People here with ids up to `after` have the blocks, mutes and notes of the old account on the
     * new one; with `carried` that is complete, and the follows of people up to `after` are moved.
     */
    "account.moved": { accountId: string; targetId: string; after: string; carried?: boolean };
    "account.removed": AccountRemoved;
    /** Verify the links of a profile. */
    "account.links": AccountChanged;
    /** Make small avatars for some accounts without one. */
    "avatars.shrink": Record<string, never>;
    /** Read more of a remote account that somebody here looks at or wants to follow. */
    "account.wanted": { id: string };
  }
}
