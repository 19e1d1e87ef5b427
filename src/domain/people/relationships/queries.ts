// SQL that reads relations, and all SQL of endorsements, notes and blocked domains, whose writes invalidate
// `domains:ACCOUNT` (statuses/cache.ts).

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { onlyRow, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage, lowerBound, upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Listed, Pair } from "./events.ts";
import { invalidateFollow, unnested } from "./queries-write.ts";
import type { EndedFollow } from "./queries-write.ts";
import type { FollowSettings, ListedRow, Relation } from "./tables.ts";

/**
 * Makes the condition that `table` has the pair. It is not a join: with ten, the planner would try every order, for
 * each connection anew.
 */
const hasPair = (db: Db, table: string, from: Fragment, to: Fragment) => db`(
  SELECT true FROM ${db(table)} WHERE account_id = ${from} AND target_account_id = ${to}
) IS NOT NULL`;

/** Lists the columns of the relation of `viewer` to the account `t.id`; see `relationJoins`. */
const relationColumns = (db: Db, viewer: Fragment) => {
  const account = db`t.id`;
  return db`
    t.id AS account_id,
    f.id IS NOT NULL AS following,
    coalesce(f.show_reblogs, fr.show_reblogs, false) AS show_reblogs,
    coalesce(f.show_replies, fr.show_replies, false) AS show_replies,
    coalesce(f.daily_limit, fr.daily_limit) AS daily_limit,
    coalesce(f.notify, fr.notify, false) AS notify,
    coalesce(f.languages, fr.languages) AS languages,
    fr.id IS NOT NULL AS requested,
    ${hasPair(db, "follows", account, viewer)} AS followed_by,
    ${hasPair(db, "follow_requests", account, viewer)} AS requested_by,
    ${hasPair(db, "blocks", viewer, account)} AS blocking,
    ${hasPair(db, "blocks", account, viewer)} AS blocked_by,
    m.id IS NOT NULL AS muting,
    coalesce(m.hide_notifications, false) AS muting_notifications,
    m.expires_at AS muting_expires_at,
    ${blocksDomain(db, viewer, account)} AS domain_blocking,
    ${hasPair(db, "endorsements", viewer, account)} AS endorsed,
    coalesce((
      SELECT comment FROM account_notes WHERE account_id = ${viewer} AND target_account_id = t.id
    ), '') AS note`;
};

/** Makes the condition that `blocker` blocks the domain of `other`. */
const blocksDomain = (db: Db, blocker: Fragment, other: Fragment) => db`EXISTS (
  SELECT FROM account_domain_blocks d
  WHERE d.account_id = ${blocker} AND d.domain = (SELECT domain FROM accounts WHERE id = ${other})
)`;

/** `now` decides which mutes have expired. */
const relationJoins = (db: Db, viewer: Fragment, now: Date) => db`
  LEFT JOIN follows f ON f.account_id = ${viewer} AND f.target_account_id = t.id
  LEFT JOIN follow_requests fr ON fr.account_id = ${viewer} AND fr.target_account_id = t.id
  LEFT JOIN mutes m ON m.account_id = ${viewer} AND m.target_account_id = t.id
    AND (m.expires_at IS NULL OR m.expires_at > ${now})`;

/** Selects the viewer's relation to each account. */
export const selectRelations = (db: Db, viewerId: string, accountIds: string[], now: Date) => {
  const viewer = db`${viewerId}::bigint`;
  return db<Relation[]>`
    SELECT ${relationColumns(db, viewer)}
    FROM unnest(${accountIds}::bigint[]) AS t (id) ${relationJoins(db, viewer, now)}
  `;
};

/** A relation, and whether the other blocks the whole domain of the account. */
export type Standing = Relation & { domain_blocked_by: boolean };

