// Declares the job that follows from a report.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** `forwardTo` has the domains of the servers that get the report. */
    "report.created": { id: string; forwardTo: string[] };
  }
}

export {};
