// Explains why a signature is refused. Every refusal is this one error, with the status 401.

import { DomainError } from "../../platform/errors.ts";

/**
 * `missing` (no signature), `form` (an unsupported one), `malformed`, `algorithm`, `coverage` (a header
 * that must be signed is not), `host` (of another server), `time` (outside the window), `digest` (missing,
 * or of another body), `key` (not usable), `mismatch` (not made by this key).
 */
export type SignatureFault =
  | "missing"
  | "form"
  | "malformed"
  | "algorithm"
  | "coverage"
  | "host"
  | "time"
  | "digest"
  | "key"
  | "mismatch";

/** Becomes a 401: the request is not proved to be from its sender. */
export class SignatureRefused extends DomainError {
  reason: SignatureFault;
  constructor(reason: SignatureFault, message: string) {
    super("unauthorized", message);
    this.name = "SignatureRefused";
    this.reason = reason;
  }
}
