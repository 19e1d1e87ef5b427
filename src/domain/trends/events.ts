// What the trends slice plans: its own next run.

/** Nothing has to be told. */
export type TrendsDue = Record<string, never>;

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Find out anew what trends, and plan the next time. */
    "trends.refresh": TrendsDue;
  }
}
