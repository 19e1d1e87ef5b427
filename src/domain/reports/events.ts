// What the reports slice announces.

export type ReportCreated = {
  id: string;
  /** Servers that are to be told, by domain. */
  forwardTo: string[];
};

export type ReportMail = { id: string; to: string; name: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "report.created": ReportCreated;
    /** One moderator is told by mail. */
    "report.mail": ReportMail;
  }
}
