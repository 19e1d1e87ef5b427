// Row types of the cleanup slice.

/** Lists what is kept although it is old; the members are the columns. */
export const KEEPS = [
  "keep_pinned",
  "keep_favourited",
  "keep_bookmarked",
  "keep_direct",
  "keep_polls",
  "keep_media",
] as const;
export type Keep = (typeof KEEPS)[number];

export type Policy = Record<Keep, boolean> & {
  /** False where nothing is deleted; what was chosen stays for the next time. */
  enabled: boolean;
  min_days: number;
  min_favourites: number | null;
  min_reblogs: number | null;
};

export type PolicyRow = Policy & { account_id: string; checked_id: string };
