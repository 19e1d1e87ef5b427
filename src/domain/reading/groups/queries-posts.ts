// SQL of posts that are sent to groups.

import { deleteSliceOf } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstValue, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { InThread } from "./events.ts";
import type { PostState } from "./tables.ts";

/** A post by its author that mentions an account, which may be a group. */
export type Sent = {
  groupId: string;
  statusId: string;
  accountId: string;
  conversationId: string | null;
};

export type Arrival = Sent & {
  /** Whether the author follows, owns or moderates the group. */
  isMember: boolean;
  isBlocked: boolean;
  /** Whether the author is limited on this server, or the group requires approval and the author moderates nothing. */
  isHeld: boolean;
};

/** Selects those of the mentions whose account is a group, with the author's relation to it. Uses keys only. */
export const selectArrivals = (db: Db, sent: Sent[]) => db<Arrival[]>`
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
    a.silenced_at IS NOT NULL OR (g.holds_posts AND NOT o.moderates) AS "isHeld"
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

type InGroup = Pick<Sent, "groupId" | "statusId">;
type ByMember = Pick<Sent, "groupId" | "accountId">;

/** Prevents counting other posts of these members in these groups until the end of the transaction. */
export const lockMembers = async (db: Db, members: ByMember[]): Promise<void> => {
  const keys = members.map(({ groupId, accountId }) => `group-member:${groupId}:${accountId}`);
  await db`
    SELECT pg_advisory_xact_lock(hashtextextended(k.key, 0))
    FROM unnest(${[...new Set(keys)].toSorted()}::text[]) WITH ORDINALITY AS k (key, n) ORDER BY k.n
  `;
};

/** Bound of the posts of a member since `since`; `at` is now. */
type Limit = { since: Date; at: Date; most: number };

/**
 * Takes new posts of each member in their order, up to the limit, which counts earlier ones and those of the same
 * batch. Needs the lock of the members.
 */
export const insertPosts = (db: Db, arrivals: Arrival[], { since, at, most }: Limit) => db`
  WITH fresh AS (
    SELECT s.*, row_number() OVER (PARTITION BY group_id, account_id ORDER BY status_id) AS n
    FROM unnest(
      ${arrivals.map(({ groupId }) => groupId)}::bigint[],
      ${arrivals.map(({ statusId }) => statusId)}::bigint[],
      ${arrivals.map(({ accountId }) => accountId)}::bigint[],
      ${arrivals.map(({ conversationId }) => conversationId)}::bigint[],
      ${arrivals.map(({ isHeld }) => (isHeld ? "held" : "shared"))}::text[]
    ) AS s (group_id, status_id, account_id, conversation_id, state)
    WHERE NOT EXISTS (
      SELECT FROM group_posts p WHERE p.group_id = s.group_id AND p.status_id = s.status_id
    )
  )
  INSERT INTO group_posts (group_id, status_id, account_id, conversation_id, state, created_at)
  SELECT group_id, status_id, account_id, conversation_id, state, ${at} FROM fresh f
  WHERE f.n + (
    SELECT count(*) FROM group_posts p
    WHERE p.account_id = f.account_id AND p.group_id = f.group_id AND p.created_at > ${since}
  ) <= ${most}
  ON CONFLICT DO NOTHING
`;

/** Selects those of the posts that the groups took and boost. */
export const selectShared = (db: Db, posts: InGroup[]) => db<InGroup[]>`
  SELECT p.group_id AS "groupId", p.status_id AS "statusId"
  FROM unnest(
    ${posts.map(({ groupId }) => groupId)}::bigint[],
    ${posts.map(({ statusId }) => statusId)}::bigint[]
  ) AS s (group_id, status_id)
  JOIN group_posts p ON p.group_id = s.group_id AND p.status_id = s.status_id
  WHERE p.state = 'shared'
