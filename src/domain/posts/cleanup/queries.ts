// All SQL of the cleanup slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow } from "../../../platform/db/rows.ts";
import { isDirect } from "../statuses/fragments.ts";
import type { Policy, PolicyRow } from "./tables.ts";

const columns = (db: Db) => db`account_id, checked_id, min_days, keep_pinned, keep_favourited,
  keep_bookmarked, keep_direct, keep_polls, keep_media, min_favourites, min_reblogs, due_at < 'infinity' AS enabled`;

export const selectPolicy = (db: Db, accountId: string): Promise<PolicyRow | null> =>
  firstRow(db<PolicyRow[]>`
    SELECT ${columns(db)} FROM cleanup_policies WHERE account_id = ${accountId}
  `);

/** Restarts the pass, because a new rule applies to everything; one that is switched off is never due. */
export const upsertPolicy = (
  db: Db,
  accountId: string,
  { enabled, ...policy }: Policy,
  now: Date,
) => {
  const row = { ...policy, checked_id: "0", due_at: enabled ? now : db`'infinity'` };
  return db`
    INSERT INTO cleanup_policies ${db({ account_id: accountId, ...row } as never)}
    ON CONFLICT (account_id) DO UPDATE SET ${db(row as never)}
  `;
};

/** Selects policies that have waited longest, without those of people who cannot act. */
export const selectDuePolicies = (db: Db, now: Date, limit: number) => db<PolicyRow[]>`
  SELECT ${columns(db)} FROM cleanup_policies p
  WHERE due_at <= ${now}
    AND EXISTS (SELECT FROM users u WHERE u.account_id = p.account_id AND NOT u.disabled)
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = p.account_id AND a.suspended_at IS NOT NULL)
  ORDER BY due_at LIMIT ${limit}
`;

export const updateProgress = (db: Db, accountId: string, checkedId: string, dueAt: Date) => db`
  UPDATE cleanup_policies SET checked_id = ${checkedId}, due_at = ${dueAt} WHERE account_id = ${accountId}
`;

/** Posts that one statement looks at. */
export const LOOKED_AT = 500;

type Looked = { id: string; goes: boolean };

const condition = (db: Db, isOn: boolean, sql: ReturnType<typeof db>) => (isOn ? sql : db``);

/**
 * Selects the oldest posts and boosts after `checked_id` and before `before`, each with whether the rule allows its
 * deletion.
 */
export const selectOld = (db: Db, policy: PolicyRow, before: string) => db<Looked[]>`
  WITH old AS MATERIALIZED (
    SELECT * FROM statuses
    WHERE account_id = ${policy.account_id} AND id > ${policy.checked_id} AND id < ${before}
    ORDER BY id LIMIT ${LOOKED_AT}
  )
  SELECT s.id, true
    ${condition(db, policy.keep_direct, db`AND NOT ${isDirect(db, "s")}`)}
    ${condition(db, policy.keep_media, db`AND NOT s.has_media`)}
    ${condition(db, policy.keep_polls, db`AND NOT EXISTS (SELECT FROM polls p WHERE p.status_id = s.id)`)}
    ${condition(db, policy.keep_pinned, db`AND NOT EXISTS (SELECT FROM status_pins p WHERE p.status_id = s.id)`)}
    ${condition(
      db,
      policy.keep_favourited,
      db`AND NOT EXISTS (SELECT FROM favourites f WHERE f.status_id = s.id AND f.account_id = s.account_id)`,
    )}
    ${condition(
      db,
      policy.keep_bookmarked,
      db`AND NOT EXISTS (SELECT FROM bookmarks b WHERE b.status_id = s.id AND b.account_id = s.account_id)`,
    )}
    ${condition(
      db,
      policy.min_favourites !== null,
      db`AND coalesce(t.favourites_count, 0) < ${policy.min_favourites}`,
    )}
    ${condition(db, policy.min_reblogs !== null, db`AND coalesce(t.reblogs_count, 0) < ${policy.min_reblogs}`)}
    AS goes
  FROM old s LEFT JOIN status_stats t ON t.status_id = s.id
  ORDER BY s.id
`;
