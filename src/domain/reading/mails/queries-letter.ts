// SQL of monthly letters: recipients and contents.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow } from "../../../platform/db/rows.ts";
import { openTo, openToFollowers } from "../../posts/statuses/fragments.ts";
import { claimIds } from "./queries.ts";

/** Claims people who want letters and got none of this month (its first day), by the index users_letters. */
export const claimLetters = (db: Db, { day, limit }: { day: string; limit: number }) =>
  claimIds(db, {
    set: db`letter_month = ${day}::date`,
    who: db`u.settings -> 'mails' -> 'letter' = 'true'::jsonb
      AND (u.letter_month IS NULL OR u.letter_month < ${day}::date)`,
    limit,
  });

/** Bounds of a month as ids, and the beginning of the month before. */
export type Range = { before: string; from: string; to: string };

export type PostFigures = {
  is_before: boolean;
  posts: number;
  replies: number;
  boosts: number;
  favourites_received: number;
  boosts_received: number;
  replies_received: number;
};

/**
 * Counts for the month and the one before, where there were posts; without private mentions. Uses the index
 * statuses_account.
 */
export const selectPostFigures = (db: Db, accountId: string, { before, from, to }: Range) => db<
  PostFigures[]
>`
  SELECT s.id < ${from} AS is_before,
    count(*) FILTER (WHERE s.reblog_of_id IS NULL)::int AS posts,
    count(*) FILTER (WHERE s.in_reply_to_id IS NOT NULL)::int AS replies,
    count(*) FILTER (WHERE s.reblog_of_id IS NOT NULL)::int AS boosts,
    coalesce(sum(t.favourites_count) FILTER (WHERE s.reblog_of_id IS NULL), 0)::int AS favourites_received,
    coalesce(sum(t.reblogs_count) FILTER (WHERE s.reblog_of_id IS NULL), 0)::int AS boosts_received,
    coalesce(sum(t.replies_count) FILTER (WHERE s.reblog_of_id IS NULL), 0)::int AS replies_received
  FROM statuses s LEFT JOIN status_stats t ON t.status_id = s.id
  WHERE s.account_id = ${accountId} AND s.id >= ${before} AND s.id < ${to}
    AND ${openToFollowers(db)}
  GROUP BY 1
`;

/** Counts people who followed since then and still do, by the index follows_target. */
export const selectNewFollowers = (db: Db, accountId: string, { before, from, to }: Range) =>
  onlyRow(db<{ now: number; before: number }[]>`
    SELECT count(*) FILTER (WHERE id >= ${from})::int AS now,
      count(*) FILTER (WHERE id < ${from})::int AS before
    FROM follows WHERE target_account_id = ${accountId} AND id >= ${before} AND id < ${to}
  `);

export type TopPost = { id: string; text: string; favourites: number; boosts: number };

/**
 * Selects the post of the month with most favourites and boosts that everybody may read, because it is sent in a mail.
 */
export const selectTopPost = (db: Db, accountId: string, { from, to }: Range) =>
  firstRow(db<TopPost[]>`
    SELECT s.id, coalesce(nullif(s.spoiler_text, ''), s.text, '') AS text,
      t.favourites_count::int AS favourites, t.reblogs_count::int AS boosts
    FROM statuses s JOIN status_stats t ON t.status_id = s.id
    WHERE s.account_id = ${accountId} AND s.id >= ${from} AND s.id < ${to}
      AND s.reblog_of_id IS NULL AND ${openTo(db, "world")} AND NOT s.awaits_approval
      AND t.favourites_count + t.reblogs_count > 0
    ORDER BY t.favourites_count + t.reblogs_count DESC, s.id DESC LIMIT 1
  `);
