// SQL of policies and of the requests of senders whose notifications they filter.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { shownSender } from "./fragments.ts";
import { invalidateOf } from "./queries-notify.ts";
import { POLICY_CLASSES } from "./tables.ts";
import type { PolicyRow, RequestRow, RequestSummary } from "./tables.ts";

export const selectPolicy = (db: Db, accountId: string): Promise<PolicyRow | null> =>
  firstRow(db<PolicyRow[]>`
    SELECT ${db(POLICY_CLASSES)} FROM notification_policies WHERE account_id = ${accountId}
  `);

/** Changes given members; the others stay, or become the default. */
export const upsertPolicy = async (db: Db, accountId: string, changes: Partial<PolicyRow>) => {
  await db`
    INSERT INTO notification_policies ${db({ account_id: accountId, ...changes })}
    ON CONFLICT (account_id) DO UPDATE SET ${db({ account_id: accountId, ...changes })}
  `;
};

/** Makes a FROM, with the first condition: the recipient's requests of senders that may be shown. */
const shownRequests = (db: Db, accountId: string, now: Date) => db`
  notification_requests q ${shownSender(db, accountId, now, db`q`)}
  WHERE q.account_id = ${accountId}
`;

/** Counts up to `limit` requests, and the notifications of these. */
export const selectSummary = (db: Db, accountId: string, limit: number, now: Date) =>
  onlyRow(db<RequestSummary[]>`
    SELECT count(*)::int AS requests, coalesce(sum(count), 0)::int AS notifications
    FROM (
      SELECT q.count FROM ${shownRequests(db, accountId, now)}
      ORDER BY q.id DESC LIMIT ${limit}
    ) AS newest
  `);

const columns = (db: Db) =>
  db`q.id, q.from_account_id, q.count, q.last_status_id, q.created_at, q.updated_at`;

export const selectRequests = (db: Db, accountId: string, page: Page, now: Date) => db<
  RequestRow[]
>`
  SELECT ${columns(db)} FROM ${shownRequests(db, accountId, now)} AND ${inPage(db, page, "q.id")}
`;

export const selectRequest = (db: Db, accountId: string, id: string, now: Date) => db<RequestRow[]>`
  SELECT ${columns(db)} FROM ${shownRequests(db, accountId, now)} AND q.id = ${id}
`;

/** Selects the senders of the requests among these ids. */
const sendersOf = (db: Db, accountId: string, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT from_account_id AS id FROM notification_requests
    WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])
  `);

/** Number of accepted requests, and the posts of the mentions that they held back. */
export type Accepted = { count: number; mentionIds: string[] };

/** Accepts the senders, and shows what was filtered. Deletes the requests. */
export const acceptRequests = async (db: Db, accountId: string, ids: string[]) => {
  const senders = await sendersOf(db, accountId, ids);
  if (senders.length === 0) return { count: 0, mentionIds: [] };
  await db`
    INSERT INTO notification_permissions (account_id, from_account_id)
    SELECT ${accountId}, unnest(${senders}::bigint[])
    ON CONFLICT (account_id, from_account_id) DO NOTHING
  `;
  const shown = await db<{ type: string; status_id: string | null }[]>`
    UPDATE notifications SET filtered = false
    WHERE account_id = ${accountId} AND from_account_id = ANY(${senders}::bigint[]) AND filtered
    RETURNING type, status_id
  `;
  invalidateOf(db, [accountId]);
  const mentions = shown.filter(({ type }) => type === "mention");
  return { count: senders.length, mentionIds: mentions.flatMap(({ status_id: id }) => id ?? []) };
};

/** Deletes what was filtered, and the requests. Returns how many there were. */
export const dismissRequests = async (db: Db, accountId: string, ids: string[]) => {
  const senders = await sendersOf(db, accountId, ids);
  if (senders.length === 0) return 0;
  await db`
    DELETE FROM notifications
    WHERE account_id = ${accountId} AND from_account_id = ANY(${senders}::bigint[]) AND filtered
  `;
  return senders.length;
};
