// Reads when a server that refused a request wants to be asked again.

import type { Clock } from "../app.ts";
import type { FetchAnswer } from "./index.ts";

/**
 * Returns `Retry-After` of a response, which is in seconds or a date (RFC 9110, 10.2.3), as milliseconds from now, at
 * most `maxMs`; 0 where it is missing.
 */
export const retryAfterMs = (clock: Clock, { headers }: FetchAnswer, maxMs: number): number => {
  const text = headers["retry-after"] ?? "";
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - clock.now().getTime();
  return ms > 0 ? Math.min(ms, maxMs) : 0;
};
