// Deletes acts of owners and moderators after a year, and everything of a group that is deleted.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { hasGroups } from "./access.ts";
import { deleteActsBefore } from "./queries.ts";
import { deleteAnswersBefore, deleteSliceOfGroup } from "./queries-posts.ts";

const KEPT_DAYS = 365;

export const deleteOldGroupActs: DeleteSlice = (app, now) =>
  deleteActsBefore(app.sql, addDays(now, -KEPT_DAYS));

/** Days for which replies are kept; they are counted for a day. */
const ANSWERS_KEPT_DAYS = 2;

export const deleteOldGroupAnswers: DeleteSlice = (app, now) =>
  deleteAnswersBefore(app.sql, addDays(now, -ANSWERS_KEPT_DAYS));

/** Deletes a slice of what a removed account has as a group; returns true when there may be more. */
export const deleteAsGroup = async (tx: Tx, id: string, { app }: { app: App }): Promise<boolean> =>
  (await hasGroups(app)) && deleteSliceOfGroup(tx, id);
