// A status was edited: those who have it at home, on a public stream, or reblogged it hear of it,
// and so do the servers that have it.

import type { App } from "../platform/app.ts";
import { loadStatuses } from "../domain/statuses/load.ts";
import { fanOutEdit } from "../domain/timelines/fanout.ts";
import { publishStatus } from "../domain/timelines/streams.ts";
import { deliverStatusEdited } from "./deliver-status.ts";
import { notifyStatusEdited } from "./notify-status.ts";

export const onStatusEdited = async (app: App, { id }: { id: string }): Promise<void> => {
  const [view] = await loadStatuses(app, [id], null);
  if (!view) return;
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
  await notifyStatusEdited(app, view);
  if (view.local) await deliverStatusEdited(app, view);
};
