// Why a signature is not believed. Every refusal is this one error, and answers 401.

import { HttpError } from "../../platform/errors.ts";

/**
 * `missing` (no signature), `form` (not one that we read), `malformed`, `algorithm`, `coverage`
 * (something that has to be signed is not), `host` (meant for another server), `time` (outside the
 * window), `digest` (missing, or not of this body), `key` (not usable), `mismatch` (does not fit).
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

/** 401: the request is not provably from whom it says. */
export class SignatureRefused extends HttpError {
  reason: SignatureFault;
  constructor(reason: SignatureFault, message: string) {
    super(401, message);
    this.name = "SignatureRefused";
    this.reason = reason;
  }
}
