// SQL of avatars without a small version.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";

export type LargeAvatar = { id: string; avatar_key: string; avatar_static_key: string | null };

export const selectWithoutSmall = (db: Db, limit: number) => db<LargeAvatar[]>`
  SELECT id, avatar_key, avatar_static_key FROM accounts
  WHERE avatar_key IS NOT NULL AND avatar_small_key IS NULL ORDER BY id LIMIT ${limit}
`;

/** Returns false where the avatar was replaced meanwhile. */
export const setSmall = async (db: Db, { id, avatar_key }: LargeAvatar, key: string) => {
  const { count } = await db`
    UPDATE accounts SET avatar_small_key = ${key}
    WHERE id = ${id} AND avatar_key = ${avatar_key} AND avatar_small_key IS NULL
  `;
  invalidate(db, `account:${id}`);
  return count === 1;
};
