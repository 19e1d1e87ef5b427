// All SQL of the spam slice.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import type { Conditions, MatchRow, MatchState, RuleRow, SpamAction, Tried } from "./tables.ts";

export const RULES_CHANGED = "spam-rules:";

export const selectRules = (db: Db) => db<RuleRow[]>`SELECT * FROM spam_rules ORDER BY id`;

export const selectRule = (db: Db, id: string): Promise<RuleRow | null> =>
  firstRow(db<RuleRow[]>`SELECT * FROM spam_rules WHERE id = ${id}`);

export type RuleValues = { name: string; conditions: Conditions; actions: SpamAction[] };

export const insertRule = async (
  db: Db,
  { conditions, ...values }: RuleValues & { account_id: string | null },
  now: Date,
): Promise<string> => {
  const row = { ...values, conditions: db.json(conditions), created_at: now, updated_at: now };
  const id = await onlyValue(db<{ id: string }[]>`
    INSERT INTO spam_rules ${db(row as never)} RETURNING id
  `);
  invalidate(db, RULES_CHANGED);
  return id;
};

/** Requires a new dry run where conditions changed. */
export const updateRule = async (
  db: Db,
  id: string,
  { conditions, ...rest }: RuleValues,
  now: Date,
) => {
  const row = { ...rest, conditions: db.json(conditions), updated_at: now };
  await db`
    UPDATE spam_rules SET ${db(row as never)}, tried_at = NULL, enabled = false WHERE id = ${id}
  `;
  invalidate(db, RULES_CHANGED);
};

export const updateEnabled = async (db: Db, id: string, enabled: boolean) => {
  await db`UPDATE spam_rules SET enabled = ${enabled} WHERE id = ${id}`;
  invalidate(db, RULES_CHANGED);
};

export const updateTried = (db: Db, id: string, tried: Tried, at: Date) => db`
  UPDATE spam_rules SET tried_at = ${at}, tried = ${db.json(tried)} WHERE id = ${id}
`;

export const deleteRule = async (db: Db, id: string) => {
  await db`DELETE FROM spam_rules WHERE id = ${id}`;
  invalidate(db, RULES_CHANGED);
};

export type AuthorFacts = {
  id: string;
  domain: string | null;
  created_at: Date;
  followers: string;
  staff: boolean;
};

export const selectAuthors = (db: Db, ids: string[]) => db<AuthorFacts[]>`
  SELECT a.id, a.domain, a.created_at, coalesce(s.followers_count, 0) AS followers,
    EXISTS (SELECT FROM users u WHERE u.account_id = a.id AND u.role_id <> -99) AS staff
  FROM accounts a LEFT JOIN account_stats s ON s.account_id = a.id
  WHERE a.id = ANY(${ids}::bigint[])
`;

export type Mentioned = { n: number; authorId: string; mentionedId: string };

/** Counts for each `n` the mentioned people who do not follow the author. */
export const selectStrangers = (db: Db, mentioned: Mentioned[]) => db<
  { n: number; count: number }[]
>`
  SELECT m.n, count(*)::int AS count
  FROM jsonb_to_recordset(${db.json(mentioned)}) AS m (n int, "authorId" bigint, "mentionedId" bigint)
  WHERE m."authorId" <> m."mentionedId"
    AND NOT EXISTS (SELECT FROM follows f
      WHERE f.account_id = m."mentionedId" AND f.target_account_id = m."authorId")
  GROUP BY m.n
`;

export const selectDescriptions = (db: Db, uploadIds: string[]) => db<
  { id: string; description: string }[]
>`
  SELECT id, description FROM media_attachments
  WHERE id = ANY(${uploadIds}::bigint[]) AND description IS NOT NULL
`;

export type Written = { hash: string; accountId: string };

/** Remembers who wrote what; returns how many accounts wrote each text since then. */
export const countTexts = async (db: Db, written: Written[], since: Date, now: Date) => {
  const distinct = [
    ...new Map(written.map((row) => [`${row.hash} ${row.accountId}`, row])).values(),
  ];
  await db`
    INSERT INTO spam_texts (hash, account_id, at)
    SELECT decode(hash, 'hex'), "accountId", ${now}::timestamptz
    FROM jsonb_to_recordset(${db.json(distinct)}) AS t (hash text, "accountId" bigint)
    ORDER BY 1, 2
    ON CONFLICT (hash, account_id) DO UPDATE SET at = excluded.at
  `;
  return db<{ hash: string; count: number }[]>`
    SELECT encode(hash, 'hex') AS hash, count(*)::int AS count FROM spam_texts
    WHERE hash = ANY(ARRAY(SELECT decode(h, 'hex') FROM unnest(${written.map(({ hash }) => hash)}::text[]) AS h))
      AND at > ${since}
    GROUP BY hash
  `;
};

