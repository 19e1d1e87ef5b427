// Row types of the relationships slice.

/** The options of a follow as they are stored. */
export type FollowSettings = {
  show_reblogs: boolean;
  show_replies: boolean;
  /** Posts of a day that are in the viewer's home; null for all. */
  daily_limit: number | null;
  notify: boolean;
  languages: string[] | null;
};

/** The relationship of a viewer to one other account. */
export type Relation = FollowSettings & {
  account_id: string;
  following: boolean;
  requested: boolean;
  followed_by: boolean;
  requested_by: boolean;
  blocking: boolean;
  blocked_by: boolean;
  muting: boolean;
  muting_notifications: boolean;
  muting_expires_at: Date | null;
  /** Whether the viewer blocks the whole domain of the other. */
  domain_blocking: boolean;
  endorsed: boolean;
  /** The viewer's private note about the other account; "" for none. */
  note: string;
};

/** The options of a follow; undefined ones stay as they are. `languages` is null for all. */
export type FollowOptions = {
  reblogs?: boolean | undefined;
  /** Whether replies to others are shown. */
  replies?: boolean | undefined;
  /** Null for no limit. */
  dailyLimit?: number | null | undefined;
  notify?: boolean | undefined;
  languages?: string[] | null | undefined;
};

/** A row of a list of accounts; `page_id` pages it. */
export type ListedRow = { id: string; page_id: string };
