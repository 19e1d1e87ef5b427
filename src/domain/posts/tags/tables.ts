// Row types of the tags slice.

/** The uses of a tag on one day. */
export type TagDay = {
  /** In the form YYYY-MM-DD, in UTC. */
  day: string;
  uses: string;
  accounts: string;
};

/** A tag as one viewer sees it; all flags are false without a viewer. */
export type TagView = {
  /** Null where nobody has used, followed or featured it yet. */
  id: string | null;
  /** Case-folded key. */
  name: string;
  display_name: string;
  days: TagDay[];
  following: boolean;
  featuring: boolean;
  muting: boolean;
  /** Null for a mute without an end. */
  muting_expires_at: Date | null;
};

export type FeaturedTagRow = {
  id: string;
  account_id: string;
  /** Name as its owner wrote it. */
  display: string;
  /** Case-folded name. */
  name: string;
  statuses_count: string;
  last_status_at: Date | null;
};
