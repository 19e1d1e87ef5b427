// Manages copies of remote files, for administrators.

import type { App } from "../../../../platform/app.ts";
import "../events.ts";
import {
  countForgotten,
  countUnused,
  deleteCopiesOf,
  deleteUnused,
  forgetCopies,
  selectUsage,
} from "./queries.ts";
import type { Usage } from "./queries.ts";

export const mediaUsage = async ({ sql }: App): Promise<Usage[]> => [...(await selectUsage(sql))];

/** Deletes a slice of the copies that nobody looked at since then. */
export const removeRemoteUnused = ({ sql }: App, before: Date) => deleteUnused(sql, before);

export const countRemoteUnused = ({ sql }: App, before: Date): Promise<number> =>
  countUnused(sql, before);

/** Forgets what is known of a host's files, or of all that could not be fetched. */
export const forgetRemote = ({ sql }: App, host: string | null): Promise<number> =>
  forgetCopies(sql, host);

export const countKnownRemote = ({ sql }: App, host: string | null): Promise<number> =>
  countForgotten(sql, host);

/** Handles the job `remote_files.purge`, a slice each time. Files that somebody looks at are fetched again. */
export const purgeRemote = async (app: App, { hosts }: { hosts: string[] }): Promise<void> => {
  const isMore = await deleteCopiesOf(app.sql, hosts);
  if (isMore) await app.jobs.add(app.sql, "remote_files.purge", { hosts });
};
