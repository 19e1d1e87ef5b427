// SQL that searches among known accounts.

import type { Db } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";

type AccountSearch = {
  viewerId: string;
  /** Part of the username or of the display name. */
  text: string;
  /** Beginning of the host, from a handle with a host; null for any. */
  domain: string | null;
  followingOnly: boolean;
  limit: number;
  offset: number;
};

// The numbers are part of the statement's text: for an unknown limit, a generic plan assumes a tenth of all rows.
/** Matches among which the most followed are ranked. */
const MAX_MATCHES = "500";
const MAX_NAMES = "300";
const MOST_FOLLOWED = "1500";

export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** Matches by the index accounts_username_prefix. */
const begins = (db: Db, text: string) => {
  const prefix = text.toLowerCase();
  return db`lower(a.username::text) COLLATE "C" >= ${prefix}
    AND lower(a.username::text) COLLATE "C" < ${`${prefix}\u{10ffff}`}`;
};

const inDomain = (db: Db, domain: string | null) =>
  domain === null ? db`true` : db`a.domain::text ILIKE ${`${likeText(domain)}%`}`;

const hasText = (db: Db, text: string, name: ReturnType<Db>) => {
  const like = likeText(text);
  return [...text].length < 3
    ? db`(${name} ILIKE ${`${like}%`} OR ${name} ILIKE ${`% ${like}%`})`
    : db`${name} ILIKE ${`%${like}%`}`;
};

/**
 * Matches by trigrams of the index accounts_search. Texts that are too short for trigrams match at the beginning of a
 * word; whole handles match by the beginning of the name alone.
 */
const nameMatch = (db: Db, { text, domain }: AccountSearch) =>
  domain === null ? hasText(db, text, db`(a.username::text || ' ' || a.display_name)`) : db`false`;

/** Matches rows that another index found: a generic plan would read all of accounts_search. */
const nameMatchOf = (db: Db, { text, domain }: AccountSearch) =>
  domain === null
    ? hasText(db, text, db`(a.username::text || ' ' || a.display_name || '')`)
    : db`(starts_with(lower(a.username::text), ${text.toLowerCase()}) AND ${inDomain(db, domain)})`;

const followed = (db: Db, search: AccountSearch) => db`
  SELECT a.id FROM follows f JOIN accounts a ON a.id = f.target_account_id
  WHERE f.account_id = ${search.viewerId} AND ${nameMatchOf(db, search)}
`;

/** Selects a bounded number of each kind, so that a common text costs no more than a rare one. */
const everybody = (db: Db, search: AccountSearch) => db`
  matching AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE ${nameMatch(db, search)} LIMIT ${db.unsafe(MAX_MATCHES)}
  ), name_begins AS MATERIALIZED (
    SELECT a.id FROM accounts a
    WHERE ${begins(db, search.text)} AND ${inDomain(db, search.domain)}
    ORDER BY lower(a.username::text) COLLATE "C" LIMIT ${db.unsafe(MAX_NAMES)}
  ), most_followed AS MATERIALIZED (
    SELECT a.id
    FROM (
      SELECT account_id FROM account_stats WHERE followers_count > 0
      ORDER BY followers_count DESC LIMIT ${db.unsafe(MOST_FOLLOWED)}
    ) s
    JOIN accounts a ON a.id = s.account_id
    WHERE (SELECT count(*) FROM matching) >= ${Number(MAX_MATCHES)} AND ${nameMatchOf(db, search)}
  ), candidates AS (
    SELECT id FROM matching UNION SELECT id FROM name_begins UNION SELECT id FROM most_followed
    UNION ${followed(db, search)}
  )
`;

const alone = (db: Db, search: AccountSearch) => db`
  candidates AS (
    ${followed(db, search)}
    UNION SELECT a.id FROM accounts a WHERE a.id = ${search.viewerId} AND ${nameMatch(db, search)}
  )
`;

/**
 * Selects ids, best first: the exact name, accounts that the viewer follows, names that begin with the text, the most
 * followed. Leaves out suspended, moved and pending accounts and those that block the viewer.
 */
export const searchAccountIds = async (db: Db, search: AccountSearch): Promise<string[]> => {
  const { viewerId, text, followingOnly } = search;
  return valuesOf(db<{ id: string }[]>`
    WITH ${followingOnly ? alone(db, search) : everybody(db, search)}
    SELECT a.id
    FROM candidates c
    JOIN accounts a ON a.id = c.id
    LEFT JOIN account_stats s ON s.account_id = a.id
    LEFT JOIN users u ON u.account_id = a.id
    LEFT JOIN follows f ON f.account_id = ${viewerId} AND f.target_account_id = a.id
    WHERE a.suspended_at IS NULL AND a.moved_to_account_id IS NULL
      AND (u.id IS NULL OR (u.confirmed_at IS NOT NULL AND u.approved))
      AND NOT EXISTS (
        SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_account_id = ${viewerId}
      )
    ORDER BY
      a.username = ${text} DESC, f.id IS NOT NULL DESC,
      a.username::text ILIKE ${`${likeText(text)}%`} DESC,
      coalesce(s.followers_count, 0) DESC, a.id DESC
    LIMIT ${search.limit} OFFSET ${search.offset}
  `);
};
