// Declares the payload of the job of the annual slice.

export type AnnualWanted = { accountId: string; year: number };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A person requested the report of a year. */
    "annual_report.wanted": AnnualWanted;
  }
}
