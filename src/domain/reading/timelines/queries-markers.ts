// SQL of the markers: how far a person has read.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstValue } from "../../../platform/db/rows.ts";

export type MarkerRow = {
  timeline: string;
  last_read_id: string;
  version: number;
  updated_at: Date;
};

export const selectMarkers = (db: Db, userId: string, timelines: string[]) => db<MarkerRow[]>`
  SELECT timeline, last_read_id, version, updated_at FROM markers
  WHERE user_id = ${userId} AND timeline = ANY(${timelines})
  ORDER BY timeline
`;

/** `version` is the one that was seen before, 0 for none. */
type NewMarker = { timeline: string; lastReadId: string; version: number };

const upsertMarkers = (db: Db, userId: string, markers: NewMarker[], now: Date) => db<MarkerRow[]>`
  INSERT INTO markers AS m (user_id, timeline, last_read_id, version, updated_at)
  SELECT ${userId}::bigint, timeline, "lastReadId", version + 1, ${now}::timestamptz
  FROM jsonb_to_recordset(${db.json(markers)}) AS w (
    timeline text, "lastReadId" bigint, version int
  )
  ORDER BY timeline
  ON CONFLICT (user_id, timeline) DO UPDATE SET
    last_read_id = excluded.last_read_id, version = excluded.version,
    updated_at = excluded.updated_at
  WHERE m.version = excluded.version - 1
  RETURNING timeline, last_read_id, version, updated_at
`;

/** Writes markers that nobody changed since they were seen; the others are missing from the response. */
export const writeMarkers = async (
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  markers: NewMarker[],
  now: Date,
): Promise<MarkerRow[]> => {
  const rows = await upsertMarkers(db, userId, markers, now);
  if (rows.some(({ timeline }) => timeline === "notifications"))
    invalidate(db, `markers:${accountId}`);
  return [...rows];
};

/** Selects among an account's notifications with a former id the newest up to this one; null where there is none. */
export const selectNotificationUpTo = (db: Db, accountId: string, formerId: string) =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM notifications WHERE account_id = ${accountId} AND former_id <= ${formerId}
    ORDER BY former_id DESC LIMIT 1
  `);
