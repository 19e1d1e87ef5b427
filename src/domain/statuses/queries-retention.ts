// SQL of what is deleted by age: idempotency keys, tombstones, and remote statuses that nobody here touched.

import type { Db } from "../../platform/db/index.ts";
import { SLICE, deleteOlder } from "../../platform/db/delete-older.ts";

export const deleteIdempotencyBefore = (db: Db, before: Date) =>
  deleteOlder(db, "status_idempotency", "created_at", before);

export const deleteTombstonesBefore = (db: Db, before: Date) =>
  deleteOlder(db, "tombstones", "created_at", before);

const PASS = "remote_statuses";

/** Starts a pass at this id, unless one is under way. */
export const startPass = (db: Db, beforeId: string) => db`
  INSERT INTO retention_passes (name, before_id) VALUES (${PASS}, ${beforeId})
  ON CONFLICT (name) DO NOTHING
`;

/** Where the pass has got to, locked; null when another process is at it. */
export const lockPass = async (db: Db): Promise<string | null> => {
  const [row] = await db<{ before_id: string }[]>`
    SELECT before_id FROM retention_passes WHERE name = ${PASS} FOR UPDATE SKIP LOCKED
  `;
  return row?.before_id ?? null;
};

export const advancePass = (db: Db, beforeId: string) => db`
  UPDATE retention_passes SET before_id = ${beforeId} WHERE name = ${PASS}
`;

export const endPass = (db: Db) => db`DELETE FROM retention_passes WHERE name = ${PASS}`;

/** A slice of statuses, newest first. */
export const selectSlice = (db: Db, beforeId: string) => db<{ id: string; local: boolean }[]>`
  SELECT id, local FROM statuses WHERE id < ${beforeId} ORDER BY id DESC LIMIT ${SLICE}
`;

/** Of these those that are still there, locked. */
export const lockStatuses = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE
  `;
  return rows.map(({ id }) => id);
};

/**
 * Of these remote statuses those with which nobody here has anything to do: favourites, bookmarks, votes,
 * notifications, mentions, answers, quotes and boosts of statuses from here, conversations that somebody here
 * took part in, direct conversations, filters and reports; nor are they pinned to a profile.
 */
export const selectUntouched = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    WHERE s.id = ANY(${ids}::bigint[]) AND NOT s.local
      AND NOT EXISTS (SELECT FROM favourites f JOIN accounts a ON a.id = f.account_id
        WHERE f.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM bookmarks b WHERE b.status_id = s.id)
      AND NOT EXISTS (SELECT FROM status_pins p WHERE p.status_id = s.id)
      AND NOT EXISTS (SELECT FROM mentions m JOIN accounts a ON a.id = m.account_id
        WHERE m.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM accounts a
        WHERE a.id = s.in_reply_to_account_id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM statuses o WHERE o.id = s.reblog_of_id AND o.local)
      AND NOT EXISTS (SELECT FROM statuses c WHERE c.conversation_id = s.conversation_id AND c.local)
      AND NOT EXISTS (SELECT FROM quotes q JOIN accounts a ON a.id = q.quoted_account_id
        WHERE q.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM polls p JOIN poll_votes v ON v.poll_id = p.id
        WHERE p.status_id = s.id)
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.status_id = s.id)
      AND NOT EXISTS (SELECT FROM account_conversation_statuses c WHERE c.status_id = s.id)
      AND NOT EXISTS (SELECT FROM filter_statuses f WHERE f.status_id = s.id)
      AND NOT EXISTS (SELECT FROM reports r
        WHERE r.target_account_id = s.account_id AND s.id = ANY(r.status_ids))
  `;
  return rows.map(({ id }) => id);
};

/** Of these those that no status outside of them answers, boosts or quotes. */
export const selectUnreferenced = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT g.id FROM unnest(${ids}::bigint[]) AS g (id)
    WHERE NOT EXISTS (SELECT FROM statuses r
        WHERE r.in_reply_to_id = g.id AND r.id <> ALL(${ids}::bigint[]))
      AND NOT EXISTS (SELECT FROM statuses r
        WHERE r.reblog_of_id = g.id AND r.id <> ALL(${ids}::bigint[]))
      AND NOT EXISTS (SELECT FROM quotes q
        WHERE q.quoted_status_id = g.id AND q.status_id <> ALL(${ids}::bigint[]))
  `;
  return rows.map(({ id }) => id);
};
