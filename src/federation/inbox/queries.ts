// All SQL of the inbox: what waits, what is done, and the questions that judge an activity.

import type { Db } from "../../platform/db/index.ts";

export const retryIncoming = (db: Db, id: string, retryAt: Date) => db`
  UPDATE incoming_activities SET retry_at = ${retryAt}, claimed_until = NULL WHERE id = ${id}
`;

export const deleteDoneBefore = (db: Db, before: Date) => db`
  DELETE FROM incoming_activities WHERE done_at < ${before}
`;

export const insertEarlyDelete = (db: Db, actorUri: string, uri: string, now: Date) => db`
  INSERT INTO early_deletes (actor_uri, uri, created_at) VALUES (${actorUri}, ${uri}, ${now})
  ON CONFLICT (uri, actor_uri) DO NOTHING
`;

export const selectEarlyDelete = async (db: Db, actorUri: string, uri: string): Promise<boolean> =>
  (await db`SELECT 1 FROM early_deletes WHERE uri = ${uri} AND actor_uri = ${actorUri}`).length > 0;

export const deleteEarlyDeletesBefore = (db: Db, before: Date) => db`
  DELETE FROM early_deletes WHERE created_at < ${before}
`;

export type KnownActor = {
  id: string;
  uri: string;
  domain: string | null;
  followers_url: string | null;
  featured_url: string | null;
  featured_tags_url: string | null;
  username: string;
  suspended: boolean;
};

export const selectActor = async (db: Db, uri: string): Promise<KnownActor | null> => {
  const [row] = await db<KnownActor[]>`
    SELECT id, uri, domain, username, followers_url, featured_url, featured_tags_url,
           suspended_at IS NOT NULL AS suspended
    FROM accounts WHERE uri = ${uri}
  `;
  return row ?? null;
};

/** Ids of those that are known, by uri; suspended ones are left out. */
export const selectActorIds = (db: Db, uris: string[]) => db<{ id: string; uri: string }[]>`
  SELECT id, uri FROM accounts WHERE uri = ANY(${uris}) AND suspended_at IS NULL
`;

export type KnownStatus = {
  id: string;
  account_id: string;
  local: boolean;
  visibility: string;
  reblog_of_id: string | null;
};

export const selectStatusByUri = async (db: Db, uri: string): Promise<KnownStatus | null> => {
  const [row] = await db<KnownStatus[]>`
    SELECT id, account_id, local, visibility, reblog_of_id FROM statuses WHERE uri = ${uri}
  `;
  return row ?? null;
};

/** Whether somebody here follows the account. */
export const selectIsFollowedHere = async (db: Db, accountId: string): Promise<boolean> => {
  const [row] = await db<{ yes: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM follows f JOIN accounts a ON a.id = f.account_id AND a.domain IS NULL
      WHERE f.target_account_id = ${accountId}
    ) AS yes
  `;
  return row!.yes;
};

/** Whether one of the addresses is an account of ours. */
export const selectAnyLocal = async (db: Db, uris: string[]): Promise<boolean> => {
  const rows = await db`
    SELECT 1 FROM accounts WHERE uri = ANY(${uris}) AND domain IS NULL LIMIT 1
  `;
  return rows.length > 0;
};

/** Whose favourite, follow, request or block has this activity id, and towards whom. */
export type KnownAct = { kind: "follow" | "like" | "block"; targetId: string };

export const selectActByUri = async (
  db: Db,
  accountId: string,
  uri: string,
): Promise<KnownAct | null> => {
  const [row] = await db<KnownAct[]>`
    SELECT 'follow' AS kind, target_account_id AS "targetId" FROM follows
    WHERE uri = ${uri} AND account_id = ${accountId}
    UNION ALL
    SELECT 'follow', target_account_id FROM follow_requests
    WHERE uri = ${uri} AND account_id = ${accountId}
    UNION ALL
    SELECT 'like', status_id FROM favourites WHERE uri = ${uri} AND account_id = ${accountId}
    UNION ALL
    SELECT 'block', target_account_id FROM blocks
    WHERE account_id = ${accountId} AND uri = ${uri}
    LIMIT 1
  `;
  return row ?? null;
};

/** The person here who asked to follow (or follows) `targetId` by this Follow activity. */
export const selectFollowerByUri = async (
  db: Db,
  targetId: string,
  uri: string,
): Promise<string | null> => {
  const [row] = await db<{ account_id: string }[]>`
    SELECT account_id FROM follow_requests WHERE uri = ${uri} AND target_account_id = ${targetId}
    UNION ALL
    SELECT account_id FROM follows WHERE uri = ${uri} AND target_account_id = ${targetId}
    LIMIT 1
  `;
  return row?.account_id ?? null;
};

/** What a reply needs to know of the status that it answers. */
export const selectParent = async (db: Db, uri: string) => {
  const [row] = await db<{ id: string; accountId: string; conversationId: string | null }[]>`
    SELECT id, account_id AS "accountId", conversation_id AS "conversationId"
    FROM statuses WHERE uri = ${uri} AND reblog_of_id IS NULL
  `;
  return row ?? null;
};
