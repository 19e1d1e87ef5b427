// SQL that searches in what people write about themselves.

import type { Db } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { likeText } from "./queries-search.ts";

export type BioSearch = {
  viewerId: string;
  /** All words have to occur, in any order; each has at least three letters. */
  words: string[];
  limit: number;
  offset: number;
};

/** Matches that are ranked; the number is part of the statement's text, as in queries-search.ts. */
const MAX_MATCHES = "500";

/** Makes the expression of the index accounts_bio. */
const bio = (db: Db) => db`regexp_replace(a.note_html, '<[^<>]*>', ' ', 'g')`;

const hasAll = (db: Db, words: string[]) =>
  words.map((word) => db`AND ${bio(db)} ILIKE ${`%${likeText(word)}%`}`);

/**
 * Selects ids of accounts that want to be discovered: those that the viewer follows first, then the most followed.
 * Leaves out limited, moved and pending accounts, and those with a block either way.
 */
export const selectByBio = async (db: Db, search: BioSearch): Promise<string[]> => {
  const { viewerId, words, limit, offset } = search;
  return valuesOf(db<{ id: string }[]>`
    WITH matching AS MATERIALIZED (
      SELECT a.id FROM accounts a
      WHERE a.discoverable AND a.suspended_at IS NULL AND a.note_html <> '' ${hasAll(db, words)}
      LIMIT ${db.unsafe(MAX_MATCHES)}
    )
    SELECT a.id
    FROM matching
    JOIN accounts a ON a.id = matching.id
    LEFT JOIN account_stats s ON s.account_id = a.id
    LEFT JOIN users u ON u.account_id = a.id
    LEFT JOIN follows f ON f.account_id = ${viewerId} AND f.target_account_id = a.id
    WHERE a.silenced_at IS NULL AND a.moved_to_account_id IS NULL
      AND (u.id IS NULL OR (u.confirmed_at IS NOT NULL AND u.approved))
      AND NOT EXISTS (
        SELECT FROM blocks b WHERE (b.account_id = a.id AND b.target_account_id = ${viewerId})
          OR (b.account_id = ${viewerId} AND b.target_account_id = a.id)
      )
    ORDER BY f.id IS NOT NULL DESC, coalesce(s.followers_count, 0) DESC, a.id DESC
    LIMIT ${limit} OFFSET ${offset}
  `);
};
