// Reads when a post ends, and has the job that deletes it then.

import { instantOf } from "../../../platform/time.ts";
import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import "./events.ts";
import { lockExpired } from "./queries-remove.ts";
import { removeStatuses } from "./remove.ts";

const MIN_SECONDS = 300;
const MAX_SECONDS = 5 * 366 * 24 * 3600;

/**
 * The end as clients send it, in Pleroma's words: seconds, or a time. Undefined states nothing, null or "" means never.
 */
export type EndDraft = {
  expires_in?: number | null | undefined;
  expires_at?: string | null | undefined;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: Expires at ${what}`);

const timeOf = ({ expires_in: seconds, expires_at: text }: EndDraft, now: Date): Date | null => {
  if (typeof seconds === "number") return new Date(now.getTime() + seconds * 1000);
  return text ? (instantOf(text) ?? new Date(Number.NaN)) : null;
};

/**
 * Returns null for never, undefined where nothing is stated. Throws Unprocessable outside of 5 minutes to 5 years from
 * `now`.
 */
export const endOf = (draft: EndDraft, now: Date): Date | null | undefined => {
  if (draft.expires_in === undefined && draft.expires_at === undefined) return undefined;
  const at = timeOf(draft, now);
  if (at === null) return null;
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Number.isNaN(seconds)) throw invalid("is not a valid date");
  if (seconds < MIN_SECONDS) throw invalid("must be at least 5 minutes ahead");
  if (seconds > MAX_SECONDS) throw invalid("must be within 5 years");
  return at;
};

const BATCH = 100;
const BATCHES = 20;

/** Deletes each batch in a transaction of its own, so that a failure does not undo earlier batches. */
const deleteExpired = (app: App): Promise<number> =>
  app.sql.begin(async (tx) => {
    const ids = await lockExpired(tx, app.clock.now(), BATCH);
    await removeStatuses(app, tx, ids);
    return ids.length;
  });

/** Handles the job `statuses.expire`, which runs every minute and continues in the next run. */
export const expireStatuses = async (app: App): Promise<void> => {
  for (let n = 0; n < BATCHES; n += 1) {
    if ((await deleteExpired(app)) < BATCH) return;
  }
};
