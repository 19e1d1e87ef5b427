// SQL of the ActivityPub documents and collections of this server.

import type { Db } from "../../platform/db/index.ts";
import { inPage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { valuesOf } from "../../platform/db/rows.ts";
import { NOBODY } from "../../platform/viewer.ts";
import { openTo, visibleTo } from "../../domain/posts/statuses/fragments.ts";

/** Selects the posts and reblogs of an account that everybody may see. */
export const selectOutboxIds = (db: Db, accountId: string, page: Page): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses s
    WHERE account_id = ${accountId} AND ${openTo(db, "world")} AND ${inPage(db, page)}
  `);

type Slice = { limit: number; offset: number };

export const selectFollowerUris = (db: Db, accountId: string, { limit, offset }: Slice) =>
  valuesOf(db<{ uri: string }[]>`
    SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
    WHERE f.target_account_id = ${accountId} AND a.suspended_at IS NULL
    ORDER BY f.id DESC LIMIT ${limit} OFFSET ${offset}
  `);

export const selectFollowingUris = (db: Db, accountId: string, { limit, offset }: Slice) =>
  valuesOf(db<{ uri: string }[]>`
    SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.target_account_id
    WHERE f.account_id = ${accountId} AND a.suspended_at IS NULL
    ORDER BY f.id DESC LIMIT ${limit} OFFSET ${offset}
  `);

/** Selects pinned posts, the last pinned first. */
export const selectPinnedIds = (db: Db, accountId: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT status_id AS id FROM status_pins WHERE account_id = ${accountId}
    ORDER BY status_pins.id DESC LIMIT ${limit}
  `);

type RepliesQuery = {
  statusId: string;
  authorId: string;
  /** Selects replies of other accounts instead of the author's own. */
  others: boolean;
  minId: string;
  limit: number;
};

/** Selects replies to a status that everybody may see, oldest first. */
export const selectReplies = (db: Db, { statusId, authorId, others, minId, limit }: RepliesQuery) =>
  db<{ id: string; uri: string }[]>`
    SELECT s.id, s.uri FROM statuses s
    WHERE s.in_reply_to_id = ${statusId} AND ${visibleTo(db, NOBODY)}
      AND (s.account_id = ${authorId}) <> ${others} AND s.id > ${minId}
    ORDER BY s.id LIMIT ${limit}
  `;
