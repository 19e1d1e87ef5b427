// Makes one attempt to send one activity to one inbox, and interprets the response.

import type { App } from "../../platform/app.ts";
import { isHostRefused } from "../../domain/base/blocklists/domains.ts";
import { FetchFailed, FetchRefused } from "../../platform/fetch/errors.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import { retryAfterMs } from "../../platform/fetch/retry-after.ts";
import { SYNC_HEADER, syncHeader } from "../followers-sync.ts";
import { readsProofs } from "../integrity/readers.ts";
import { sendSigned } from "../signatures/forms.ts";
import type { SignAs } from "../signatures/forms.ts";
import { isSharedInbox } from "../signatures/shared.ts";
import type { PreparedActivity } from "./outgoing.ts";

const CONTENT_TYPE = "application/activity+json";
const ANSWER_BYTES = 64 * 1024;
const MINUTE_MS = 60_000;
/** Attempts after a 401, which peers send while they cannot fetch our key. */
const TRIES_ON_401 = 3;
const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS;

/**
 * `refused`: this delivery is given up. `later`: the host answers, but this delivery has to be retried. `pause`: the
 * host wants nothing for a while. `down`: no answer, or an error of the host.
 */
export type Result =
  | { kind: "done" | "later" | "aborted" }
  | { kind: "refused"; why: string | number }
  | { kind: "pause"; ms: number }
  | { kind: "down"; why: string | number; pauseMs: number };

const resultOf = (app: App, answer: FetchAnswer, tries: number): Result => {
  const { status } = answer;
  const pauseMs = retryAfterMs(app.clock, answer, MAX_PAUSE_MS);
  if (status >= 200 && status < 300) return { kind: "done" };
  if (status === 429) return { kind: "pause", ms: pauseMs || MINUTE_MS };
  if (status >= 500) return { kind: "down", why: status, pauseMs };
  if (status === 408 || (status === 401 && tries < TRIES_ON_401)) return { kind: "later" };
  return { kind: "refused", why: status };
};

export type Attempt = {
  inbox: string;
  /** Number of earlier attempts that failed. */
  tries: number;
  /** True while it is not known whether the host answers. */
  isUnsure: boolean;
  timeoutMs: number;
  signal: AbortSignal;
};

const followersOf = ({ followers }: PreparedActivity, url: URL) => {
  const value = followers && syncHeader(followers, url.host);
  return value ? { more: { [SYNC_HEADER]: value } } : {};
};

export const attempt = async (
  app: App,
  outgoing: PreparedActivity,
  { inbox, tries, isUnsure, timeoutMs, signal }: Attempt,
): Promise<Result> => {
  const address = new URL(inbox);
  const { host } = address;
  if (!outgoing.isEnd && (await isHostRefused(app, host)))
    return { kind: "refused", why: "blocked" };
  const { body, digest, shared } = (await readsProofs(app, host))
    ? outgoing.proved
    : outgoing.plain;
  const headersFor = (signAs: SignAs) => (url: URL) =>
    signAs({
      method: "POST",
      url,
      body,
      digest,
      date: app.clock.now(),
      contentType: CONTENT_TYPE,
      ...followersOf(outgoing, url),
    });
  try {
    const options = {
      method: "POST",
      body,
      lookUpFirst: isUnsure,
      redirect: 0,
      timeoutMs,
      signal,
      maxBytes: ANSWER_BYTES,
    } as const;
    const send = (signAs: SignAs) =>
      app.fetch.request(inbox, { ...options, headersFor: headersFor(signAs) });
    const forMany = isSharedInbox(address) ? shared : null;
    const answer = await sendSigned(app, host, outgoing.keys, send, forMany);
    return resultOf(app, answer, tries);
  } catch (error) {
    if (error instanceof FetchRefused) return { kind: "refused", why: error.reason };
    if (!(error instanceof FetchFailed)) throw error;
    if (error.reason === "aborted") return { kind: "aborted" };
    // Only the body of a successful answer is limited or decoded, so the peer accepted the activity.
    if (error.reason === "too_large" || error.reason === "encoding") return { kind: "done" };
    return { kind: "down", why: error.reason, pauseMs: 0 };
  }
};
