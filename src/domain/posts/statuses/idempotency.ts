// Knows how long an Idempotency-Key stands for the first request with it.

import type { App } from "../../../platform/app.ts";

const IDEMPOTENCY_MS = 3600_000; // contract: limits.json, idempotency_key_seconds

/** Returns the time before which idempotency keys have expired. */
export const idempotentSince = (app: App): Date =>
  new Date(app.clock.now().getTime() - IDEMPOTENCY_MS);
