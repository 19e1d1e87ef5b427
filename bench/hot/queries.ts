// The bulk SQL of what a hot spot finds there; by a superuser, on a filled world (queries-fill.ts).

import type { Db } from "../../src/platform/db/index.ts";
import { localId } from "../world.ts";

/** Of favourites of public posts, one a second until now, in groups of half a day; gives how many. */
export const insertNotificationsOf = async (
  db: Db,
  person: number,
  count: number,
): Promise<number> => {
  const rows = await db`
    INSERT INTO notifications (id, account_id, from_account_id, type, status_id, created_at, group_key)
    SELECT (ms << 16) | (n % 60000), ${localId(person)}, who, 'favourite', post, to_timestamp(ms / 1000),
      concat_ws('-', 'favourite', post, ms / 43200000 * 12)
    FROM (
      SELECT n, who, post, (extract(epoch FROM now()) * 1000)::bigint - n * 1000 AS ms FROM (
        SELECT row_number() OVER () AS n, a.id AS who, s.id AS post
        FROM (SELECT id FROM statuses WHERE visibility = 'public' AND reblog_of_id IS NULL LIMIT 1000) AS s,
          (SELECT id FROM accounts WHERE domain IS NOT NULL LIMIT ${Math.ceil(count / 100)}) AS a
        LIMIT ${count}
      ) AS pairs
    ) AS made
    ON CONFLICT DO NOTHING
  `;
  await db`ANALYZE notifications`;
  return rows.count;
};

export const insertBlocksOf = async (db: Db, person: number, count: number): Promise<number> => {
  const rows = await db`
    INSERT INTO blocks (account_id, target_account_id)
    SELECT ${localId(person)}, id FROM accounts WHERE domain IS NOT NULL
    ORDER BY id DESC LIMIT ${count} ON CONFLICT DO NOTHING
  `;
  return rows.count;
};

/** A list of accounts of other servers. */
export const insertLargeList = async (
  db: Db,
  owner: number,
  count: number,
): Promise<{ id: string; count: number }> => {
  const [list] = await db<{ id: string }[]>`
    INSERT INTO lists (account_id, title) VALUES (${localId(owner)}, 'everybody') RETURNING id
  `;
  const rows = await db`
    INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    SELECT ${list!.id}, id, ${localId(owner)}, false FROM accounts WHERE domain IS NOT NULL
    ORDER BY id LIMIT ${count}
  `;
  return { id: list!.id, count: rows.count };
};

/** Every public post has the tag; gives how many have it. */
export const insertTagEverywhere = async (db: Db, name: string): Promise<number> => {
  const rows = await db`
    INSERT INTO statuses_tags (status_id, tag_id)
    SELECT s.id, t.id FROM statuses s, tags t
    WHERE t.name = ${name} AND s.visibility = 'public' AND s.reblog_of_id IS NULL
    ON CONFLICT DO NOTHING
  `;
  await db`ANALYZE statuses_tags`;
  return rows.count;
};
