// Takes a scheduled post or thread back for editing: it becomes a draft first, so that nothing is lost on the way.

import type { ScheduledStatus } from "../api/entities.ts";
import type { App } from "../app.ts";
import { scheduledVisibility } from "../api/visibility.ts";
import type { Purpose } from "./draft.ts";
import { openDrafts } from "./browser-drafts.ts";
import { openComposer } from "./open.ts";
import { restored } from "./restore.ts";
import type { Sent, SentStatus } from "./restore.ts";

const sentOf = ({ params, ...scheduled }: ScheduledStatus): Sent => {
  const { text, thread = [], ...more } = params;
  const visibility = scheduledVisibility(params);
  const first = { ...more, status: text, visibility } as SentStatus;
  return { ...scheduled, statuses: [first, ...(thread as SentStatus[])] };
};

/** Throws ApiError; the post is still scheduled then. */
export const unschedule = async (app: App, scheduled: ScheduledStatus): Promise<void> => {
  const purpose: Purpose = { kind: "scheduled", id: scheduled.id };
  const drafts = openDrafts(localStorage, app.me!.id);
  drafts.keep(restored(app, purpose, sentOf(scheduled)));
  try {
    await app.send("DELETE", `/api/v1/scheduled_statuses/${scheduled.id}`);
  } catch (error) {
    drafts.forget(purpose);
    throw error;
  }
  openComposer({ purpose });
};
