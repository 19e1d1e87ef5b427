// All SQL of the drafts slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Draft } from "../statuses/post.ts";

export type DraftRow = {
  id: string;
  version: number;
  /** Posts in order, as they were sent. */
  statuses: Draft[];
  scheduled_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** The part of a draft that its author sets. */
export type DraftInput = Pick<DraftRow, "statuses" | "scheduled_at">;

const columns = (db: Db) => db`id, version, statuses, scheduled_at, created_at, updated_at`;

export const selectDraftPage = (db: Db, accountId: string, page: Page) => db<DraftRow[]>`
  SELECT ${columns(db)} FROM drafts
  WHERE account_id = ${accountId} AND ${inPage(db, page)}
`;

export const selectDraft = (db: Db, accountId: string, id: string): Promise<DraftRow | null> =>
  firstRow(db<DraftRow[]>`
    SELECT ${columns(db)} FROM drafts WHERE id = ${id} AND account_id = ${accountId}
  `);

export const selectDraftByKey = (db: Db, accountId: string, key: string) =>
  firstRow(db<DraftRow[]>`
    SELECT ${columns(db)} FROM drafts WHERE account_id = ${accountId} AND idempotency_key = ${key}
  `);

export const countDrafts = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM drafts WHERE account_id = ${accountId}
  `);

type NewDraft = DraftInput & { accountId: string; key: string | null; now: Date };

export const insertDraft = async (db: Db, draft: NewDraft): Promise<DraftRow> => {
  const { accountId, statuses, scheduled_at: at, key, now } = draft;
  const [row] = await db<DraftRow[]>`
    INSERT INTO drafts
      (account_id, statuses, scheduled_at, idempotency_key, created_at, updated_at)
    VALUES (${accountId}, ${db.json(statuses as never)}, ${at}, ${key}, ${now}, ${now})
    RETURNING ${columns(db)}
  `;
  return row!;
};

type ChangedDraft = DraftInput & { id: string; accountId: string; version: number; now: Date };

/** Returns null where the draft does not exist or has another version. */
export const updateDraft = async (db: Db, draft: ChangedDraft): Promise<DraftRow | null> => {
  const { id, accountId, version, statuses, scheduled_at: at, now } = draft;
  return firstRow(db<DraftRow[]>`
    UPDATE drafts SET statuses = ${db.json(statuses as never)}, scheduled_at = ${at},
      version = version + 1, updated_at = ${now}
    WHERE id = ${id} AND account_id = ${accountId} AND version = ${version}
    RETURNING ${columns(db)}
  `);
};

export const deleteDraft = (db: Db, accountId: string, id: string): Promise<boolean> =>
  hasRows(db`DELETE FROM drafts WHERE id = ${id} AND account_id = ${accountId}`);
