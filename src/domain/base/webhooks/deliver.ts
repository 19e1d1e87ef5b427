// Delivers webhooks: an act stores a job in its transaction; each address then gets a job of its own.

import { createHmac } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { selectWebhook, selectWebhooks, updateResult, WEBHOOKS_CHANGED } from "./queries.ts";
import type { WebhookEvent, WebhookRow } from "./tables.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Something happened that a webhook may want; `id` is that of the account, report or status. */
    "webhook.event": { event: WebhookEvent; id: string; at: string };
    "webhook.deliver": { webhookId: string; body: string };
  }
}

/** Attempts for one delivery, which take about a day. */
const ATTEMPTS = 12;
const TIMEOUT_MS = 10_000;
/** Failures in a row that switch a webhook off: otherwise jobs would pile up for an address that is gone. */
const MOST_FAILURES = 200;

/**
 * Caches all webhooks; the list is the same object until one changes. Results of their last deliveries may be older.
 */
const current = listenedValue<WebhookRow[]>({
  name: "webhooks",
  channel: "settings",
  key: WEBHOOKS_CHANGED,
  read: async (db) => [...(await selectWebhooks(db))],
});

/** Returns the ids of the webhooks that want the event. */
const webhooksFor = async (app: App, event: WebhookEvent): Promise<string[]> =>
  (await current(app))
    .filter(({ enabled, events }) => enabled && events.includes(event))
    .map(({ id }) => id);

/** Enqueues within the transaction `db`, and nothing where no webhook wants the event. */
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

/** Each webhook gets `body`. */
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

/** Returns the status of the answer, or why there was none. */
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

/**
 * Handles the job for one event and one address, which is retried until it is accepted or the webhook is switched off.
 */
export const deliverWebhook: JobHandler<"webhook.deliver"> = async (app, { webhookId, body }) => {
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