export type NewMatch = Pick<
  MatchRow,
  | "rule_id"
  | "account_id"
  | "status_id"
  | "state"
  | "text"
  | "post"
  | "idempotency_key"
  | "created_at"
>;

/** An Idempotency-Key, and the account that sent something with it. */
export type SentKey = { accountId: string; key: string };

/** Prevents others from storing stopped posts under these keys until the transaction ends. */
export const lockKeys = (db: Db, keys: SentKey[]) => db`
  SELECT pg_advisory_xact_lock(hashtextextended(account_id || ' ' || key, 0)) FROM (
    SELECT "accountId" AS account_id, key
    FROM jsonb_to_recordset(${db.json(keys)}) AS k ("accountId" text, key text) ORDER BY 1, 2
  ) AS in_order
`;

/** Selects posts that were stopped under these keys since then. */
export const selectStopped = (db: Db, keys: SentKey[], since: Date) => db<
  Pick<MatchRow, "account_id" | "idempotency_key" | "state">[]
>`
  SELECT m.account_id, m.idempotency_key, m.state
  FROM jsonb_to_recordset(${db.json(keys)}) AS k ("accountId" bigint, key text)
  JOIN spam_matches m ON m.account_id = k."accountId" AND m.idempotency_key = k.key
  WHERE m.created_at > ${since} AND m.state <> 'published'
  ORDER BY m.id
`;

/** Selects posts of one author that wait for a moderator, the newest first. */
export const selectHeldOf = (db: Db, accountId: string, limit: number) => db<MatchRow[]>`
  SELECT * FROM spam_matches WHERE account_id = ${accountId} AND state = 'held' AND post IS NOT NULL
  ORDER BY id DESC LIMIT ${limit}
`;

/** Stores matches and counts them; returns ids in the order of the matches. */
export const insertMatches = (db: Db, matches: NewMatch[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    WITH new_matches AS (
      SELECT snowflake() AS id, g.* FROM jsonb_to_recordset(${db.json(matches as never)}) AS g (
        rule_id bigint, account_id bigint, status_id bigint, state text, text text, post jsonb,
        idempotency_key text, created_at timestamptz)
    ), counted AS (
      UPDATE spam_rules r SET hits = r.hits + c.count
      FROM (SELECT rule_id, count(*) AS count FROM new_matches GROUP BY 1) c WHERE r.id = c.rule_id
    )
    INSERT INTO spam_matches (id, rule_id, account_id, status_id, state, text, post, idempotency_key, created_at)
    SELECT id, rule_id, account_id, status_id, state, text, post, idempotency_key, created_at FROM new_matches
    RETURNING id
  `);

export const updateMatch = (
  db: Db,
  id: string,
  change: Partial<Pick<MatchRow, "limited" | "report_id">>,
) => db`UPDATE spam_matches SET ${db(change as never)} WHERE id = ${id}`;

/** Returns false where it was decided already. */
export const decideMatch = (
  db: Db,
  id: string,
  from: MatchState[],
  to: MatchState,
  statusId: string | null = null,
): Promise<boolean> =>
  hasRows(db`
    UPDATE spam_matches SET state = ${to}, post = NULL, status_id = coalesce(${statusId}::bigint, status_id)
    WHERE id = ${id} AND state = ANY(${from})
  `);

export const selectMatch = (db: Db, id: string): Promise<MatchRow | null> =>
  firstRow(db<MatchRow[]>`SELECT * FROM spam_matches WHERE id = ${id}`);

export const selectHeld = (db: Db, limit: number) => db<MatchRow[]>`
  SELECT * FROM spam_matches WHERE state = 'held' ORDER BY id LIMIT ${limit}
`;

/** Most held posts that are counted. */
const COUNTED = 1000;

export const countHeldMatches = (db: Db): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM spam_matches WHERE state = 'held' LIMIT ${COUNTED}
    ) AS held
  `);

export const selectMatches = (db: Db, ruleId: string, before: string, limit: number) => db<
  MatchRow[]
>`
  SELECT * FROM spam_matches WHERE rule_id = ${ruleId} AND id < ${before} ORDER BY id DESC LIMIT ${limit}
`;
