// SQL of decisions of moderators about accounts: suspended, limited, marked as sensitive.

import { invalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { INBOXES_CHANGED } from "./events.ts";

/** Invalidates what is cached of an account and of what its tokens may do. */
const invalidateStanding = async (db: Db, ids: string[]): Promise<void> => {
  const users = await db<{ id: string }[]>`
    SELECT id FROM users WHERE account_id = ANY(${ids}::bigint[])
  `;
  const keys = ids.flatMap((id): CacheKey[] => [`account:${id}`, `key:${id}`]);
  invalidate(db, ...keys, INBOXES_CHANGED, ...users.map(({ id }) => `user:${id}` as const));
};

const change = async (db: Db, set: Fragment, where: Fragment): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`UPDATE accounts SET ${set} WHERE ${where} RETURNING id`;
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await invalidateStanding(db, ids);
  return ids;
};

/** Records a suspension by a moderator here, whoever suspended the account before. */
export const suspend = (db: Db, id: string, at: Date) =>
  change(
    db,
    db`suspended_at = coalesce(suspended_at, ${at}), suspended_remotely = false,
      suspended_with_domain = false`,
    db`id = ${id}`,
  );

export const unsuspend = (db: Db, id: string) =>
  change(
    db,
    db`suspended_at = NULL, suspended_remotely = false, suspended_with_domain = false`,
    db`id = ${id} AND suspended_at IS NOT NULL`,
  );

export const silence = (db: Db, id: string, at: Date) =>
  change(
    db,
    db`silenced_at = coalesce(silenced_at, ${at}), silenced_with_domain = false`,
    db`id = ${id}`,
  );

export const unsilence = (db: Db, id: string) =>
  change(
    db,
    db`silenced_at = NULL, silenced_with_domain = false`,
    db`id = ${id} AND silenced_at IS NOT NULL`,
  );

export const sensitize = (db: Db, id: string, at: Date) =>
  change(db, db`sensitized_at = coalesce(sensitized_at, ${at})`, db`id = ${id}`);

export const unsensitize = (db: Db, id: string) =>
  change(db, db`sensitized_at = NULL`, db`id = ${id} AND sensitized_at IS NOT NULL`);

export type DomainLimits = { isSuspended: boolean; isSilenced: boolean };

/** Limits accounts with a block of their domain; decisions of moderators about single accounts stay. */
export const limitWithDomain = async (
  db: Db,
  ids: string[],
  { isSuspended, isSilenced }: DomainLimits,
  at: Date,
): Promise<void> => {
  const among = db`id = ANY(${ids}::bigint[])`;
  await (isSuspended
    ? change(
        db,
        db`suspended_at = ${at}, suspended_with_domain = true`,
        db`${among} AND suspended_at IS NULL`,
      )
    : change(
        db,
        db`suspended_at = CASE WHEN suspended_remotely THEN suspended_at END,
          suspended_with_domain = false`,
        db`${among} AND suspended_with_domain`,
      ));
  await (isSilenced
    ? change(
        db,
        db`silenced_at = ${at}, silenced_with_domain = true`,
        db`${among} AND silenced_at IS NULL`,
      )
    : change(
        db,
        db`silenced_at = NULL, silenced_with_domain = false`,
        db`${among} AND silenced_with_domain`,
      ));
};

/** Selects this domain and those below it that stored accounts have, with one step through the index for each. */
export const selectKnownDomains = (db: Db, domain: string): Promise<string[]> =>
  valuesOf(db<{ domain: string }[]>`
    WITH RECURSIVE known AS (
      (SELECT domain FROM accounts WHERE domain IS NOT NULL ORDER BY domain LIMIT 1)
      UNION ALL
      SELECT (
        SELECT a.domain FROM accounts a WHERE a.domain > known.domain ORDER BY a.domain LIMIT 1
      ) FROM known WHERE known.domain IS NOT NULL
    )
    SELECT domain::text AS domain FROM known
    WHERE domain IS NOT NULL AND (
      regexp_replace(lower(domain::text), ':[0-9]+$', '') = ${domain}
      OR lower(domain::text) = ${domain}
      OR right(regexp_replace(lower(domain::text), ':[0-9]+$', ''), ${domain.length + 1}) = ${`.${domain}`}
    )
  `);

export const selectIdsOfDomain = (db: Db, domain: string, afterId: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM accounts WHERE domain = ${domain} AND id > ${afterId} ORDER BY id LIMIT ${limit}
  `);

export const planDeletion = (db: Db, id: string, at: Date) => db`
  INSERT INTO account_deletions (account_id, due_at) VALUES (${id}, ${at})
  ON CONFLICT (account_id) DO NOTHING
`;

export const cancelDeletion = (db: Db, id: string) =>
  db`DELETE FROM account_deletions WHERE account_id = ${id}`;

export const selectDueDeletions = (db: Db, now: Date, limit: number): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT account_id AS id FROM account_deletions WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}
  `);
