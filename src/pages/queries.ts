// SQL of the public pages: which posts are on them. Whether anybody may see each is judged again, by the rules, when it
// is loaded.

import type { Db } from "../platform/db/index.ts";
import { valuesOf } from "../platform/db/rows.ts";
import { listedPublicly, openTo } from "../domain/posts/statuses/fragments.ts";

/** Selects a person's posts and boosts, newest first, without replies to others. */
export const selectByAccount = (db: Db, accountId: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses s
    WHERE account_id = ${accountId} AND ${openTo(db, "world")}
      AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id)
    ORDER BY id DESC LIMIT ${limit}
  `);

/** Selects public posts with a tag (its folded name), newest first. */
export const selectByTag = (db: Db, name: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT s.id
    FROM statuses_tags t JOIN statuses s ON s.id = t.status_id
    JOIN accounts a ON a.id = s.account_id AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    WHERE t.tag_id = (SELECT id FROM tags WHERE name = ${name}) AND ${listedPublicly(db)}
    ORDER BY t.status_id DESC LIMIT ${limit}
  `);
