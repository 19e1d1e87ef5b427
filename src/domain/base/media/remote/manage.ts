// Deletes copies of remote files, for administrators.

import type { App } from "../../../../platform/app.ts";
import "../events.ts";
import { deleteCopiesOf, deleteUnused } from "./queries.ts";

/** Deletes a slice of the copies that nobody looked at since then. */
export const removeRemoteUnused = ({ sql }: App, before: Date) => deleteUnused(sql, before);

/** Handles the job `remote_files.purge`, a slice each time. Files that somebody looks at are fetched again. */
export const purgeRemote = async (app: App, { hosts }: { hosts: string[] }): Promise<void> => {
  const isMore = await deleteCopiesOf(app.sql, hosts);
  if (isMore) await app.jobs.add(app.sql, "remote_files.purge", { hosts });
};
