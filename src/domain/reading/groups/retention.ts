// Deletes everything of a group that is deleted.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { hasGroups } from "./access.ts";
import { deleteSliceOfGroup } from "./queries-posts.ts";

/** Deletes a slice of what a removed account has as a group; returns true when there may be more. */
export const deleteAsGroup = async (tx: Tx, id: string, { app }: { app: App }): Promise<boolean> =>
  (await hasGroups(app)) && deleteSliceOfGroup(tx, id);
