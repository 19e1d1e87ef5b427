// Deletes the files that nothing names any more: once a minute, and not in the transaction in which the last
// thing that named them went, which could still fail.

import type { App } from "../app.ts";
import { filesDeleted, selectFilesToDelete } from "./queries.ts";

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /** Files may have to be deleted. */
    "files.delete": Record<string, never>;
  }
}

const AT_ONCE = 500;

/** The job `files.delete`. */
export const deleteFiles = async (app: App): Promise<void> => {
  const keys = await selectFilesToDelete(app.sql, AT_ONCE);
  if (keys.length === 0) return;
  await app.storage.delete(keys);
  await filesDeleted(app.sql, keys);
  if (keys.length === AT_ONCE) await app.jobs.add(app.sql, "files.delete", {});
};
