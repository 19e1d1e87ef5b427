// A status was edited: those who have it at home, on a public stream, or reblogged it hear of it,
// and so do the servers that have it; it is found by its new words.

import type { App } from "../platform/app.ts";
import { reindexStatus } from "../domain/search/index-statuses.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { fanOutEdit } from "../domain/timelines/fanout.ts";
import { publishStatus } from "../domain/timelines/streams.ts";
import { deliverStatusEdited } from "./deliver-status.ts";
import { notifyStatusEdited } from "./notify-status.ts";

export const onStatusEdited = async (app: App, { id }: { id: string }): Promise<void> => {
  const [view] = await loadAsServer(app, [id]);
  if (!view) return;
  await reindexStatus(app, view);
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
  await notifyStatusEdited(app, view);
  if (view.local) await deliverStatusEdited(app, view);
};
