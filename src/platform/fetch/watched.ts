// Counts outgoing requests and makes a span for each, which says what host was asked and how it answered, but never
// which account or post it is about.

import type { Meters } from "../metrics/index.ts";
import type { OpenSpan, Tracing } from "../tracing/index.ts";
import type { GuardedFetch } from "./index.ts";

const startSpan = (tracing: Tracing, method: string, url: string): OpenSpan => {
  const host = URL.parse(url)?.host ?? "";
  const attributes = { "http.request.method": method, "server.address": host };
  return tracing.start(method, { kind: "client", attributes });
};

export const watchedFetch = (
  fetch: GuardedFetch,
  tracing: Tracing | null,
  { outgoing }: Meters,
): GuardedFetch => {
  const watch = async <T extends { status: number }>(
    method: string,
    url: string,
    ask: () => Promise<T>,
  ): Promise<T> => {
    const span = tracing && startSpan(tracing, method, url);
    const began = performance.now();
    let answer: T | null = null;
    let fault: unknown;
    try {
      answer = await (span ? span.run(ask) : ask());
      span?.set({ "http.response.status_code": answer.status });
      return answer;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      const status = String(answer?.status ?? "failed");
      outgoing.observe([method, status], (performance.now() - began) / 1000);
      span?.end(fault);
    }
  };
  return {
    ...fetch,
    request: (url, options) =>
      watch(options?.method ?? "GET", String(url), () => fetch.request(url, options)),
    open: (url, options) => watch("GET", String(url), () => fetch.open(url, options)),
  };
};
