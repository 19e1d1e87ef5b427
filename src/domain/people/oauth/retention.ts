// Codes, tokens and weeks of activity are deleted once nobody can use them.

import { addDays } from "../../../platform/ids/index.ts";
import {
  deleteCodesBefore,
  deleteExpiredBefore,
  deleteRevokedBefore,
  deleteWeeksBefore,
} from "./queries.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";

/** Used codes are stored for a while: a second use revokes the tokens of the first. */
const CODE_DAYS = 1;
/** A revoked token that is used is refused either way; the row says when it was revoked. */
const TOKEN_DAYS = 30;
/** Statistics reach back twelve weeks, the one that is not over included. */
const WEEK_DAYS = 13 * 7;

export const deleteOldCodes: DeleteSlice = (app, now) =>
  deleteCodesBefore(app.sql, addDays(now, -CODE_DAYS));

export const deleteRevokedTokens: DeleteSlice = (app, now) =>
  deleteRevokedBefore(app.sql, addDays(now, -TOKEN_DAYS));

/** Of the web client: it asks for a new one in time. */
export const deleteExpiredTokens: DeleteSlice = (app, now) =>
  deleteExpiredBefore(app.sql, addDays(now, -1));

export const deleteOldWeeks: DeleteSlice = (app, now) =>
  deleteWeeksBefore(app.sql, addDays(now, -WEEK_DAYS));
