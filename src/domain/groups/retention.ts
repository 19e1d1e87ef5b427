// What owners and moderators of groups did is stored for a year.

import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { deleteActsBefore } from "./queries.ts";

const KEPT_DAYS = 365;

export const deleteOldGroupActs: DeleteSlice = (app, now) =>
  deleteActsBefore(app.sql, addDays(now, -KEPT_DAYS));
