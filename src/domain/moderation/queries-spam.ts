// SQL of dry runs of rules against spam: the posts of the last day.

import type { Db } from "../../platform/db/index.ts";
import { openToEverybody } from "../statuses/fragments.ts";

export type RecentPost = {
  id: string;
  account_id: string;
  content: string;
  spoiler_text: string;
  created_at: Date;
  mention_ids: string[];
  /** Everybody may see it. */
  open: boolean;
};

/** Newest first; boosts have no text of their own. */
export const selectRecentPosts = (
  db: Db,
  range: { from: string; below: string },
  limit: number,
) => db<RecentPost[]>`
  SELECT s.id, s.account_id, s.content, s.spoiler_text, s.created_at, ${openToEverybody(db, "s")} AS open,
    ARRAY(SELECT m.account_id::text FROM mentions m WHERE m.status_id = s.id) AS mention_ids
  FROM statuses s
  WHERE s.id >= ${range.from} AND s.id < ${range.below} AND s.reblog_of_id IS NULL
  ORDER BY s.id DESC LIMIT ${limit}
`;

export const selectAnOwner = async (db: Db): Promise<string | null> => {
  const [row] = await db<{ account_id: string }[]>`
    SELECT account_id FROM users WHERE role_id = 3 ORDER BY id LIMIT 1
  `;
  return row?.account_id ?? null;
};
