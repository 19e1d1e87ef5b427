// What an administrator does with the copies of remote files.

import type { App } from "../../../platform/app.ts";
import { countCopies, deleteUnused, forgetCopies, selectUsage } from "./queries.ts";
import type { Usage } from "./queries.ts";

export const mediaUsage = async ({ sql }: App): Promise<Usage[]> => [...(await selectUsage(sql))];

/** Removes copies that nobody looked at since then; returns how many. */
export const removeRemoteUnused = async ({ sql }: App, before: Date): Promise<number> => {
  const all = await countCopies(sql);
  while (await deleteUnused(sql, before));
  return all - (await countCopies(sql));
};

/** Forgets what is known of a host's files, or of all that could not be fetched. */
export const forgetRemote = ({ sql }: App, host: string | null): Promise<number> =>
  forgetCopies(sql, host);
