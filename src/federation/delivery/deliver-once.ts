// The job `delivery`: one attempt to send one activity to one inbox, and what follows from the answer.
// graphile-worker's own back-off is fixed and ends after about three days, so a failed attempt adds a new
// job for the next one.

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { FetchFailed, FetchRefused } from "../../platform/fetch/errors.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import type { JobPayloads } from "../../platform/jobs/index.ts";
import { signRequest } from "../signatures/sign.ts";
import { enterHost } from "./circuit.ts";
import type { Turn } from "./circuit.ts";
import { loadOutgoing } from "./outgoing.ts";
import type { PreparedActivity } from "./outgoing.ts";
import "../events.ts";

type Payload = JobPayloads["delivery"];

const CONTENT_TYPE = "application/activity+json";
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;
const MINUTE_MS = 60_000;
/**
 * Minutes until the next attempt, by the number of failed ones; the last value repeats. The first is a
 * few seconds, enough for a server that is being restarted.
 */
const BACKOFF_MINUTES = [1 / 12, 1, 5, 15, 30, 60, 120, 180, 360, 720];
/** Peers that cannot fetch our key at the moment answer 401, so that is tried again so many times. */
const TRIES_ON_401 = 3;
const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** How long delivery of an activity is tried. */
export const LIFETIME_MS = 7 * 24 * 60 * MINUTE_MS;

type Result =
  | { kind: "done" }
  | { kind: "refused"; why: string | number }
  | { kind: "later"; pauseMs: number }
  | { kind: "down" };

/** Seconds or a date (RFC 9110, 10.2.3) → milliseconds from now, within bounds. */
const retryAfterMs = (app: App, answer: FetchAnswer): number => {
  const text = answer.headers["retry-after"] ?? "";
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - app.clock.now().getTime();
  return ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : MINUTE_MS;
};

const resultOf = (app: App, answer: FetchAnswer, tries: number): Result => {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: "done" };
  if (status === 429) return { kind: "later", pauseMs: retryAfterMs(app, answer) };
  if (status >= 500) return { kind: "down" };
  if (status === 408 || (status === 401 && tries < TRIES_ON_401)) {
    return { kind: "later", pauseMs: 0 };
  }
  return { kind: "refused", why: status };
};

const post = async (
  app: App,
  outgoing: PreparedActivity,
  { inbox, tries }: Payload,
): Promise<Result> => {
  const headersFor = (url: URL) =>
    signRequest({
      method: "POST",
      url,
      body: outgoing.body,
      digest: outgoing.digest,
      keyId: outgoing.keyId,
      privateKey: outgoing.privateKey,
      date: app.clock.now(),
      contentType: CONTENT_TYPE,
    });
  try {
    const answer = await app.fetch.request(inbox, {
      method: "POST",
      body: outgoing.body,
      headersFor,
      redirect: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
    });
    return resultOf(app, answer, tries);
  } catch (error) {
    if (error instanceof FetchRefused) return { kind: "refused", why: error.reason };
    if (!(error instanceof FetchFailed)) throw error;
    // Only the body of a successful answer is limited or decoded: the peer accepted the activity.
    if (error.reason === "too_large" || error.reason === "encoding") return { kind: "done" };
    return { kind: "down" };
  }
};

const backoffMs = (tries: number): number => {
  const minutes = BACKOFF_MINUTES[Math.min(tries, BACKOFF_MINUTES.length - 1)]!;
  return minutes * MINUTE_MS * (0.9 + Math.random() * 0.2);
};

/** Adds the job of a later attempt. The key makes it one job, also when this one is run twice. */
const schedule = (app: App, payload: Payload, atMs: number): Promise<void> => {
  const inboxHash = createHash("sha256").update(payload.inbox).digest("base64url");
  const key = `delivery:${payload.activityId}:${inboxHash}`;
  return app.jobs.add(app.sql, "delivery", payload, { runAt: new Date(atMs), key });
};

/** Back to the queue without an attempt: the host's circuit is open, or it has no free place. */
const postpone = async (app: App, payload: Payload, turn: Turn & { go: false }): Promise<void> => {
  if (!turn.failing) return schedule(app, payload, turn.until.getTime());
  const { tries } = payload;
  const own = app.clock.now().getTime() + backoffMs(tries);
  const hostFree = turn.until.getTime() + Math.random() * MINUTE_MS;
  await schedule(app, { ...payload, tries: tries + 1 }, Math.max(own, hostFree));
};

const giveUp = (app: App, payload: Payload, why: string | number): void => {
  const { host } = new URL(payload.inbox);
  app.log.info({ activity: payload.activityId, host, why }, "delivery given up");
};

const attempt = async (
  app: App,
  outgoing: PreparedActivity,
  payload: Payload,
  turn: Turn & { go: true },
) => {
  let result: Result = { kind: "down" };
  try {
    result = await post(app, outgoing, payload);
    if (result.kind === "later" && result.pauseMs > 0) {
      turn.pause(new Date(app.clock.now().getTime() + result.pauseMs));
    }
  } finally {
    await turn.leave(result.kind === "down" ? "down" : "up");
  }
  return result;
};

/** The handler of `delivery`. A repeated run sends the activity again; peers ignore a known id. */
export const deliverOnce = async (app: App, payload: Payload): Promise<void> => {
  const outgoing = await loadOutgoing(app, payload.activityId);
  if (!outgoing) return giveUp(app, payload, "gone");
  const now = app.clock.now().getTime();
  if (now - outgoing.createdAt.getTime() > LIFETIME_MS) return giveUp(app, payload, "too old");
  const turn = await enterHost(app, new URL(payload.inbox).host);
  if (!turn.go) return postpone(app, payload, turn);
  const result = await attempt(app, outgoing, payload, turn);
  if (result.kind === "done") return;
  if (result.kind === "refused") return giveUp(app, payload, result.why);
  const wait = Math.max(backoffMs(payload.tries), result.kind === "later" ? result.pauseMs : 0);
  app.log.debug({ activity: payload.activityId, inbox: payload.inbox, wait }, "delivery put off");
  await schedule(app, { ...payload, tries: payload.tries + 1 }, app.clock.now().getTime() + wait);
};
