// A status was deleted (or a reblog undone): it leaves the feeds and streams, other servers are told.

import type { App } from "../platform/app.ts";
import type { RemovedStatus } from "../domain/statuses/events.ts";
import { withdraw } from "../domain/timelines/fanout.ts";
import { deliverStatusRemoved } from "./deliver-status.ts";
import { retractReblog } from "./notify-status.ts";

export const onStatusRemoved = async (app: App, removed: RemovedStatus): Promise<void> => {
  await withdraw(app, [removed]);
  await retractReblog(app, removed);
  if (removed.local) await deliverStatusRemoved(app, removed);
};
