// The payloads of the jobs that follow from a report.

export type ReportCreated = {
  id: string;
  /** Domains of the servers that get the report. */
  forwardTo: string[];
};

export type ReportMail = { id: string; to: string; name: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "report.created": ReportCreated;
    /** Send the mail to one moderator. */
    "report.mail": ReportMail;
  }
}