/** Selects the relation of the account of each pair to the other, in the order of the pairs. */
export const selectStandings = (db: Db, pairs: Pair[], now: Date) => {
  const viewer = db`t.viewer`;
  return db<Standing[]>`
    SELECT ${relationColumns(db, viewer)}, ${blocksDomain(db, db`t.id`, viewer)} AS domain_blocked_by
    FROM ${unnested(db, pairs)} WITH ORDINALITY AS t (viewer, id, n) ${relationJoins(db, viewer, now)}
    ORDER BY t.n
  `;
};

export const selectRequesters = (db: Db, targetId: string) => db<{ account_id: string }[]>`
  SELECT account_id FROM follow_requests WHERE target_account_id = ${targetId} ORDER BY id
`;

/** Selects the local people who blocked, muted or noted an account, those after `after`, in the order of their ids. */
export const selectPeopleConcerned = (db: Db, targetId: string, after: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id FROM (
      SELECT account_id FROM blocks WHERE target_account_id = ${targetId}
      UNION SELECT account_id FROM mutes WHERE target_account_id = ${targetId}
      UNION SELECT account_id FROM account_notes WHERE target_account_id = ${targetId}
    ) AS p JOIN accounts a ON a.id = p.account_id AND a.domain IS NULL
    WHERE a.id > ${after} ORDER BY a.id LIMIT ${limit}
  `);

export type MovingFollower = FollowSettings & { id: string; account_id: string };

/** Selects local followers and those who requested it, in the order of that; each part is read from its index. */
export const selectMovingFollowers = (db: Db, targetId: string, after: string, limit: number) => {
  const of = (table: "follows" | "follow_requests") => db`(
    SELECT f.id, f.account_id, f.show_reblogs, f.show_replies, f.daily_limit, f.notify, f.languages
    FROM ${db(table)} f JOIN accounts a ON a.id = f.account_id AND a.domain IS NULL
    WHERE f.target_account_id = ${targetId} AND f.id > ${after}
    ORDER BY f.id LIMIT ${limit}
  )`;
  return db<MovingFollower[]>`
    ${of("follows")} UNION ALL ${of("follow_requests")} ORDER BY id LIMIT ${limit}
  `;
};

/** Selects the uris of the Follow activities of existing follows and requests. */
export const selectFollowUris = (db: Db, pairs: Pair[]) => {
  const of = (table: "follows" | "follow_requests") => db`
    SELECT f.account_id, f.target_account_id, f.uri
    FROM ${unnested(db, pairs)} AS p (account_id, target_id)
    JOIN ${db(table)} f ON f.account_id = p.account_id AND f.target_account_id = p.target_id
    WHERE f.uri IS NOT NULL`;
  return db<{ account_id: string; target_account_id: string; uri: string }[]>`
    ${of("follows")} UNION ALL ${of("follow_requests")}
  `;
};

/** Which column of a relation is given and which is listed. */
export type PeopleList = {
  table: "follows" | "follow_requests" | "blocks" | "mutes";
  of: "account_id" | "target_account_id";
  list: "account_id" | "target_account_id";
};

/** Leaves out accounts that the viewer blocks, or that block the viewer. */
const withoutBlocks = (db: Db, viewerId: string | null) =>
  viewerId === null
    ? db``
    : db`AND NOT EXISTS (
        SELECT FROM blocks b
        WHERE (b.account_id = ${viewerId} AND b.target_account_id = a.id)
           OR (b.account_id = a.id AND b.target_account_id = ${viewerId})
      )`;

const inForce = (db: Db, table: string, now: Date) =>
  table === "mutes" ? db`AND (r.expires_at IS NULL OR r.expires_at > ${now})` : db``;

/** Selects accounts in a relation, newest first, without suspended ones; `hideFor` also applies blocks. */
export const selectPeople = (
  db: Db,
  people: PeopleList,
  accountId: string,
  page: Page,
  options: { hideFor: string | null; now: Date },
) => db<ListedRow[]>`
  SELECT a.id, r.id AS page_id
  FROM ${db(people.table)} r JOIN accounts a ON a.id = r.${db(people.list)}
  WHERE r.${db(people.of)} = ${accountId} AND a.suspended_at IS NULL
    ${inForce(db, people.table, options.now)} ${withoutBlocks(db, options.hideFor)}
    AND ${inPage(db, page, "r.id")}
`;

/** Selects those of the person's lists with the account, or with anybody at the domain; at most a thousand. */
export const selectListed = async (
  db: Db,
  ownerId: string,
  whom: { targetId: string } | { domain: string },
): Promise<Listed[]> => {
  const rows = await db<{ list_id: string; account_id: string; exclusive: boolean }[]>`
    SELECT la.list_id, la.account_id, la.exclusive
    FROM list_accounts la
    WHERE la.owner_id = ${ownerId} AND ${
      "domain" in whom
        ? db`(SELECT domain FROM accounts WHERE id = la.account_id) = ${whom.domain}`
        : db`la.account_id = ${whom.targetId}`
    }
    LIMIT 1000
  `;
  return rows.map(({ list_id, account_id, exclusive }) => ({
    listId: list_id,
    accountId: account_id,
    exclusive,
  }));
};

/** Selects the lists of these people. */
export const selectListIds = (db: Db, accountIds: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM lists WHERE account_id = ANY(${accountIds}::bigint[])
  `);

