// SQL of scheduled posts.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Draft } from "./post.ts";

/**
 * A post as it was sent. `reblog_of_id` makes it a boost of that post, whose address is its text; `thread` has the
 * posts after the first one.
 */
export type ScheduledDraft = Draft & { reblog_of_id?: string; thread?: Draft[] };

export type ScheduledRow = {
  id: string;
  account_id: string;
  scheduled_at: Date;
  draft: ScheduledDraft;
  app_id: string | null;
  /** Why it was refused at its time; null where it was not. */
  fault: string | null;
};

const columns = (db: Db) => db`id, account_id, scheduled_at, draft, app_id, fault`;

type NewScheduled = Omit<ScheduledRow, "id" | "fault"> & { idempotency_key: string | null };

/** Returns null when the idempotency key was used already. */
export const insertScheduled = (db: Db, row: NewScheduled): Promise<ScheduledRow | null> =>
  firstRow(db<ScheduledRow[]>`
    INSERT INTO scheduled_statuses (account_id, scheduled_at, draft, app_id, idempotency_key)
    VALUES (
      ${row.account_id}, ${row.scheduled_at}, ${db.json(row.draft as never)}, ${row.app_id},
      ${row.idempotency_key}
    )
    ON CONFLICT (account_id, idempotency_key) DO NOTHING
    RETURNING ${columns(db)}
  `);

export const selectScheduledByKey = (db: Db, accountId: string, key: string) =>
  firstRow(db<ScheduledRow[]>`
    SELECT ${columns(db)} FROM scheduled_statuses
    WHERE account_id = ${accountId} AND idempotency_key = ${key}
  `);

/** Selects the boost of a post that a person scheduled, among the few rows of one person. */
export const selectScheduledReblog = (db: Db, accountId: string, targetId: string) =>
  firstRow(db<ScheduledRow[]>`
    SELECT ${columns(db)} FROM scheduled_statuses
    WHERE account_id = ${accountId} AND draft ->> 'reblog_of_id' = ${targetId}
  `);

/** Counts a person's scheduled posts, all of threads, in total and on the UTC day of `at`, without `exceptId`. */
export const countScheduled = async (db: Db, accountId: string, at: Date, exceptId: string) => {
  const day = new Date(at);
  day.setUTCHours(0, 0, 0, 0);
  const next = new Date(day.getTime() + 24 * 3600_000);
  const [row] = await db<{ total: number; that_day: number }[]>`
    SELECT
      coalesce(sum(posts), 0)::int AS total,
      coalesce(sum(posts) FILTER (WHERE scheduled_at >= ${day} AND scheduled_at < ${next}), 0)::int
        AS that_day
    FROM (
      SELECT scheduled_at, 1 + coalesce(jsonb_array_length(draft -> 'thread'), 0) AS posts
      FROM scheduled_statuses WHERE account_id = ${accountId} AND id <> ${exceptId}
    ) AS s
  `;
  return row!;
};

export const selectScheduledPage = (db: Db, accountId: string, page: Page) => db<ScheduledRow[]>`
  SELECT ${columns(db)} FROM scheduled_statuses
  WHERE account_id = ${accountId} AND ${inPage(db, page)}
`;

export const selectScheduled = (db: Db, id: string, accountId: string | null = null) =>
  firstRow(db<ScheduledRow[]>`
    SELECT ${columns(db)} FROM scheduled_statuses
    WHERE id = ${id} ${accountId === null ? db`` : db`AND account_id = ${accountId}`}
  `);

export const updateScheduled = async (db: Db, id: string, at: Date): Promise<void> => {
  await db`UPDATE scheduled_statuses SET scheduled_at = ${at}, fault = NULL WHERE id = ${id}`;
};

export const updateFault = async (db: Db, id: string, fault: string): Promise<void> => {
  await db`UPDATE scheduled_statuses SET fault = ${fault} WHERE id = ${id}`;
};

export const deleteScheduled = async (db: Db, id: string): Promise<void> => {
  await db`DELETE FROM scheduled_statuses WHERE id = ${id}`;
};

/** Returns false where it was cancelled, or posted meanwhile. */
export const lockScheduled = async (db: Db, id: string): Promise<boolean> =>
  (await db`SELECT FROM scheduled_statuses WHERE id = ${id} FOR UPDATE`).length > 0;
