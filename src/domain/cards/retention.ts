// Cards that no post has any more are deleted.

import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { KEPT_DAYS } from "./plan.ts";
import { deleteUnused } from "./queries.ts";

const SLICE = 500;

export const deleteUnusedCards: DeleteSlice = async (app, now) => {
  const { looked } = await deleteUnused(app.sql, {
    now,
    keptUntil: addDays(now, KEPT_DAYS),
    limit: SLICE,
  });
  return looked === SLICE;
};