/** Returns false when the account is not followed; locks the follow until the transaction ends. */
export const insertEndorsement = async (db: Db, accountId: string, targetId: string) => {
  const [row] = await db<{ followed: boolean }[]>`
    WITH followed AS (
      SELECT account_id, target_account_id FROM follows
      WHERE account_id = ${accountId} AND target_account_id = ${targetId} FOR KEY SHARE
    ), new_endorsement AS (
      INSERT INTO endorsements (account_id, target_account_id)
      SELECT account_id, target_account_id FROM followed ON CONFLICT (account_id, target_account_id) DO NOTHING
    )
    SELECT EXISTS (SELECT FROM followed) AS followed
  `;
  invalidate(db, `relations:${accountId}`);
  return row!.followed;
};

export const deleteEndorsement = async (db: Db, accountId: string, targetId: string) => {
  await db`
    DELETE FROM endorsements WHERE account_id = ${accountId} AND target_account_id = ${targetId}
  `;
  invalidate(db, `relations:${accountId}`);
};

/** Selects the accounts that an account recommends, paged by their ids, without suspended and pending ones. */
export const selectEndorsed = (db: Db, accountId: string, page: Page, viewerId: string | null) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id
    FROM endorsements e JOIN accounts a ON a.id = e.target_account_id
    WHERE e.account_id = ${accountId} AND a.suspended_at IS NULL
      AND e.target_account_id > ${lowerBound(page)} AND e.target_account_id < ${upperBound(page)}
      ${
        viewerId === null
          ? db``
          : db`AND NOT EXISTS (
              SELECT FROM blocks b
              WHERE (b.account_id = ${viewerId} AND b.target_account_id = a.id)
                 OR (b.account_id = a.id AND b.target_account_id = ${viewerId})
            )`
      }
    ORDER BY e.target_account_id DESC LIMIT ${page.limit}
  `);

export const upsertNote = async (db: Db, accountId: string, targetId: string, comment: string) => {
  await db`
    INSERT INTO account_notes (account_id, target_account_id, comment)
    VALUES (${accountId}, ${targetId}, ${comment})
    ON CONFLICT (account_id, target_account_id) DO UPDATE SET comment = excluded.comment
  `;
  invalidate(db, `relations:${accountId}`);
};

export const deleteNote = async (db: Db, accountId: string, targetId: string): Promise<void> => {
  await db`
    DELETE FROM account_notes WHERE account_id = ${accountId} AND target_account_id = ${targetId}
  `;
  invalidate(db, `relations:${accountId}`);
};

/**
 * Selects for each account `limit` of its followers whom the viewer follows too, newest follow first. Leaves out
 * accounts that hide their follows, and followers of accounts that hide them, except for the viewer's own.
 */
export const selectFamiliar = (db: Db, viewerId: string, accountIds: string[], limit: number) =>
  db<{ id: string; follower_ids: string[] }[]>`
    SELECT t.id, coalesce(CASE WHEN t.hide_collections IS NOT TRUE OR t.id = ${viewerId} THEN (
      SELECT (array_agg(f.account_id::text ORDER BY f.id DESC))[1:${limit}::int]
      FROM follows mine
      JOIN follows f ON f.account_id = mine.target_account_id AND f.target_account_id = t.id
      JOIN accounts a ON a.id = f.account_id
        AND a.suspended_at IS NULL AND a.hide_collections IS NOT TRUE
      WHERE mine.account_id = ${viewerId}
    ) END, '{}') AS follower_ids
    FROM accounts t WHERE t.id = ANY(${accountIds}::bigint[])
  `;

export const selectDomainPage = (db: Db, accountId: string, page: Page) => db<
  { domain: string; page_id: string }[]
>`
  SELECT domain, id AS page_id FROM account_domain_blocks
  WHERE account_id = ${accountId} AND ${inPage(db, page)}
