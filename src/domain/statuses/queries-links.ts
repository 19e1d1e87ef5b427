// SQL of the links in public statuses.

import type { Db } from "../../platform/db/index.ts";

/** `hash`: in hexadecimal. */
export const insertLinks = async (
  db: Db,
  rows: { statusId: string; hash: string }[],
): Promise<void> => {
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
