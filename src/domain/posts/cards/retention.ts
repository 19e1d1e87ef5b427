// Deletes cards that no post has any more.

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { KEPT_DAYS } from "./plan.ts";
import { deleteUnused } from "./queries.ts";

const SLICE = 500;

/** Deletes a slice, and counts the deleted cards. */
export const removeUnusedCards = async (app: App, now: Date) => {
  const keptUntil = addDays(now, KEPT_DAYS);
  const { looked, gone } = await deleteUnused(app.sql, { now, keptUntil, limit: SLICE });
  return { count: gone, isMore: looked === SLICE };
};

export const deleteUnusedCards: DeleteSlice = async (app, now) =>
  (await removeUnusedCards(app, now)).isMore;
