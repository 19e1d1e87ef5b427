// SQL of further reactions: an account favourites a post once, but may react to it elsewhere with several emojis. What is
// undone leaves the others.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { FavouriteOf } from "./queries-write.ts";

/** So many are kept beside the first. */
const MAX_FURTHER = 10;

export type RemoteFavourite = FavouriteOf & {
  uri: string;
  reaction?: string | null;
  reactionUrl?: string | null;
};

/** Those of posts that the account favourited by another activity, with an emoji that is not among them. */
export const insertFurther = (db: Db, favourites: RemoteFavourite[]) => db`
  INSERT INTO further_reactions (favourite_id, uri, reaction, reaction_url)
  SELECT f.id, g.uri, g.reaction, g."reactionUrl"
  FROM jsonb_to_recordset(${db.json(favourites)})
    AS g ("accountId" bigint, "statusId" bigint, uri text, reaction text, "reactionUrl" text)
  JOIN favourites f ON f.account_id = g."accountId" AND f.status_id = g."statusId"
  WHERE f.uri <> g.uri AND f.reaction IS DISTINCT FROM g.reaction
    AND (SELECT count(*) FROM further_reactions r WHERE r.favourite_id = f.id) < ${MAX_FURTHER}
    AND NOT EXISTS (
      SELECT FROM further_reactions r
      WHERE r.favourite_id = f.id AND r.reaction IS NOT DISTINCT FROM g.reaction
    )
  ON CONFLICT DO NOTHING
`;

/** Deletes those with these addresses, and gives them. */
export const deleteFurther = (db: Db, uris: string[]) => db<{ uri: string }[]>`
  DELETE FROM further_reactions WHERE uri = ANY(${uris}) RETURNING uri
`;

/** One of the further reactions takes the place of each first one that ends; gives the addresses of those. */
export const promoteFurther = async (db: Db, uris: string[]): Promise<string[]> => {
  const rows = await db<{ uri: string; status_id: string }[]>`
    WITH next AS (
      DELETE FROM further_reactions r USING (
        SELECT DISTINCT ON (f.id) f.id, f.uri AS ended, n.uri
        FROM favourites f JOIN further_reactions n ON n.favourite_id = f.id
        WHERE f.uri = ANY(${uris}) ORDER BY f.id, n.uri
      ) AS t
      WHERE r.favourite_id = t.id AND r.uri = t.uri
      RETURNING r.favourite_id, r.uri, r.reaction, r.reaction_url, t.ended
    )
    UPDATE favourites f
    SET uri = next.uri, reaction = next.reaction, reaction_url = next.reaction_url
    FROM next WHERE f.id = next.favourite_id
    RETURNING next.ended AS uri, f.status_id
  `;
  invalidate(db, ...rows.map((row) => `status:${row.status_id}` as const));
  return rows.map(({ uri }) => uri);
};
