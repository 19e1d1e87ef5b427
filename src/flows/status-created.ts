// A status was created, here or elsewhere, or reblogged. What follows, each step a job that is
// idempotent and retried alone.

import type { App } from "../platform/app.ts";
import { NotFound } from "../platform/errors.ts";
import { getStatus } from "../domain/statuses/load.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { fanOut } from "../domain/timelines/fanout.ts";
import { publishStatus, statusEvent } from "../domain/timelines/streams.ts";
import { deliverStatusCreated } from "./deliver-status.ts";
import { notifyStatusCreated } from "./notify-status.ts";

type Id = { id: string };

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.fan_out": Id;
    "status.notify": Id;
    "status.deliver": Id;
  }
}

/** The status, or null when it was deleted before its turn came. */
const present = async (app: App, id: string): Promise<StatusView | null> => {
  try {
    return await getStatus(app, id);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};

export const onStatusCreated = async (app: App, payload: Id): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await app.jobs.add(tx, "status.fan_out", payload);
    await app.jobs.add(tx, "status.notify", payload);
    await app.jobs.add(tx, "status.deliver", payload);
  });
};

/** Into the home feeds, then onto the streams; the entity is made once for all of them. */
export const fanOutStatus = async (app: App, { id }: Id): Promise<void> => {
  const view = await present(app, id);
  if (!view) return;
  const event = statusEvent(app, view, "update");
  await fanOut(app, view, event);
  await publishStatus(app, view, "update", event);
};

export const notifyOfStatus = async (app: App, { id }: Id): Promise<void> => {
  const view = await present(app, id);
  if (view) await notifyStatusCreated(app, view);
};

export const deliverStatus = async (app: App, { id }: Id): Promise<void> => {
  const view = await present(app, id);
  if (view?.local) await deliverStatusCreated(app, view);
};
