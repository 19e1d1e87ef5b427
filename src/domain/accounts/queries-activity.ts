// SQL that keeps when people were last here.

import type { Db } from "../../platform/db/index.ts";

/** Notes the moment and the week; weeks that nobody asks for any more go. */
export const touchActive = (db: Db, userId: string, at: Date) => db`
  WITH moment AS (
    UPDATE users SET last_active_at = ${at} WHERE id = ${userId} RETURNING id
  ), forgotten AS (
    DELETE FROM user_weeks
    WHERE user_id = ${userId} AND week < date_trunc('week', ${at}::timestamptz) - interval '12 weeks'
  )
  INSERT INTO user_weeks (user_id, week)
  SELECT id, date_trunc('week', ${at}::timestamptz) FROM moment
  ON CONFLICT (user_id, week) DO NOTHING
`;
