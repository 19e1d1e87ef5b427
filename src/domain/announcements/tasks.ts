// The job of announcements: publishes what is due, and sends the current state to every open stream.

import type { App } from "../../platform/app.ts";
import { publishToAll } from "../timelines/streams.ts";
import type { AnnouncementChanged } from "./events.ts";
import { viewAnnouncement } from "./load.ts";
import { announcementEntity } from "./present.ts";
import { publishDue, selectCurrentOne } from "./queries.ts";

export const onAnnouncementChanged = async (
  app: App,
  { id }: AnnouncementChanged,
): Promise<void> => {
  const now = app.clock.now();
  await publishDue(app.sql, id, now);
  const row = await selectCurrentOne(app.sql, id, now);
  if (!row) return publishToAll(app, { event: "announcement.delete", payload: id });
  const entity = announcementEntity(await viewAnnouncement(app, row), app.config.site);
  await publishToAll(app, { event: "announcement", payload: JSON.stringify(entity) });
};
