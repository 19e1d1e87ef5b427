// The two ways in which an outbound request does not come back: we would not send it, or it failed.

/**
 * Why a target was refused: `url` (not an absolute address, or too long), `scheme`, `credentials`
 * (user info), `host` (a decimal, octal, hex or otherwise disguised host), `address` (an address
 * that we do not talk to).
 */
export type RefusalReason = "url" | "scheme" | "credentials" | "host" | "address";

/** The target is one that we never talk to: trying again will not help. */
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
 * (over maxBytes), `redirects` (too many), `encoding` (a compressed answer, never asked for),
 * `network` (DNS, connection, TLS, HTTP syntax; see `cause`).
 */
export type FailureReason =
  | "timeout"
  | "aborted"
  | "too_large"
  | "redirects"
  | "encoding"
  | "network";

/** The request was sent, or tried, and brought no usable answer. A status is never a failure. */
export class FetchFailed extends Error {
  reason: FailureReason;
  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchFailed";
    this.reason = reason;
  }
}
