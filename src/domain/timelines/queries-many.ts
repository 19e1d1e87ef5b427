// SQL that finds the readers of many statuses at once.

import type { Db } from "../../platform/db/index.ts";

export type ManyFanOut = {
  id: string;
  authorId: string;
  isReblog: boolean;
  language: string | null;
  replyToId: string | null;
};

/** Ids come as one text: as rows they cost more to unpack than to find. */
type Readers = { id: string; ids: string };

/** Followers here whose home gets each status: the same rules as selectHomeReaders. */
export const selectManyHomeReaders = (db: Db, statuses: ManyFanOut[]) => db<Readers[]>`
  SELECT w.id, string_agg(f.account_id::text, ',') AS ids
  FROM jsonb_to_recordset(${db.json(statuses)}) AS w (
    id bigint, "authorId" bigint, "isReblog" boolean, language text, "replyToId" bigint
  )
  JOIN follows f ON f.local AND f.target_account_id = w."authorId"
  WHERE (f.show_reblogs OR NOT w."isReblog")
    AND (w.language IS NULL OR f.languages IS NULL OR w.language = ANY(f.languages))
    AND (w."replyToId" IS NULL OR w."replyToId" = w."authorId" OR f.account_id = w."replyToId"
      OR EXISTS (SELECT FROM follows r
        WHERE r.account_id = f.account_id AND r.target_account_id = w."replyToId"))
  GROUP BY w.id
`;

/** Everybody here who may have a status of these authors at home. */
export const selectManyLocalFollowers = (db: Db, authorIds: string[]) => db<Readers[]>`
  SELECT target_account_id AS id, string_agg(account_id::text, ',') AS ids
  FROM follows
  WHERE local AND target_account_id = ANY(${authorIds}::bigint[])
  GROUP BY target_account_id
`;
