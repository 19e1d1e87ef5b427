// Deletes tokens once nobody can use them.

import { addDays } from "../../../platform/ids/index.ts";
import { deleteExpiredBefore, deleteRevokedBefore } from "./queries.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";

/** Days for which a revoked token is kept, to show when it was revoked; it is refused either way. */
const TOKEN_DAYS = 30;

export const deleteRevokedTokens: DeleteSlice = (app, now) =>
  deleteRevokedBefore(app.sql, addDays(now, -TOKEN_DAYS));

/** Deletes expired tokens of the web client, which requests new ones in time. */
export const deleteExpiredTokens: DeleteSlice = (app, now) =>
  deleteExpiredBefore(app.sql, addDays(now, -1));
