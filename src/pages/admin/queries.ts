// SQL of the pages for the staff.

import type { Db } from "../../platform/db/index.ts";
import { onlyRow } from "../../platform/db/rows.ts";

export type Known = {
  /** Counted up to KNOWN_CAP. */
  accounts: number;
  /** Follows by people here, and of people here. */
  followed: number;
  followers: number;
  reports: number;
};

/** Accounts of a server that are counted, with their relations; further ones are not. */
export const KNOWN_CAP = 10_000;

export const selectKnown = (db: Db, domain: string): Promise<Known> =>
  onlyRow(db<Known[]>`
    WITH known AS MATERIALIZED (
      SELECT id FROM accounts WHERE domain = ${domain} LIMIT ${KNOWN_CAP}
    )
    SELECT (SELECT count(*)::int FROM known) AS accounts,
      (SELECT count(*)::int FROM known k JOIN follows f ON f.target_account_id = k.id) AS followed,
      (SELECT count(*)::int FROM known k JOIN follows f ON f.account_id = k.id) AS followers,
      (SELECT count(*)::int FROM known k JOIN reports r ON r.target_account_id = k.id) AS reports
  `);

type Holdings = { media: number; followers: number; following: number };

/** Rows that are counted; further ones are not. */
const HOLDINGS_CAP = 100_000;

/** Counts what an account has apart from its posts, before all of it is deleted. */
export const selectHoldings = (db: Db, accountId: string): Promise<Holdings> =>
  onlyRow(db<Holdings[]>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM media_attachments WHERE account_id = ${accountId} LIMIT ${HOLDINGS_CAP}
      ) AS files) AS media,
      (SELECT count(*)::int FROM (
        SELECT FROM follows WHERE target_account_id = ${accountId} LIMIT ${HOLDINGS_CAP}
      ) AS incoming) AS followers,
      (SELECT count(*)::int FROM (
        SELECT FROM follows WHERE account_id = ${accountId} LIMIT ${HOLDINGS_CAP}
      ) AS outgoing) AS following
  `);
