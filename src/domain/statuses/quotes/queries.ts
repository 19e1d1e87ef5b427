// SQL of quotes: which status quotes which, and whether the quoted author has approved it.

import { invalidate } from "../../../platform/db/invalidate.ts";
import type { Db } from "../../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { QuoteState } from "../tables.ts";

/** A quote with the two addresses that a QuoteAuthorization names. */
export type FullQuote = {
  id: string;
  status_id: string;
  status_uri: string;
  /** The quoting status is local. */
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

export type QuoteInsert = {
  statusId: string;
  accountId: string;
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  quotedUri: string;
  state: QuoteState;
  legacy: boolean;
  approvalUri: string | null;
  /** Of a local quoted author: the URI of the authorization without the quote's id at its end. */
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

/** The quote in a status. */
export const selectQuote = async (db: Db, statusId: string): Promise<FullQuote | null> => {
  const [row] = await db<FullQuote[]>`SELECT ${columns(db)} WHERE q.status_id = ${statusId}`;
  return row ?? null;
};

/** As selectQuote, and locks it until the transaction ends. */
export const lockQuote = async (db: Db, statusId: string): Promise<FullQuote | null> => {
  const [row] = await db<FullQuote[]>`
    SELECT ${columns(db)} WHERE q.status_id = ${statusId} FOR UPDATE OF q
  `;
  return row ?? null;
};

export const selectQuoteById = async (db: Db, id: string): Promise<FullQuote | null> => {
  const [row] = await db<FullQuote[]>`SELECT ${columns(db)} WHERE q.id = ${id}`;
  return row ?? null;
};

/** The statuses that quote this author with this authorization. */
export const selectQuotesByApproval = async (
  db: Db,
  uri: string,
  quotedAccountId: string,
): Promise<string[]> => {
  const rows = await db<{ status_id: string }[]>`
    SELECT status_id FROM quotes
    WHERE approval_uri = ${uri} AND quoted_account_id = ${quotedAccountId}
  `;
  return rows.map((row) => row.status_id);
};

export type QuoteUpdate = {
  state: QuoteState;
  quoted_status_id: string | null;
  quoted_account_id: string | null;
  approval_uri: string | null;
};

export const updateQuote = async (db: Db, statusId: string, change: QuoteUpdate): Promise<void> => {
  await db`UPDATE quotes SET ${db(change)} WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
};

/** Statuses that quote one of these lose the reference to it; returns their ids. */
export const detachQuotes = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ status_id: string }[]>`
    UPDATE quotes SET quoted_status_id = NULL WHERE quoted_status_id = ANY(${ids}::bigint[])
    RETURNING status_id
  `;
  return rows.map((row) => row.status_id);
};

/** The statuses that quote this one with its author's approval, newest first. */
export const selectQuoting = (db: Db, statusId: string, page: Page) => db<{ id: string }[]>`
  SELECT status_id AS id FROM quotes
  WHERE quoted_status_id = ${statusId} AND state = 'accepted'
    AND status_id > ${lowerBound(page)} AND status_id < ${upperBound(page)}
  ORDER BY status_id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
`;

/** The local statuses that quote this one, with their authors. */
export const selectLocalQuoting = (db: Db, statusId: string) => db<
  { status_id: string; account_id: string }[]
>`
  SELECT q.status_id, q.account_id
  FROM quotes q JOIN accounts a ON a.id = q.account_id AND a.domain IS NULL
  WHERE q.quoted_status_id = ${statusId} AND q.state = 'accepted'
`;

/** Sets who may quote a status; false when nothing changed. */
export const updatePolicy = async (db: Db, statusId: string, policy: number): Promise<boolean> => {
  const rows = await db`
    UPDATE statuses SET quote_policy = ${policy}
    WHERE id = ${statusId} AND quote_policy <> ${policy} RETURNING 1
  `;
  invalidate(db, `status:${statusId}`);
  return rows.length > 0;
};

export const updateInteractions = async (db: Db, statusId: string, policy: number) => {
  await db`UPDATE statuses SET interaction_policy = ${policy} WHERE id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
};
