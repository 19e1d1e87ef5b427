// All SQL of the moderation slice.

import type { Db } from "../../platform/db/index.ts";

export type DomainBlockRow = {
  domain: string;
  severity: "noop" | "silence" | "suspend";
  reject_reports: boolean;
  public_comment: string | null;
  obfuscate: boolean;
};

const columns = (db: Db) =>
  db`domain::text AS domain, severity, reject_reports, public_comment, obfuscate`;

/** Limits on other servers, the strictest first. */
export const selectLimits = (db: Db) => db<DomainBlockRow[]>`
  SELECT ${columns(db)} FROM domain_blocks WHERE severity <> 'noop'
  ORDER BY severity DESC, domain_blocks.domain
`;

/** The block of the domain, or of its nearest parent domain. */
export const selectBlockFor = async (db: Db, domains: string[]): Promise<DomainBlockRow | null> => {
  const [row] = await db<DomainBlockRow[]>`
    SELECT ${columns(db)} FROM domain_blocks
    WHERE domain_blocks.domain = ANY(${domains}::citext[])
    ORDER BY length(domain_blocks.domain::text) DESC LIMIT 1
  `;
  return row ?? null;
};

export type ModeratorRow = { account_id: string; email: string; username: string };

/** Active people whose role has one of the permission bits. */
export const selectStaff = (db: Db, bits: number) => db<ModeratorRow[]>`
  SELECT u.account_id, u.email::text AS email, a.username::text AS username
  FROM users u
  JOIN roles r ON r.id = u.role_id AND r.permissions & ${bits}::bigint <> 0
  JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
  WHERE u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
  ORDER BY u.id
`;
