// Deletes the files that no row names any more. This happens once a minute and not in the transaction that removed the
// last row, because that could still fail.

import type { App } from "../app.ts";
import { filesDeleted, selectFilesToDelete } from "./queries.ts";

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /** Files may have to be deleted. */
    "files.delete": Record<string, never>;
  }
}

const AT_ONCE = 500;

/** Handles the job `files.delete`. */
export const deleteFiles = async (app: App): Promise<void> => {
  const keys = await selectFilesToDelete(app.sql, AT_ONCE);
  if (keys.length === 0) return;
  await app.storage.delete(keys);
  await filesDeleted(app.sql, keys);
  if (keys.length === AT_ONCE) await app.jobs.add(app.sql, "files.delete", {});
};
