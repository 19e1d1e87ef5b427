// All SQL of the blocklists slice.

import { deleteOlder } from "../../../platform/db/delete-older.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type {
  CanonicalBlockRow,
  DomainAllowRow,
  DomainBlockInput,
  DomainBlockRow,
  EmailDomainBlockRow,
  IpBlockRow,
  IpSeverity,
  TriesRow,
} from "./tables.ts";

const domainColumns = (db: Db) => db`
  id, domain::text AS domain, severity, reject_media, reject_reports, private_comment, public_comment,
  obfuscate, created_at
`;
const allowColumns = (db: Db) => db`id, domain::text AS domain, created_at`;
const ipColumns = (db: Db) => db`id, ip::text AS ip, severity, comment, expires_at, created_at`;
const emailColumns = (db: Db) => db`id, domain::text AS domain, allow_with_approval, created_at`;
const canonicalColumns = (db: Db) => db`id, canonical_email_hash`;

const TABLES = {
  domain_blocks: domainColumns,
  domain_allows: allowColumns,
  ip_blocks: ipColumns,
  email_domain_blocks: emailColumns,
  canonical_email_blocks: canonicalColumns,
};
export type Blocklist = keyof typeof TABLES;
export type RowOf = {
  domain_blocks: DomainBlockRow;
  domain_allows: DomainAllowRow;
  ip_blocks: IpBlockRow;
  email_domain_blocks: EmailDomainBlockRow;
  canonical_email_blocks: CanonicalBlockRow;
};

const where = async <T extends Blocklist>(
  db: Db,
  table: T,
  condition: Fragment,
): Promise<RowOf[T][]> => {
  const rows = await db`SELECT ${TABLES[table](db)} FROM ${db(table as string)} WHERE ${condition}`;
  return [...rows] as unknown as RowOf[T][];
};

/** Selects a page of one of the lists, in the order of the page. */
export const selectPage = <T extends Blocklist>(db: Db, table: T, page: Page) =>
  where(db, table, inPage(db, page));

export const selectById = async <T extends Blocklist>(
  db: Db,
  table: T,
  id: string,
): Promise<RowOf[T] | null> => (await where(db, table, db`id = ${id}`))[0] ?? null;

/** Selects all blocks by name, for the cache that holds them whole. */
export const selectAllDomainBlocks = (db: Db) =>
  where(db, "domain_blocks", db`true ORDER BY domain`);
export const selectAllDomainAllows = (db: Db) =>
  where(db, "domain_allows", db`true ORDER BY domain`);
export const selectAllIpBlocks = (db: Db) => where(db, "ip_blocks", db`true ORDER BY id`);
export const selectAllEmailBlocks = (db: Db) =>
  where(db, "email_domain_blocks", db`true ORDER BY domain`);

/** Selects the blocks of exactly these domains. */
export const selectDomainBlocks = (db: Db, domains: string[]) =>
  where(db, "domain_blocks", db`domain = ANY(${domains}::citext[])`);
export const selectEmailBlocks = (db: Db, domains: string[]) =>
  where(db, "email_domain_blocks", db`domain = ANY(${domains}::citext[])`);
export const selectDomainAllow = async (db: Db, domain: string) =>
  (await where(db, "domain_allows", db`domain = ${domain}`))[0] ?? null;
export const selectCanonicalByHash = (db: Db, hash: string) =>
  where(db, "canonical_email_blocks", db`canonical_email_hash = ${hash}`);

/** Selects the blocks that an address is in, expired or not. */
export const selectIpBlocksOf = (db: Db, ip: string) =>
  where(db, "ip_blocks", db`ip >>= ${ip}::inet`);

export const selectHasAny = (db: Db, table: Blocklist): Promise<boolean> =>
  onlyValue(db<{ yes: boolean }[]>`SELECT EXISTS (SELECT FROM ${db(table)}) AS yes`);

/** Fails with a unique violation when there is a block with the same name. */
export const insertBlock = async <T extends Blocklist>(
  db: Db,
  table: T,
  row: Record<string, unknown>,
): Promise<RowOf[T]> => {
  const [inserted] =
    await db`INSERT INTO ${db(table as string)} ${db(row as never)} RETURNING ${TABLES[table](db)}`;
  return inserted as RowOf[T];
};

/** Selects a block that nobody else changes before the transaction ends. */
export const lockDomainBlock = (db: Db, id: string) =>
  firstRow(db<DomainBlockRow[]>`
    SELECT ${domainColumns(db)} FROM domain_blocks WHERE id = ${id} FOR UPDATE
  `);

export const updateDomainBlock = (db: Db, id: string, change: DomainBlockInput) =>
  firstRow(db<DomainBlockRow[]>`
    UPDATE domain_blocks SET ${db(change as never)} WHERE id = ${id} RETURNING ${domainColumns(db)}
  `);

export type IpChange = Partial<{
  ip: string;
  severity: IpSeverity;
  comment: string;
  expires_at: Date | null;
}>;

export const updateIpBlock = (db: Db, id: string, change: IpChange) =>
  firstRow(db<IpBlockRow[]>`
    UPDATE ip_blocks SET ${db(change as never)} WHERE id = ${id} RETURNING ${ipColumns(db)}
  `);

/** Returns what was deleted, or null. */
export const deleteBlock = async <T extends Blocklist>(
  db: Db,
  table: T,
  id: string,
): Promise<RowOf[T] | null> => {
  const [row] =
    await db`DELETE FROM ${db(table as string)} WHERE id = ${id} RETURNING ${TABLES[table](db)}`;
  return (row as RowOf[T] | undefined) ?? null;
};

export const deleteExpiredIpBlocks = (db: Db, now: Date) =>
  deleteOlder(db, "ip_blocks", "expires_at", now);

export const countTry = (db: Db, blockIds: string[], day: Date, ip: string) => db`
  INSERT INTO email_domain_block_tries AS t (block_id, day, ip)
  SELECT id, (${day}::timestamptz AT TIME ZONE 'UTC')::date, ${ip}::inet
  FROM unnest(${blockIds}::bigint[]) AS id
  ON CONFLICT (block_id, day, ip) DO UPDATE SET count = t.count + 1
`;

/** Selects attempts since a day, by block and day. */
export const selectTries = (db: Db, blockIds: string[], since: Date) => db<TriesRow[]>`
  SELECT block_id, day::text AS day, sum(count)::text AS uses, count(*)::text AS accounts
  FROM email_domain_block_tries
  WHERE block_id = ANY(${blockIds}::bigint[]) AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
  GROUP BY block_id, day
`;

/** Changes nothing where the address is blocked already. */
export const insertCanonical = (db: Db, hash: string, accountId: string | null) => db`
  INSERT INTO canonical_email_blocks (canonical_email_hash, account_id) VALUES (${hash}, ${accountId})
  ON CONFLICT (canonical_email_hash) DO NOTHING
`;

export const selectCount = (db: Db, table: Blocklist): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${db(table as string)}
  `);
