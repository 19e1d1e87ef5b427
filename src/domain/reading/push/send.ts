// Sends messages, one job for each notification and subscription. A service that fails gets nothing for a while, so
// that it holds up no other.

import type { App } from "../../../platform/app.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import type { FetchAnswer } from "../../../platform/fetch/index.ts";
import { retryAfterMs } from "../../../platform/fetch/retry-after.ts";
import { unseal } from "../../../platform/seal.ts";
import type { NotificationCreated } from "../notifications/events.ts";
import { findNotifications } from "../notifications/load.ts";
import { quietUntil } from "../notifications/quiet-hours.ts";
import { encryptDraft, encryptStandard } from "./encrypt.ts";
import "./events.ts";
import type { PushMessage } from "./events.ts";
import { makeMessage } from "./message.ts";
import type { Message } from "./message.ts";
import { deleteSubscription, selectMessages, selectRecipient, setRetry } from "./queries.ts";
import { tokenSeal } from "./subscribe.ts";
import type { Recipient } from "./tables.ts";
import { vapidToken } from "./vapid.ts";

/** Seconds for which a message is worth sending, and for which the service keeps it for a device that is away. */
const LIFETIME_S = 48 * 60 * 60;
const TIMEOUT_MS = 8_000;
const ANSWER_BYTES = 4096;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 60 * 60_000;

/** Enqueues a job for each subscription that wants it, as a step of `notification.created`. */
export const enqueuePushes = async (app: App, created: NotificationCreated[]): Promise<void> => {
  const messages = await selectMessages(
    app.sql,
    created.map(({ id }) => id),
  );
  if (messages.length === 0) return;
  const jobs = messages.map((payload) => ({ payload, key: keyOf(payload) }));
  await app.jobs.addMany(app.sql, "push.send", jobs);
};

/** Makes one job of each, however often the step runs. */
const keyOf = ({ subscriptionId, notificationId }: PushMessage): string =>
  `push:${subscriptionId}:${notificationId}`;

/** `retryMs` is 0 where the service does not say when to retry. */
type Result = "done" | "gone" | { retryMs: number };

const resultOf = (app: App, answer: FetchAnswer): Result => {
  const { status } = answer;
  if (status === 404 || status === 410) return "gone";
  if (status === 429 || status >= 500) {
    return { retryMs: retryAfterMs(app.clock, answer, MAX_PAUSE_MS) };
  }
  if (status >= 300) app.log.info({ status }, "a push service refused a message");
  return "done";
};

const post = async (app: App, recipient: Recipient, message: Message): Promise<Result> => {
  const { vapid } = app.config.secrets;
  const { site, instance } = app.config;
  const { endpoint, standard } = recipient;
  const contact = instance.contactEmail ? `mailto:${instance.contactEmail}` : site.origin;
  const jwt = vapidToken(vapid, { endpoint, contact, now: app.clock.now() });
  const { body, headers } = (standard ? encryptStandard : encryptDraft)(message.json, recipient);
  const key = headers["crypto-key"];
  const authorization: Record<string, string> = key
    ? { authorization: `WebPush ${jwt}`, "crypto-key": `${key};p256ecdsa=${vapid.publicKey}` }
    : { authorization: `vapid t=${jwt}, k=${vapid.publicKey}` };
  try {
    const answer = await app.fetch.request(endpoint, {
      method: "POST",
      body,
      headers: {
        ...headers,
        ...authorization,
        "content-type": "application/octet-stream",
        ttl: String(LIFETIME_S),
        urgency: message.urgency,
        topic: message.topic,
      },
      redirect: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
    });
    return resultOf(app, answer);
  } catch (error) {
    // An address that is missing or inside our network will not become another one.
    if (error instanceof FetchRefused) return "gone";
    if (!(error instanceof FetchFailed)) throw error;
    if (error.reason === "too_large" || error.reason === "encoding") return "done";
    return { retryMs: 0 };
  }
};

const later = (app: App, payload: PushMessage, at: Date): Promise<void> =>
  app.jobs.add(app.sql, "push.send", payload, { runAt: at, key: keyOf(payload) });

const settle = async (
  app: App,
  payload: PushMessage,
  { id, failures }: Recipient,
  result: Result,
): Promise<void> => {
  if (result === "gone") return void (await deleteSubscription(app.sql, id));
  if (result === "done") {
    if (failures > 0) await setRetry(app.sql, id, 0, null);
    return;
  }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
  const at = new Date(app.clock.now().getTime() + (result.retryMs || pause));
  await setRetry(app.sql, id, failures + 1, at);
  await later(app, payload, at);
};

const tokenFor = (app: App, { token_id: id, access_token: sealed }: Recipient): string =>
  id === null || sealed === null ? "" : unseal(app, tokenSeal(id), sealed);

/** Handles `push.send`. A notification that was dismissed, hidden or deleted since is not sent. */
export const sendPush = async (app: App, payload: PushMessage): Promise<void> => {
  const recipient = await selectRecipient(app.sql, payload.subscriptionId);
  if (!recipient) return;
  const [view] = await findNotifications(app, [payload.notificationId]);
  if (view?.account_id !== recipient.account_id) return;
  const now = app.clock.now();
  if (now.getTime() - view.created_at.getTime() > LIFETIME_S * 1000) return;
  const { retry_at: retryAt } = recipient;
  if (retryAt && retryAt > now) return later(app, payload, retryAt);
  const quiet = quietUntil(recipient, now);
  if (quiet) return later(app, payload, quiet);
  const token = tokenFor(app, recipient);
  const message = makeMessage(view, { locale: recipient.locale, token, site: app.config.site });
  await settle(app, payload, recipient, await post(app, recipient, message));
};
