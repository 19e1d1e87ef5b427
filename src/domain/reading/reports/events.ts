// Declares payloads of the jobs that follow from a report.

export type ReportCreated = {
  id: string;
  /** Domains of the servers that get the report. */
  forwardTo: string[];
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "report.created": ReportCreated;
  }
}
