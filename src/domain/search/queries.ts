// All SQL of the search slice.

import type { Db } from "../../platform/db/index.ts";

/** Tags whose name begins so, the very name first, then the most used. */
export const selectTagsByPrefix = async (
  db: Db,
  { prefix, limit, offset }: { prefix: string; limit: number; offset: number },
): Promise<string[]> => {
  const like = `${prefix.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const rows = await db<{ name: string }[]>`
    SELECT t.name
    FROM (SELECT id, name FROM tags WHERE name LIKE ${like} ORDER BY name LIMIT 1000) t
    LEFT JOIN LATERAL (
      SELECT count(*) AS uses FROM (
        SELECT FROM statuses_tags s WHERE s.tag_id = t.id LIMIT 100
      ) AS marked
    ) used ON true
    ORDER BY t.name = ${prefix} DESC, used.uses DESC, t.name
    LIMIT ${limit} OFFSET ${offset}
  `;
  return rows.map((row) => row.name);
};

/** What is known of an address elsewhere: a status or an account, by its own address or its page's. */
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
