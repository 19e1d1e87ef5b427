// Sends one request to the configured translation service, bounded in time and size. Every failure is reported as
// Unavailable.

import type { App } from "../../../platform/app.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import type { FetchAnswer } from "../../../platform/fetch/index.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

export type Question = {
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON; without it the request is a GET. */
  json?: unknown;
};

export const away = (): Unavailable => new Unavailable("The translation service is not available");

const send = async (app: App, { url, headers = {}, json }: Question): Promise<FetchAnswer> => {
  const isPost = json !== undefined;
  try {
    return await app.fetch.request(url, {
      // The administrator configured this address, which may be in a private network.
      configured: true,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      method: isPost ? "POST" : "GET",
      headers: {
        accept: "application/json",
        ...(isPost && { "content-type": "application/json" }),
        ...headers,
      },
      ...(isPost && { body: JSON.stringify(json) }),
    });
  } catch (error) {
    if (!(error instanceof FetchFailed) && !(error instanceof FetchRefused)) throw error;
    app.log.warn({ why: error.message }, "the translation service cannot be reached");
    throw away();
  }
};

/** Returns the JSON of a successful response; throws Unavailable. */
export const askService = async (app: App, question: Question): Promise<unknown> => {
  const { status, body } = await send(app, question);
  try {
    if (status === 200) return JSON.parse(body.toString("utf8"));
  } catch {
    // Invalid JSON counts as a failure too.
  }
  app.log.warn({ status }, "the translation service refused");
  throw away();
};
