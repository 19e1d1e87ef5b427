// The two errors of an outbound request: it was refused before it was sent, or it failed.

import { reasonOf } from "../reason.ts";

/**
 * Why a target was refused: `url` (not an absolute address, or too long), `scheme`, `credentials`
 * (user info), `host` (a decimal, octal, hex or otherwise disguised host), `address` (an IP address
 * that is not allowed).
 */
export type RefusalReason = "url" | "scheme" | "credentials" | "host" | "address";

/** The target is not allowed: retrying does not help. */
export class FetchRefused extends Error {
  reason: RefusalReason;
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = "FetchRefused";
    this.reason = reason;
  }
}

/**
 * Why a request failed: `timeout` (the total limit), `aborted` (the caller's signal), `too_large`
 * (over maxBytes, or in too many tiny pieces), `redirects` (too many), `encoding` (a compressed response,
 * which is never requested), `network` (DNS, connection, TLS, HTTP syntax; see `cause`).
 */
type FailureReason = "timeout" | "aborted" | "too_large" | "redirects" | "encoding" | "network";

/** The request got no usable response. A response with an error status is not a failure. */
export class FetchFailed extends Error {
  reason: FailureReason;
  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchFailed";
    this.reason = reason;
  }
}

/** Returns the FetchRefused of our own checks from among the causes; any other error is one of the network. */
export const named = (error: unknown): Error => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchRefused || cause instanceof FetchFailed) return cause;
  }
  return new FetchFailed("network", reasonOf(error), { cause: error });
};
