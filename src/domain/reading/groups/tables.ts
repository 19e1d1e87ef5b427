// Row types of the groups slice.

export type GroupRow = {
  account_id: string;
  /** null: the owner is gone. */
  owner_id: string | null;
  rules: string[];
  /** Posts wait until a moderator approves them. */
  holds_posts: boolean;
  created_at: Date;
};

/** Who somebody is in a group, beside its members. */
export type GroupRole = "owner" | "moderator";

/** `shared`: the group boosts it; `held`: a moderator decides; `removed`: never again. */
export type PostState = "shared" | "held" | "removed";

/** What owners and moderators do, as it is recorded. */
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
  /** null: the staff, on the command line. */
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
