// All SQL of the webhooks slice.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../../platform/db/rows.ts";
import type { WebhookRow } from "./tables.ts";

/** Key that invalidates the cached list. */
export const WEBHOOKS_CHANGED = "webhooks:";

const columns = (db: Db) => db`id, url, events, secret, enabled, failures, last_result, last_at`;

export const selectWebhooks = (db: Db) => db<WebhookRow[]>`
  SELECT ${columns(db)} FROM webhooks ORDER BY id
`;

export const selectWebhook = (db: Db, id: string): Promise<WebhookRow | null> =>
  firstRow(db<WebhookRow[]>`SELECT ${columns(db)} FROM webhooks WHERE id = ${id}`);

type NewWebhook = Pick<WebhookRow, "url" | "events" | "secret">;

export const insertWebhook = async (db: Db, hook: NewWebhook): Promise<string> => {
  const id = await onlyValue(db<{ id: string }[]>`INSERT INTO webhooks ${db(hook)} RETURNING id`);
  invalidate(db, WEBHOOKS_CHANGED);
  return id;
};

export type WebhookChange = Partial<Pick<WebhookRow, "events" | "secret" | "enabled" | "failures">>;

export const updateWebhook = async (db: Db, id: string, change: WebhookChange): Promise<void> => {
  await db`UPDATE webhooks SET ${db(change)} WHERE id = ${id}`;
  invalidate(db, WEBHOOKS_CHANGED);
};

export const deleteWebhook = async (db: Db, id: string): Promise<void> => {
  await db`DELETE FROM webhooks WHERE id = ${id}`;
  invalidate(db, WEBHOOKS_CHANGED);
};

/**
 * Stores the result of a delivery; `most` failures in a row switch the webhook off. Returns true where it was switched
 * off now.
 */
export const updateResult = async (
  db: Db,
  id: string,
  { result, ok, at, most }: { result: string; ok: boolean; at: Date; most: number },
): Promise<boolean> => {
  const [row] = await db<{ is_off: boolean }[]>`
    UPDATE webhooks SET last_result = ${result}, last_at = ${at},
      failures = ${ok ? db`0` : db`failures + 1`},
      enabled = ${ok ? db`enabled` : db`enabled AND failures + 1 < ${most}`}
    WHERE id = ${id} RETURNING NOT enabled AND failures = ${most} AS is_off
  `;
  if (row?.is_off) invalidate(db, WEBHOOKS_CHANGED);
  return row?.is_off ?? false;
};
