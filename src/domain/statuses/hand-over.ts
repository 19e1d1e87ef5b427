// Handing new posts over to whoever works on their consequences: in this process by a call, with a
// row for each as the safety net; else by jobs (docs/decisions/0007-posting.md).

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import "./events.ts";
import { deleteUnfinished, selectUnfinished } from "./queries-posts.ts";

type Take = (ids: string[]) => void;

const residents = new WeakMap<App, Take>();

/** From now on `take` is called with the posts that were committed; gives the way back. */
export const attendPosts = (app: App, take: Take): (() => void) => {
  residents.set(app, take);
  return () => void residents.delete(app);
};

/** Is somebody in this process who takes posts over? */
export const isAttended = (app: App): boolean => residents.has(app);

/** After the commit. */
export const handOver = (app: App, ids: string[]): void => residents.get(app)?.(ids);

/** Where nobody takes posts over, and for those that failed: a job for each. */
export const enqueueCreated = (app: App, tx: Tx, ids: string[]): Promise<void> =>
  app.jobs.addMany(
    tx,
    "status.created",
    ids.map((id) => ({ payload: { id } })),
  );

/** Posts from before that moment whose consequences are still to come, oldest first. */
export const unfinishedBefore = (app: App, moment: Date): Promise<string[]> =>
  selectUnfinished(app.sql, String(BigInt(moment.getTime()) << 16n));

/** Their consequences have come. */
export const finish = (app: App, ids: string[]): Promise<void> => deleteUnfinished(app.sql, ids);

/** The consequences are left to jobs, which are tried again. */
export const leaveToJobs = (app: App, ids: string[]): Promise<void> =>
  app.sql.begin(async (tx) => {
    await enqueueCreated(app, tx, ids);
    await deleteUnfinished(tx, ids);
  });
