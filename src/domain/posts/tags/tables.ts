// Row types of the tags slice.

/** The uses of a tag on one day. */
export type TagDay = {
  /** Is YYYY-MM-DD in UTC. */
  day: string;
  uses: string;
  accounts: string;
};

/** A tag as one viewer sees it; all flags are false without a viewer. */
export type TagView = {
  /** Is null where nobody has used, followed or featured it yet. */
  id: string | null;
  /** Is the case-folded key. */
  name: string;
  display_name: string;
  days: TagDay[];
  following: boolean;
  featuring: boolean;
  muting: boolean;
  /** Is null for a mute without an end. */
  muting_expires_at: Date | null;
};

export type FeaturedTagRow = {
  id: string;
  account_id: string;
  /** Is the name as its owner wrote it. */
  display: string;
  /** Is case-folded. */
  name: string;
  statuses_count: string;
  last_status_at: Date | null;
};
