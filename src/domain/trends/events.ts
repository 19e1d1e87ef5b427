// The job of the trends slice, which plans its own next run.

/** Empty. */
export type TrendsDue = Record<string, never>;

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Compute what trends, and plan the next run. */
    "trends.refresh": TrendsDue;
  }
}