`;

/** Changes the state where it is one of the given ones; returns the former state, or null. */
export const changeState = (
  db: Db,
  { groupId, statusId }: InGroup,
  { from, to }: { from: PostState[]; to: PostState },
): Promise<PostState | null> =>
  firstValue(db<{ state: PostState }[]>`
    UPDATE group_posts p SET state = ${to} FROM (
      SELECT group_id, status_id, state FROM group_posts
      WHERE group_id = ${groupId} AND status_id = ${statusId} AND state = ANY(${from})
      FOR UPDATE
    ) AS old
    WHERE p.group_id = old.group_id AND p.status_id = old.status_id
    RETURNING old.state
  `);

/** Returns null where it was not sent to the group. */
export const selectState = (db: Db, { groupId, statusId }: InGroup): Promise<PostState | null> =>
  firstValue(db<{ state: PostState }[]>`
    SELECT state FROM group_posts WHERE group_id = ${groupId} AND status_id = ${statusId}
  `);

/** Selects what became of a post in every group that took it. */
export const selectStates = (db: Db, statusId: string) => db<
  { groupId: string; state: PostState }[]
>`
  SELECT group_id AS "groupId", state FROM group_posts WHERE status_id = ${statusId} ORDER BY 1
`;

/** Returns whether the post is this account's own, and the staff limits the account. */
export const isOwnOfLimited = (db: Db, { groupId, statusId, accountId }: InGroup & ByMember) =>
  onlyValue(db<{ is: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM group_posts p JOIN accounts a ON a.id = p.account_id
      WHERE p.group_id = ${groupId} AND p.status_id = ${statusId}
        AND p.account_id = ${accountId} AND a.silenced_at IS NOT NULL
    ) AS is
  `);

type Answer = { statusId: string; accountId: string; conversationId: string };

type AnswerInGroup = InThread & Pick<Sent, "accountId">;

/** Selects the groups in whose threads members replied; a thread is in few. Leaves out banned and limited people. */
export const selectThreads = (db: Db, answers: Answer[]) => db<AnswerInGroup[]>`
  SELECT DISTINCT p.group_id AS "groupId", r.status_id AS "statusId", r.account_id AS "accountId"
  FROM unnest(
    ${answers.map(({ statusId }) => statusId)}::bigint[],
    ${answers.map(({ accountId }) => accountId)}::bigint[],
    ${answers.map(({ conversationId }) => conversationId)}::bigint[]
  ) AS r (status_id, account_id, conversation_id)
  JOIN group_posts p ON p.conversation_id = r.conversation_id AND p.state = 'shared'
  JOIN follows f ON f.account_id = r.account_id AND f.target_account_id = p.group_id
  JOIN accounts a ON a.id = r.account_id AND a.silenced_at IS NULL
`;

/** Works as insertPosts for replies; returns those within the limit, and those that existed. */
export const insertAnswers = (db: Db, answers: AnswerInGroup[], { since, at, most }: Limit) => db<
  InThread[]
>`
  WITH input AS (
    SELECT s.*, EXISTS (
      SELECT FROM group_answers p WHERE p.group_id = s.group_id AND p.status_id = s.status_id
    ) AS is_known
    FROM unnest(
      ${answers.map(({ groupId }) => groupId)}::bigint[],
      ${answers.map(({ statusId }) => statusId)}::bigint[],
      ${answers.map(({ accountId }) => accountId)}::bigint[]
    ) AS s (group_id, status_id, account_id)
  ), fresh AS (
    SELECT g.*, row_number() OVER (PARTITION BY group_id, account_id ORDER BY status_id) AS n
    FROM input g WHERE NOT is_known
  ), inserted AS (
    INSERT INTO group_answers (group_id, status_id, account_id, created_at)
    SELECT group_id, status_id, account_id, ${at} FROM fresh f
    WHERE f.n + (
      SELECT count(*) FROM group_answers p
      WHERE p.account_id = f.account_id AND p.group_id = f.group_id AND p.created_at > ${since}
    ) <= ${most}
    ON CONFLICT DO NOTHING RETURNING group_id, status_id
  )
  SELECT group_id AS "groupId", status_id AS "statusId" FROM inserted
  UNION SELECT group_id, status_id FROM input WHERE is_known
`;

/** Selects posts that wait for a moderator. */
export const selectHeld = (db: Db, groupId: string, page: Page) => db<{ id: string }[]>`
  SELECT status_id AS id FROM group_posts
  WHERE group_id = ${groupId} AND state = 'held' AND ${inPage(db, page, "status_id")}
`;

/** Deletes a slice of a group's posts and acts; returns true when there may be more. */
export const deleteSliceOfGroup = async (db: Db, groupId: string): Promise<boolean> => {
  let isMore = false;
  for (const table of ["group_posts", "group_answers", "group_acts"] as const) {
    isMore = (await deleteSliceOf(db, table, "group_id", groupId)) || isMore;
  }
  return isMore;
};
