// Row types of the lists slice.

export const REPLIES_POLICIES = ["followed", "list", "none"] as const;
/** Which replies a list shows: to accounts that its owner follows, to its members, or none. */
export type RepliesPolicy = (typeof REPLIES_POLICIES)[number];

export type ListRow = {
  id: string;
  account_id: string;
  title: string;
  replies_policy: RepliesPolicy;
  /** Posts of its members are left out of the owner's home. */
  exclusive: boolean;
};

/** A list, for feeds and streams. */
export type ListRef = { id: string; ownerId: string };
