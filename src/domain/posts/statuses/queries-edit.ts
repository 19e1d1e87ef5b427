// SQL that changes a stored status: its versions, its columns, mentions and links.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { mediaJson } from "../../base/media/fragments.ts";
import { isDirect } from "./fragments.ts";
import type { StatusValues } from "./tables.ts";
import type { NewMention } from "./queries-write.ts";

export const replaceMentions = async (db: Db, statusId: string, mentions: NewMention[]) => {
  await db`DELETE FROM mentions WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
  if (mentions.length === 0) return;
  await db`
    INSERT INTO mentions (status_id, account_id, silent, direct)
    SELECT s.id, "accountId", bool_and(silent), ${isDirect(db)}
    FROM jsonb_to_recordset(${db.json(mentions)}) AS m ("accountId" bigint, silent boolean)
    JOIN statuses s ON s.id = ${statusId}
    GROUP BY s.id, "accountId"
  `;
};

/** Versions of a status that are kept: the first and the newest. */
export const KEPT_EDITS = 100;

/** Stores the current version as an earlier one. */
export const insertEdit = (db: Db, statusId: string) => db`
  WITH dropped AS (
    DELETE FROM status_edits e
    WHERE e.status_id = ${statusId}
      AND e.id > (SELECT min(id) FROM status_edits WHERE status_id = ${statusId})
      AND e.id < (
        SELECT id FROM status_edits WHERE status_id = ${statusId}
        ORDER BY id DESC OFFSET ${KEPT_EDITS - 3} LIMIT 1
      )
  )
  INSERT INTO status_edits
    (status_id, text, content_type, content, spoiler_text, sensitive, emojis, poll_options, media, created_at)
  SELECT
    id, text, content_type, content, spoiler_text, sensitive, emojis,
    (SELECT options FROM polls p WHERE p.status_id = s.id),
    coalesce((
      SELECT json_agg(${mediaJson(db)} ORDER BY ma.position)
      FROM media_attachments ma WHERE ma.status_id = s.id
    ), '[]'),
    coalesce(edited_at, created_at)
  FROM statuses s WHERE id = ${statusId}
`;

type StatusUpdate = Partial<StatusValues>;

export const updateStatus = async (db: Db, statusId: string, change: StatusUpdate) => {
  const { emojis, card_hash: hash, ...rest } = change;
  const json = emojis && { emojis: db.json(emojis as never) };
  const card = hash === undefined ? {} : { card_hash: hash && Buffer.from(hash.slice(2), "hex") };
  await db`
    UPDATE statuses SET ${db({ ...rest, ...json, ...card } as never)} WHERE id = ${statusId}
  `;
  invalidate(db, `status:${statusId}`);
};

export const lockStatus = async (db: Db, statusId: string): Promise<boolean> =>
  (await db`SELECT 1 FROM statuses WHERE id = ${statusId} FOR UPDATE`).length > 0;

/** Inserts links of public statuses; `hash` is in hexadecimal. */
export const insertLinks = async (db: Db, rows: { statusId: string; hash: string }[]) => {
  await db`
    INSERT INTO status_links (url_hash, status_id)
    SELECT decode(hash, 'hex'), "statusId"
    FROM jsonb_to_recordset(${db.json(rows)}) AS l ("statusId" bigint, hash text)
    ON CONFLICT (url_hash, status_id) DO NOTHING
  `;
};

export const deleteLinks = (db: Db, statusId: string) => db`
  DELETE FROM status_links WHERE status_id = ${statusId}
`;

/** Returns those that were different before. */
export const updateSensitive = async (db: Db, ids: string[], sensitive: boolean) => {
  const rows = await db<{ id: string }[]>`
    UPDATE statuses SET sensitive = ${sensitive}
    WHERE id = ANY(${ids}::bigint[]) AND sensitive <> ${sensitive} RETURNING id
  `;
  invalidate(db, ...rows.map(({ id }) => `status:${id}` as const));
  return rows.map(({ id }) => id);
};
