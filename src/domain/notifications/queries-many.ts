// SQL that tells many people of many happenings at once.

import type { Db } from "../../platform/db/index.ts";
import { heard, inEarshot } from "./queries.ts";
import type { Candidate } from "./queries.ts";
import type { Happening } from "./tables.ts";

/** `authorId`: of the status, `n`: the place in the list. */
export type Told = Happening & { n: number; accountId: string; authorId: string };
export type ManyCandidate = Candidate & { n: number };

/** The same rules as selectCandidates, for favourites, reblogs, mentions and new statuses. */
export const selectManyCandidates = (db: Db, told: Told[], now: Date) => db<ManyCandidate[]>`
  SELECT
    w.n, r.id,
    EXISTS (SELECT FROM follows f
      WHERE f.account_id = r.id AND f.target_account_id = w."authorId") AS following,
    EXISTS (SELECT FROM blocks b
      WHERE b.account_id = w."authorId" AND b.target_account_id = r.id) AS blocked_by
  FROM jsonb_to_recordset(${db.json(told)}) AS w (
    n int, "accountId" bigint, "fromId" bigint, type text, "statusId" bigint, "authorId" bigint
  )
  JOIN accounts r ON r.id = w."accountId" AND r.domain IS NULL AND r.suspended_at IS NULL
  JOIN accounts s ON s.id = w."fromId" AND s.suspended_at IS NULL
  WHERE r.id <> s.id
    AND ${heard(db, db`r.id`, db`s.id`, now)}
    AND ${inEarshot(db, db`r.id`, db`w."statusId"`)}
    AND CASE w.type
      WHEN 'favourite' THEN EXISTS (SELECT FROM favourites f
        WHERE f.account_id = s.id AND f.status_id = w."statusId")
      WHEN 'reblog' THEN EXISTS (SELECT FROM statuses o
        WHERE o.account_id = s.id AND o.reblog_of_id = w."statusId")
      WHEN 'mention' THEN EXISTS (SELECT FROM mentions m
        WHERE m.status_id = w."statusId" AND m.account_id = r.id)
      ELSE true
    END
`;

/** The new ones; those that are there already stay as they are. */
export const insertManyNotifications = (db: Db, told: Told[], now: Date) => db<
  { id: string; account_id: string }[]
>`
    INSERT INTO notifications (account_id, from_account_id, type, status_id, created_at)
    SELECT "accountId", "fromId", type, "statusId", ${now}::timestamptz
    FROM jsonb_to_recordset(${db.json(told)}) AS w (
      n int, "accountId" bigint, "fromId" bigint, type text, "statusId" bigint
    )
    ORDER BY n
    ON CONFLICT DO NOTHING
    RETURNING id, account_id
  `;

/** Removes what undone acts had told. */
export const deleteHappenings = async (
  db: Db,
  undone: { fromId: string; type: string; statusId: string }[],
): Promise<void> => {
  if (undone.length === 0) return;
  await db`
    DELETE FROM notifications n
    USING jsonb_to_recordset(${db.json(undone)})
      AS w ("fromId" bigint, type text, "statusId" bigint)
    WHERE n.status_id = w."statusId" AND n.from_account_id = w."fromId" AND n.type = w.type
  `;
};
