// SQL of quotes, and of what authors allow others to do with their posts: replies, favourites and boosts.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { hasUri } from "./fragments.ts";
import type { Interaction } from "./rules.ts";
import type { QuoteState } from "./tables.ts";

/** A quote with the two addresses that a QuoteAuthorization names. */
export type FullQuote = {
  id: string;
  status_id: string;
  status_uri: string;
  /** Whether the quoting status is local. */
  local: boolean;
  account_id: string;
  account_uri: string;
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  quoted_uri: string;
  state: QuoteState;
  legacy: boolean;
  approval_uri: string | null;
};

const columns = (db: Db) => db`
  q.id, q.status_id, s.uri AS status_uri, s.local, q.account_id, a.uri AS account_uri,
  q.quoted_status_id, q.quoted_account_id, q.quoted_uri, q.state, q.legacy, q.approval_uri
  FROM quotes q
  JOIN statuses s ON s.id = q.status_id
  JOIN accounts a ON a.id = q.account_id
`;

type QuoteInsert = {
  statusId: string;
  accountId: string;
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  quotedUri: string;
  state: QuoteState;
  legacy: boolean;
  approvalUri: string | null;
  /** URI of the authorization without the quote's id at its end; set for a local quoted author. */
  approvalPrefix: string | null;
};

export const insertQuotes = async (db: Db, quotes: QuoteInsert[]): Promise<void> => {
  await db`
    INSERT INTO quotes (
      id, status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, legacy,
      approval_uri
    )
    SELECT
      q.id, q."statusId", q."accountId", q."quotedStatusId", q."quotedAccountId", q."quotedUri",
      q.state, q.legacy, coalesce(q."approvalUri", q."approvalPrefix" || q.id)
    FROM (
      SELECT snowflake() AS id, g.*
      FROM jsonb_to_recordset(${db.json(quotes)}) AS g (
        "statusId" bigint, "accountId" bigint, "quotedStatusId" bigint, "quotedAccountId" bigint,
        "quotedUri" text, state text, legacy boolean, "approvalUri" text, "approvalPrefix" text
      )
    ) q
    ON CONFLICT (status_id) DO NOTHING
  `;
  invalidate(db, ...quotes.map(({ statusId }) => `status:${statusId}` as const));
};

export const deleteQuote = async (db: Db, statusId: string): Promise<void> => {
  await db`DELETE FROM quotes WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
};

/** Selects the quote in a status. */
export const selectQuote = (db: Db, statusId: string): Promise<FullQuote | null> =>
  firstRow(db<FullQuote[]>`SELECT ${columns(db)} WHERE q.status_id = ${statusId}`);

/** Works as selectQuote, and locks it until the transaction ends. */
export const lockQuote = (db: Db, statusId: string): Promise<FullQuote | null> =>
  firstRow(db<FullQuote[]>`
    SELECT ${columns(db)} WHERE q.status_id = ${statusId} FOR UPDATE OF q
  `);

export const selectQuoteById = (db: Db, id: string): Promise<FullQuote | null> =>
  firstRow(db<FullQuote[]>`SELECT ${columns(db)} WHERE q.id = ${id}`);

type QuoteUpdate = {
  state: QuoteState;
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  approval_uri: string | null;
};

export const updateQuote = async (db: Db, statusId: string, change: QuoteUpdate): Promise<void> => {
  await db`UPDATE quotes SET ${db(change)} WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
};

/** Removes references to these statuses from those that quote them; returns the ids of the quoting ones. */
export const detachQuotes = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ status_id: string }[]>`
    UPDATE quotes SET quoted_status_id = NULL WHERE quoted_status_id = ANY(${ids}::bigint[])
    RETURNING status_id
  `);

/** Selects the statuses that quote this one with its author's approval, newest first. */
export const selectQuoting = (db: Db, statusId: string, page: Page) => db<{ id: string }[]>`
  SELECT status_id AS id FROM quotes
  WHERE quoted_status_id = ${statusId} AND state = 'accepted'
    AND ${inPage(db, page, "status_id")}
`;

/** Selects the local statuses that quote this one, with their authors. */
export const selectLocalQuoting = (db: Db, statusId: string) => db<
  { statusId: string; accountId: string }[]
