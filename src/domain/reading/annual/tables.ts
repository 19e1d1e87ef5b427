// Row types of the annual slice.

export const SCHEMA_VERSION = 2;

export type Archetype = "lurker" | "booster" | "pollster" | "replier" | "oracle";

/** The data of a report, of schema version 2. https://docs.joinmastodon.org/entities/AnnualReport/ */
export type AnnualData = {
  archetype: Archetype;
  time_series: { month: number; statuses: number; followers: number }[];
  top_hashtags: { name: string; count: number }[];
  top_statuses: {
    by_reblogs: string | null;
    by_favourites: string | null;
    by_replies: string | null;
  };
};

export type AnnualReportRow = {
  account_id: string;
  year: number;
  data: AnnualData;
  schema_version: number;
  read_at: Date | null;
};