`;

/** Counts the follows in each direction that a block of the domain would end. */
export const countFollowsAt = (db: Db, accountId: string, domain: string) =>
  onlyRow(db<{ following: number; followers: number }[]>`
    SELECT
      (SELECT count(*)::int FROM follows f
        JOIN accounts a ON a.id = f.target_account_id AND a.domain = ${domain}
        WHERE f.account_id = ${accountId}) AS following,
      (SELECT count(*)::int FROM follows f
        JOIN accounts a ON a.id = f.account_id AND a.domain = ${domain}
        WHERE f.target_account_id = ${accountId}) AS followers
  `);

/** Returns false when it was blocked already. */
export const insertDomainBlock = async (db: Db, accountId: string, domain: string) => {
  const { count } = await db`
    INSERT INTO account_domain_blocks (account_id, domain) VALUES (${accountId}, ${domain})
    ON CONFLICT (account_id, domain) DO NOTHING
  `;
  invalidate(db, `domains:${accountId}`);
  return count > 0;
};

export const deleteDomainBlock = async (db: Db, accountId: string, domain: string) => {
  await db`
    DELETE FROM account_domain_blocks WHERE account_id = ${accountId} AND domain = ${domain}
  `;
  invalidate(db, `domains:${accountId}`);
};

/** Makes an id for what a job will store. */
export const selectNextId = (db: Db): Promise<string> =>
  onlyValue(db<{ id: string }[]>`SELECT snowflake() AS id`);

/** Deletes every follow and request between the person and the domain. */
export const deleteFollowsAt = async (db: Db, accountId: string, domain: string) => {
  // Starts from the person's own rows: a domain may have more accounts than anybody follows.
  const end = (table: "follows" | "follow_requests", of: string, there: string) => db`
    DELETE FROM ${db(table)} f USING accounts a
    WHERE f.${db(of)} = ${accountId} AND a.id = f.${db(there)} AND a.domain = ${domain}
    RETURNING f.account_id, f.target_account_id, f.uri, f.show_reblogs, f.show_replies, f.daily_limit,
      f.notify, f.languages
  `;
  const [own, other] = ["account_id", "target_account_id"] as const;
  const rows = await db<EndedFollow[]>`
    WITH following AS (${end("follows", own, other)}),
      followers AS (${end("follows", other, own)}),
      requested AS (${end("follow_requests", own, other)}),
      requesters AS (${end("follow_requests", other, own)})
    SELECT *, true AS followed FROM following UNION ALL SELECT *, true FROM followers
    UNION ALL SELECT *, false FROM requested UNION ALL SELECT *, false FROM requesters
  `;
  for (const row of rows) invalidateFollow(db, row.account_id, row.target_account_id);
  return [...rows];
};
