// What the trends slice plans: its own next run.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Find out anew what trends, and plan the next time. */
    "trends.refresh": Record<string, never>;
  }
}

export {};
