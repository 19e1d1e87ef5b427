// SQL of the domains that people block. Writes invalidate `domains:ACCOUNT` (blocked-domains.ts).

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";

export const selectBlockedDomains = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db<{ domain: string }[]>`
    SELECT domain FROM account_domain_blocks WHERE account_id = ${accountId}
  `;
  return rows.map((row) => row.domain);
};

export const selectDomainPage = (db: Db, accountId: string, page: Page) => db<
  { domain: string; page_id: string }[]
>`
  SELECT domain, id AS page_id FROM account_domain_blocks
  WHERE account_id = ${accountId} AND id > ${lowerBound(page)} AND id < ${upperBound(page)}
  ORDER BY id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
`;

/** How many follows in each direction a block of the domain would end. */
export const countFollowsAt = async (db: Db, accountId: string, domain: string) => {
  const [row] = await db<{ following: number; followers: number }[]>`
    SELECT
      (SELECT count(*)::int FROM follows f
        JOIN accounts a ON a.id = f.target_account_id AND a.domain = ${domain}
        WHERE f.account_id = ${accountId}) AS following,
      (SELECT count(*)::int FROM follows f
        JOIN accounts a ON a.id = f.account_id AND a.domain = ${domain}
        WHERE f.target_account_id = ${accountId}) AS followers
  `;
  return row!;
};

/** False when it was blocked already. */
export const insertDomainBlock = async (
  db: Db,
  accountId: string,
  domain: string,
): Promise<boolean> => {
  const { count } = await db`
    INSERT INTO account_domain_blocks (account_id, domain) VALUES (${accountId}, ${domain})
    ON CONFLICT (account_id, domain) DO NOTHING
  `;
  invalidate(db, `domains:${accountId}`);
  return count > 0;
};

export const deleteDomainBlock = async (db: Db, accountId: string, domain: string) => {
  await db`
    DELETE FROM account_domain_blocks WHERE account_id = ${accountId} AND domain = ${domain}
  `;
  invalidate(db, `domains:${accountId}`);
};

export type EndedRow = {
  account_id: string;
  target_account_id: string;
  uri: string | null;
  /** It was a follow, not a request. */
  followed: boolean;
};

/** Deletes every follow and request between the person and the domain. */
export const deleteFollowsAt = async (
  db: Db,
  accountId: string,
  domain: string,
): Promise<EndedRow[]> => {
  // From the person's own rows: a domain may have more accounts than anybody follows.
  const end = (table: "follows" | "follow_requests", of: string, there: string) => db`
    DELETE FROM ${db(table)} f USING accounts a
    WHERE f.${db(of)} = ${accountId} AND a.id = f.${db(there)} AND a.domain = ${domain}
    RETURNING f.account_id, f.target_account_id, f.uri
  `;
  const [ours, theirs] = ["account_id", "target_account_id"] as const;
  const rows = await db<EndedRow[]>`
    WITH following AS (${end("follows", ours, theirs)}),
      followers AS (${end("follows", theirs, ours)}),
      asked AS (${end("follow_requests", ours, theirs)}),
      askers AS (${end("follow_requests", theirs, ours)})
    SELECT *, true AS followed FROM following UNION ALL SELECT *, true FROM followers
    UNION ALL SELECT *, false FROM asked UNION ALL SELECT *, false FROM askers
  `;
  for (const row of rows) {
    const { account_id: accountId, target_account_id: targetId } = row;
    invalidate(db, `account:${accountId}`, `account:${targetId}`, `followers:${targetId}`);
  }
  return [...rows];
};
