// Webhooks: what happened is stored as a job in the transaction of the act; each address gets a job of its own.

import { createHmac } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import { selectWebhook, updateResult } from "./queries.ts";
import type { WebhookEvent, WebhookRow } from "./tables.ts";
import { webhooksFor } from "./webhooks.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Something happened that a webhook may want; `id`: of the account, report or status. */
    "webhook.event": { event: WebhookEvent; id: string; at: string };
    "webhook.deliver": { webhookId: string; body: string };
  }
}

/** About a day, with what lies between attempts. */
const ATTEMPTS = 12;
const TIMEOUT_MS = 10_000;
/** So many failures in a row switch a webhook off: its jobs would pile up for an address that is gone. */
const MOST_FAILURES = 200;

/** Within the transaction `db`; nothing where no webhook wants it. */
export const notifyWebhooks = async (
  app: App,
  db: Db,
  event: WebhookEvent,
  ids: string[],
): Promise<void> => {
  if (ids.length === 0 || (await webhooksFor(app, event)).length === 0) return;
  const at = app.clock.now().toISOString();
  await app.jobs.addMany(
    db,
    "webhook.event",
    ids.map((id) => ({ payload: { event, id, at }, key: `webhook ${event} ${id}` })),
  );
};

/** `body` is what each of them gets. */
export const enqueueDeliveries = async (
  app: App,
  event: WebhookEvent,
  body: string,
): Promise<void> => {
  const hooks = await webhooksFor(app, event);
  const jobs = hooks.map((webhookId) => ({
    payload: { webhookId, body },
    maxAttempts: ATTEMPTS,
  }));
  if (jobs.length > 0) await app.jobs.addMany(app.sql, "webhook.deliver", jobs);
};

/** The status of the answer, or why there was none. */
const send = async (app: App, { url, secret }: WebhookRow, body: string): Promise<string> => {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-hub-signature": `sha256=${signature}`,
  };
  try {
    const options = { method: "POST", headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 64 * 1024 };
    return String((await app.fetch.request(url, options)).status);
  } catch (error) {
    if (error instanceof FetchFailed || error instanceof FetchRefused) return error.message;
    throw error;
  }
};

class NotDelivered extends Error {}

/** Job: one event for one address; retried until it takes it, or is switched off. */
export const deliverWebhook = async (
  app: App,
  { webhookId, body }: { webhookId: string; body: string },
): Promise<void> => {
  const hook = await selectWebhook(app.sql, webhookId);
  if (!hook?.enabled) return;
  const result = (await send(app, hook, body)).slice(0, 300);
  const ok = /^2\d\d$/.test(result);
  const isOff = await updateResult(app.sql, webhookId, {
    result,
    ok,
    at: app.clock.now(),
    most: MOST_FAILURES,
  });
  if (isOff) app.log.warn({ url: hook.url }, "a webhook failed too often and was switched off");
  if (!ok) throw new NotDelivered(`The webhook ${hook.url} was not delivered: ${result}`);
};