>`
  SELECT q.status_id AS "statusId", q.account_id AS "accountId"
  FROM quotes q JOIN accounts a ON a.id = q.account_id AND a.domain IS NULL
  WHERE q.quoted_status_id = ${statusId} AND q.state = 'accepted'
`;

/** Sets who may quote a status; returns false when nothing changed. */
export const updatePolicy = async (db: Db, statusId: string, policy: number): Promise<boolean> => {
  const rows = await db`
    UPDATE statuses SET quote_policy = ${policy}
    WHERE id = ${statusId} AND quote_policy <> ${policy} RETURNING 1
  `;
  invalidate(db, `status:${statusId}`);
  return rows.length > 0;
};

/** Sets who may reply to, favourite and boost a status. */
export const updateInteractions = async (db: Db, statusId: string, policy: number) => {
  const rows = await db`
    UPDATE statuses SET interaction_policy = ${policy}
    WHERE id = ${statusId} AND interaction_policy <> ${policy} RETURNING 1
  `;
  invalidate(db, `status:${statusId}`);
  return rows.length > 0;
};

type Done = { accountId: string; targetId: string; uri: string };

/** Selects the stored favourite, reply or boost of the target by the account; null where there is none. */
export const selectInteraction = async (
  db: Db,
  kind: Interaction,
  { accountId, targetId, uri }: Done,
): Promise<string | null> => {
  const find = {
    like: () => db<{ id: string }[]>`
      SELECT id FROM favourites WHERE account_id = ${accountId} AND status_id = ${targetId}
    `,
    reply: () => db<{ id: string }[]>`
      SELECT s.id FROM statuses s
      WHERE ${hasUri(db, uri)} AND s.account_id = ${accountId} AND s.in_reply_to_id = ${targetId}
    `,
    announce: () => db<{ id: string }[]>`
      SELECT id FROM statuses WHERE reblog_of_id = ${targetId} AND account_id = ${accountId}
    `,
  };
  return firstValue(find[kind]());
};

type InteractionRow = {
  interacting_uri: string;
  target_uri: string;
  target_account_id: string;
  /** Id of a status; people who may see it may know of the act. */
  shown_id: string;
};

/** Selects a favourite, reply or boost by its id. */
export const selectInteractionById = async (db: Db, kind: Interaction, id: string) => {
  const from = {
    like: () => db`t.id AS shown_id FROM favourites i JOIN statuses t ON t.id = i.status_id`,
    reply: () => db`i.id AS shown_id FROM statuses i JOIN statuses t ON t.id = i.in_reply_to_id`,
    announce: () => db`i.id AS shown_id FROM statuses i JOIN statuses t ON t.id = i.reblog_of_id`,
  };
  return firstRow(db<InteractionRow[]>`
    SELECT i.uri AS interacting_uri, t.uri AS target_uri, t.account_id AS target_account_id,
      ${from[kind]()}
    WHERE i.id = ${id} AND i.uri IS NOT NULL
  `);
};

/** Selects a favourite of a local account by the address of its Like, if this is the author of the post. */
export const selectOwnFavourite = (db: Db, uri: string, authorId: string) =>
  firstRow(db<{ account_id: string; status_id: string; reaction: string | null }[]>`
    SELECT f.account_id, f.status_id, f.reaction
    FROM favourites f JOIN statuses s ON s.id = f.status_id JOIN accounts a ON a.id = f.account_id
    WHERE f.uri = ${uri} AND s.account_id = ${authorId} AND a.domain IS NULL
  `);

type OwnAnswer = {
  id: string;
  account_id: string;
  awaits_approval: boolean;
  approval_uri: string | null;
  reblog_of_id: string | null;
  in_reply_to_id: string | null;
};

/** Selects and locks the reply to, or boost of, a post of this author by a local account. */
export const lockOwnAnswer = (db: Db, uri: string, authorId: string): Promise<OwnAnswer | null> =>
  firstRow(db<OwnAnswer[]>`
    SELECT s.id, s.account_id, s.awaits_approval, s.approval_uri, s.reblog_of_id, s.in_reply_to_id
    FROM statuses s JOIN statuses t ON t.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
    WHERE ${hasUri(db, uri)} AND s.local AND t.account_id = ${authorId}
    FOR UPDATE OF s
  `);
