// SQL of muted hashtags.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { hasRows, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";

/** Key that invalidates the cached value of whether anybody mutes a tag. */
export const MUTES_CHANGED = "tag-mutes:";

export const selectAnyMute = (db: Db): Promise<boolean> =>
  hasRows(db`SELECT FROM tag_mutes LIMIT 1`);

export const upsertTagMute = async (
  db: Db,
  accountId: string,
  tagId: string,
  expiresAt: Date | null,
): Promise<void> => {
  await db`
    INSERT INTO tag_mutes (account_id, tag_id, expires_at)
    VALUES (${accountId}, ${tagId}, ${expiresAt})
    ON CONFLICT (account_id, tag_id) DO UPDATE SET expires_at = excluded.expires_at
  `;
  invalidate(db, MUTES_CHANGED);
};

export const countMuted = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM tag_mutes WHERE account_id = ${accountId}
  `);

export const deleteTagMute = async (db: Db, accountId: string, name: string): Promise<void> => {
  await db`
    DELETE FROM tag_mutes m USING tags t
    WHERE m.account_id = ${accountId} AND t.id = m.tag_id AND t.name = ${name}
  `;
  invalidate(db, MUTES_CHANGED);
};

/** Returns false where the mute was undone, or has another end by now. */
export const deleteEndedTagMute = async (db: Db, accountId: string, tagId: string, now: Date) => {
  const rows = await db`
    DELETE FROM tag_mutes
    WHERE account_id = ${accountId} AND tag_id = ${tagId} AND expires_at <= ${now} RETURNING id
  `;
  invalidate(db, MUTES_CHANGED);
  return rows.length > 0;
};

/** Selects the tags that a person mutes, the last muted first; `page_id` pages the list. */
export const selectMutedTags = (db: Db, accountId: string, page: Page) => db<
  { id: string; page_id: string }[]
>`
  SELECT tag_id AS id, id AS page_id FROM tag_mutes
  WHERE account_id = ${accountId} AND ${inPage(db, page, "tag_mutes.id")}
`;
