// SQL of decisions of moderators about hashtags.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";

export const selectTagPage = (db: Db, page: Page): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM tags WHERE ${inPage(db, page)}
  `);

export type TagState = {
  id: string;
  trendable: boolean | null;
  usable: boolean | null;
  listable: boolean | null;
  reviewed: boolean;
};

export const selectTagStates = (db: Db, ids: string[]) => db<TagState[]>`
  SELECT id, trendable, usable, listable, reviewed_at IS NOT NULL AS reviewed
  FROM tags WHERE id = ANY(${ids}::bigint[])
`;

/** Selects the few tags that moderators forbid. */
export const selectUnusable = (db: Db): Promise<string[]> =>
  valuesOf(db<{ name: string }[]>`SELECT name FROM tags WHERE usable = false LIMIT 10000`);

export const selectTagName = (db: Db, id: string): Promise<string | null> =>
  firstValue(db<{ name: string }[]>`SELECT name FROM tags WHERE id = ${id}`);

export const updateTag = async (db: Db, id: string, change: Record<string, unknown>) => {
  await db`UPDATE tags SET ${db(change as never)} WHERE id = ${id}`;
  invalidate(db, "trends:", "tags:");
};
