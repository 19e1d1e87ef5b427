// Row types of the lists slice.

export const REPLIES_POLICIES = ["followed", "list", "none"] as const;
/** Replies to whom a list shows: to all whom its owner follows, to its members, to nobody. */
export type RepliesPolicy = (typeof REPLIES_POLICIES)[number];

export type ListRow = {
  id: string;
  account_id: string;
  title: string;
  replies_policy: RepliesPolicy;
  /** Its members are left out of the owner's home. */
  exclusive: boolean;
};

/** A list as feeds and streams name it. */
export type ListRef = { id: string; ownerId: string };
