// Sends one request for a card: to a page, its oEmbed document, or its picture. Requests are bounded for each host, and
// hosts that are down are left alone.

import type { App } from "../../../platform/app.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { takeFetch } from "../../../platform/fetch/budget.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import {
  addHostFailure,
  forgetHostFailures,
  isHostDown,
} from "../../../platform/fetch/host-breaker.ts";
import type { FetchAnswer, FetchOptions } from "../../../platform/fetch/index.ts";
import { PAGE_LIMITS } from "./limits.ts";

const spend = async (app: App, url: string): Promise<void> => {
  const host = URL.parse(url)?.host;
  if (!host) throw new FetchRefused("url", "Not an address");
  if (await isHostDown(app, url)) throw new Unavailable(`${host} has not answered lately`);
  if (!takeFetch(app, "card", url)) throw new Unavailable(`${host} was asked for too much lately`);
};

/** Returns null where there is no usable answer, and will be none soon; throws Unavailable where a retry may help. */
const judge = async (app: App, url: string, answer: FetchAnswer): Promise<FetchAnswer | null> => {
  if (answer.status >= 500 || answer.status === 429) {
    throw new Unavailable(`${new URL(url).host} answered with ${answer.status}`);
  }
  await forgetHostFailures(app, url);
  return answer.status >= 200 && answer.status < 300 ? answer : null;
};

const isAway = (error: unknown): boolean =>
  error instanceof FetchFailed && (error.reason === "network" || error.reason === "timeout");

export const ask = async (
  app: App,
  url: string,
  options: Pick<FetchOptions, "headers" | "maxBytes" | "cut">,
): Promise<FetchAnswer | null> => {
  const onRedirect = async (from: URL, to: URL): Promise<void> => {
    if (to.host !== from.host) await spend(app, to.href);
  };
  try {
    await spend(app, url);
    const timeoutMs = PAGE_LIMITS.timeoutMs;
    return await judge(
      app,
      url,
      await app.fetch.request(url, { ...options, timeoutMs, onRedirect }),
    );
  } catch (error) {
    if (isAway(error)) {
      await addHostFailure(app, url);
      throw new Unavailable(`${new URL(url).host} did not answer`);
    }
    if (error instanceof FetchRefused || error instanceof FetchFailed) return null;
    throw error;
  }
};
