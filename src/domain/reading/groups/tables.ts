// Row types of the groups slice.

export type GroupRow = {
  account_id: string;
  /** Null where the owner was deleted. */
  owner_id: string | null;
  rules: string[];
  /** Whether posts wait until a moderator approves them. */
  holds_posts: boolean;
  created_at: Date;
};

/** A person's role in a group, beyond membership. */
export type GroupRole = "owner" | "moderator";

/** `shared` posts are boosted by the group, `held` ones wait for a moderator, `removed` ones never come back. */
export type PostState = "shared" | "held" | "removed";

/** Recorded acts of owners and moderators. */
export const GROUP_ACTIONS = [
  "create",
  "update",
  "transfer",
  "promote",
  "demote",
  "accept",
  "reject",
  "ban",
  "unban",
  "approve",
  "remove",
] as const;

export type GroupAction = (typeof GROUP_ACTIONS)[number];

export type NewGroupAct = {
  groupId: string;
  /** Null for the staff, on the command line. */
  accountId: string | null;
  action: GroupAction;
  targetId?: string;
  statusId?: string;
};

export type GroupActRow = {
  id: string;
  account_id: string | null;
  action: GroupAction;
  target_id: string | null;
  status_id: string | null;
  created_at: Date;
};
