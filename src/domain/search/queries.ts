// All SQL of the search slice.

import type { Db } from "../../platform/db/index.ts";

/** Of more names with the same prefix not all are ranked. */
const MAX_NAMES = "1000";

type TagSearch = { prefix: string; limit: number; offset: number; excludeUnreviewed: boolean };

const begins = (db: Db, prefix: string) => db`
  t.name COLLATE "C" >= ${prefix} AND t.name COLLATE "C" < ${`${prefix}\u{10ffff}`}
`;

/**
 * Names of tags with the prefix: the exact name first, then by recent users. Of very many, those first by
 * name and the most used are ranked.
 */
export const selectTagsByPrefix = async (db: Db, search: TagSearch): Promise<string[]> => {
  const { prefix, limit, offset, excludeUnreviewed } = search;
  const rows = await db<{ name: string }[]>`
    SELECT t.name
    FROM (
      (SELECT t.id FROM tags t WHERE ${begins(db, prefix)} ORDER BY t.name COLLATE "C" LIMIT ${db.unsafe(MAX_NAMES)})
      UNION
      SELECT t.id FROM trend_tags r JOIN tags t ON t.id = r.tag_id WHERE ${begins(db, prefix)}
    ) named
    JOIN tags t ON t.id = named.id
    LEFT JOIN LATERAL (
      SELECT sum(d.accounts) AS people, sum(d.uses) AS uses FROM tag_days d WHERE d.tag_id = t.id
    ) used ON true
    WHERE t.name = ${prefix}
      OR (t.listable IS NOT FALSE AND (NOT ${excludeUnreviewed}::boolean OR t.reviewed_at IS NOT NULL))
    ORDER BY t.name = ${prefix} DESC, coalesce(used.people, 0) DESC, coalesce(used.uses, 0) DESC, t.name
    LIMIT ${limit} OFFSET ${offset}
  `;
  return rows.map((row) => row.name);
};

/** A known remote status or account, by its URI or its page's URL. */
export const selectKnownAddress = async (db: Db, url: string) => {
  const [row] = await db<{ kind: "status" | "account"; id: string }[]>`
    (SELECT 'status' AS kind, id FROM statuses
     WHERE (uri = ${url} OR (url = ${url} AND NOT local)) AND reblog_of_id IS NULL LIMIT 1)
    UNION ALL
    (SELECT 'account', id FROM accounts WHERE uri = ${url} OR url = ${url} LIMIT 1)
    LIMIT 1
  `;
  return row ?? null;
};
