// Deletes codes, tokens and weeks of activity once nobody can use them.

import { addDays } from "../../../platform/ids/index.ts";
import {
  deleteCodesBefore,
  deleteExpiredBefore,
  deleteRevokedBefore,
  deleteWeeksBefore,
} from "./queries.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";

/** Days for which used codes are kept: a second use revokes the tokens of the first. */
const CODE_DAYS = 1;
/** Days for which a revoked token is kept, to show when it was revoked; it is refused either way. */
const TOKEN_DAYS = 30;
/** Days of activity that are kept: statistics reach back twelve weeks, the current one included. */
const WEEK_DAYS = 13 * 7;

export const deleteOldCodes: DeleteSlice = (app, now) =>
  deleteCodesBefore(app.sql, addDays(now, -CODE_DAYS));

export const deleteRevokedTokens: DeleteSlice = (app, now) =>
  deleteRevokedBefore(app.sql, addDays(now, -TOKEN_DAYS));

/** Deletes expired tokens of the web client, which requests new ones in time. */
export const deleteExpiredTokens: DeleteSlice = (app, now) =>
  deleteExpiredBefore(app.sql, addDays(now, -1));

export const deleteOldWeeks: DeleteSlice = (app, now) =>
  deleteWeeksBefore(app.sql, addDays(now, -WEEK_DAYS));
