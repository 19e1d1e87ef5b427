// What the annual slice announces.

export type AnnualWanted = { accountId: string; year: number };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A person asked for the report of a year. */
    "annual_report.wanted": AnnualWanted;
  }
}
