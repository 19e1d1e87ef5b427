// A status was created, here or elsewhere, or reblogged. What follows, each step idempotent: done at
// once by one job; a step that fails becomes a job of its own and is retried alone.

import type { App } from "../platform/app.ts";
import { loadStatuses } from "../domain/statuses/load.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { fanOut } from "../domain/timelines/fanout.ts";
import { publishStatus, statusEvent } from "../domain/timelines/streams.ts";
import { deliverStatusCreated } from "./deliver-status.ts";
import { notifyStatusCreated } from "./notify-status.ts";

type Id = { id: string };
type Step = "status.fan_out" | "status.notify" | "status.deliver";

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.fan_out": Id;
    "status.notify": Id;
    "status.deliver": Id;
  }
}

const STEPS: Record<Step, (app: App, view: StatusView) => Promise<void>> = {
  /** Into the home feeds, then onto the streams; the entity is made once for all of them. */
  "status.fan_out": async (app, view) => {
    const event = statusEvent(app, view, "update");
    await fanOut(app, view, event);
    await publishStatus(app, view, "update", event);
  },
  "status.notify": notifyStatusCreated,
  "status.deliver": async (app, view) => {
    if (view.local) await deliverStatusCreated(app, view);
  },
};

const run = async (app: App, step: Step, view: StatusView): Promise<void> => {
  try {
    await STEPS[step](app, view);
  } catch (error) {
    app.log.warn({ err: error, step, status: view.id }, "a step failed and will be tried again");
    await app.jobs.add(app.sql, step, { id: view.id });
  }
};

/** The job `status.created`; a status that was deleted before its turn has no consequences. */
export const onStatusCreated = async (app: App, { id }: Id): Promise<void> => {
  const [view] = await loadStatuses(app, [id], null);
  if (!view) return;
  for (const step of Object.keys(STEPS) as Step[]) await run(app, step, view);
};

/** The job of one step alone. */
export const runStatusStep =
  (step: Step) =>
  async (app: App, { id }: Id): Promise<void> => {
    const [view] = await loadStatuses(app, [id], null);
    if (view) await STEPS[step](app, view);
  };
