// SQL of posts that are sent to groups.

import { deleteSliceOf } from "../../platform/db/delete-older.ts";
import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { InThread } from "./events.ts";
import type { PostState } from "./tables.ts";

/** A post by its author that names a group, or may. */
export type Sent = {
  groupId: string;
  statusId: string;
  accountId: string;
  conversationId: string | null;
};

export type Arrival = Sent & {
  /** It follows the group, owns or moderates it. */
  isMember: boolean;
  isBlocked: boolean;
  /** The author is limited on this server, or the group wants to see posts first. */
  isHeld: boolean;
  /** How many posts of the author it took since. */
  recent: number;
};

/**
 * Of these, those whose account is a group: how its author stands to it. All by keys, but for the posts since then,
 * which are as many as a group takes.
 */
export const selectArrivals = (db: Db, sent: Sent[], since: Date) => db<Arrival[]>`
  SELECT g.account_id AS "groupId", s.status_id AS "statusId", s.account_id AS "accountId",
    s.conversation_id AS "conversationId",
    o.moderates OR EXISTS (
      SELECT FROM follows f
      WHERE f.account_id = s.account_id AND f.target_account_id = g.account_id
    ) AS "isMember",
    EXISTS (
      SELECT FROM blocks b
      WHERE b.account_id = g.account_id AND b.target_account_id = s.account_id
    ) AS "isBlocked",
    NOT o.moderates AND (g.holds_posts OR a.silenced_at IS NOT NULL) AS "isHeld",
    (
      SELECT count(*)::int FROM group_posts p
      WHERE p.account_id = s.account_id AND p.group_id = g.account_id AND p.created_at > ${since}
        AND p.status_id <> s.status_id
    ) AS recent
  FROM unnest(
    ${sent.map(({ groupId }) => groupId)}::bigint[],
    ${sent.map(({ statusId }) => statusId)}::bigint[],
    ${sent.map(({ accountId }) => accountId)}::bigint[],
    ${sent.map(({ conversationId }) => conversationId)}::bigint[]
  ) AS s (group_id, status_id, account_id, conversation_id)
  JOIN groups g ON g.account_id = s.group_id
  JOIN accounts ga ON ga.id = g.account_id AND ga.suspended_at IS NULL
  JOIN accounts a ON a.id = s.account_id
  CROSS JOIN LATERAL (
    SELECT s.account_id IS NOT DISTINCT FROM g.owner_id OR EXISTS (
      SELECT FROM group_moderators m
      WHERE m.group_id = g.account_id AND m.account_id = s.account_id
    ) AS moderates
  ) o
`;

/** What became of it: what it says by now where it is known already. */
export const insertPost = async (
  db: Db,
  { groupId, statusId, accountId, conversationId }: Sent,
  state: PostState,
  at: Date,
): Promise<PostState> => {
  const [row] = await db<[{ state: PostState }]>`
    INSERT INTO group_posts AS p
      (group_id, status_id, account_id, conversation_id, state, created_at)
    VALUES (${groupId}, ${statusId}, ${accountId}, ${conversationId}, ${state}, ${at})
    ON CONFLICT (group_id, status_id) DO UPDATE SET state = p.state
    RETURNING state
  `;
  return row.state;
};

type InGroup = Pick<Sent, "groupId" | "statusId">;

/** Null: it was never sent to the group. */
export const selectPostState = async (db: Db, { groupId, statusId }: InGroup) => {
  const [row] = await db<{ state: PostState }[]>`
    SELECT state FROM group_posts WHERE group_id = ${groupId} AND status_id = ${statusId}
  `;
  return row?.state ?? null;
};

export const updatePost = (db: Db, { groupId, statusId }: InGroup, state: PostState) => db`
  UPDATE group_posts SET state = ${state} WHERE group_id = ${groupId} AND status_id = ${statusId}
`;

type Answer = { statusId: string; accountId: string; conversationId: string };

/** The groups in whose threads members answered; a thread is in few. Who is banned or limited is not told of. */
export const selectThreads = (db: Db, answers: Answer[]) => db<InThread[]>`
  SELECT DISTINCT p.group_id AS "groupId", r.status_id AS "statusId"
  FROM unnest(
    ${answers.map(({ statusId }) => statusId)}::bigint[],
    ${answers.map(({ accountId }) => accountId)}::bigint[],
    ${answers.map(({ conversationId }) => conversationId)}::bigint[]
  ) AS r (status_id, account_id, conversation_id)
  JOIN group_posts p ON p.conversation_id = r.conversation_id AND p.state = 'shared'
  JOIN follows f ON f.account_id = r.account_id AND f.target_account_id = p.group_id
  JOIN accounts a ON a.id = r.account_id AND a.silenced_at IS NULL
`;

/** Those that wait for a moderator. */
export const selectHeld = (db: Db, groupId: string, page: Page) => db<{ id: string }[]>`
  SELECT status_id AS id FROM group_posts
  WHERE group_id = ${groupId} AND state = 'held'
    AND status_id > ${lowerBound(page)} AND status_id < ${upperBound(page)}
  ORDER BY status_id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
`;

/** A slice of what a group has of posts and acts; true when there may be more. */
export const deleteSliceOfGroup = async (db: Db, groupId: string): Promise<boolean> => {
  const isMore = await deleteSliceOf(db, "group_posts", "group_id", groupId);
  return (await deleteSliceOf(db, "group_acts", "group_id", groupId)) || isMore;
};
