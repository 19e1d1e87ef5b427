// Row types of the tags slice.

/** Uses of a tag on one day. */
export type TagDay = {
  /** YYYY-MM-DD, UTC. */
  day: string;
  uses: string;
  accounts: string;
};

/** A tag as one viewer sees it; all flags are false without a viewer. */
export type TagView = {
  /** null: nobody has used, followed or featured it yet. */
  id: string | null;
  /** The case-folded key. */
  name: string;
  display_name: string;
  days: TagDay[];
  following: boolean;
  featuring: boolean;
  muting: boolean;
  /** null: until it is undone. */
  muting_expires_at: Date | null;
};

export type FeaturedTagRow = {
  id: string;
  account_id: string;
  /** As its owner wrote it. */
  display: string;
  /** Case-folded. */
  name: string;
  statuses_count: string;
  last_status_at: Date | null;
};
