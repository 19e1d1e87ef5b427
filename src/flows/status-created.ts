// A status was created, here or elsewhere, or reblogged. What follows, each step idempotent: done at
// once by one job; a step that fails becomes a job of its own and is retried alone.

import type { App } from "../platform/app.ts";
import { recordConversations } from "../domain/conversations/record.ts";
import { indexStatuses } from "../domain/search/index-statuses.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { pruneTagDays } from "../domain/tags/use.ts";
import { fanOut } from "../domain/timelines/fanout.ts";
import { deliverPosted, deliverStatusCreated } from "./deliver-status.ts";
import { notifyPosted, notifyStatusCreated } from "./notify-status.ts";

type Id = { id: string };
type Step =
  | "status.fan_out"
  | "status.converse"
  | "status.notify"
  | "status.deliver"
  | "status.index";

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.fan_out": Id;
    "status.converse": Id;
    "status.notify": Id;
    "status.deliver": Id;
    "status.index": Id;
  }
}

const STEPS: Record<Step, (app: App, view: StatusView) => Promise<void>> = {
  /** Into the home feeds, then onto the streams; the entity is made once for all of them. */
  "status.fan_out": (app, view) => fanOut(app, [view]),
  "status.converse": (app, view) => recordConversations(app, [view]),
  "status.notify": notifyStatusCreated,
  "status.deliver": async (app, view) => {
    if (view.local) await deliverStatusCreated(app, view);
  },
  "status.index": (app, view) => indexStatuses(app, [view]),
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
  const [view] = await loadAsServer(app, [id]);
  if (!view) return;
  for (const step of Object.keys(STEPS) as Step[]) await run(app, step, view);
  await pruneTagDays(app);
};

/** The same for many posts of people here, each step done for all of them together. */
const TOGETHER: Record<Step, (app: App, views: StatusView[]) => Promise<void>> = {
  "status.fan_out": fanOut,
  "status.converse": recordConversations,
  "status.notify": notifyPosted,
  "status.deliver": deliverPosted,
  "status.index": indexStatuses,
};

/** What nobody waits for: it is done for more posts at once. */
const LATER: ReadonlySet<Step> = new Set(["status.index"]);

const runTogether = async (app: App, step: Step, views: StatusView[]): Promise<void> => {
  try {
    await TOGETHER[step](app, views);
  } catch (error) {
    const ids = views.map(({ id }) => id);
    app.log.warn({ err: error, step, ids }, "a step failed and will be tried again");
    const jobs = ids.map((id) => ({ payload: { id } }));
    await app.jobs.addMany(app.sql, step, jobs);
  }
};

const runSteps = async (app: App, ids: string[], isLater: boolean): Promise<void> => {
  const views = await loadAsServer(app, ids);
  const steps = (Object.keys(TOGETHER) as Step[]).filter((step) => LATER.has(step) === isLater);
  for (const step of steps) await runTogether(app, step, views);
};

/** What onStatusCreated does for each, first what people wait for; both throw where not even the trying again could be planned. */
export const onPosted = async (app: App, ids: string[]): Promise<void> => {
  await runSteps(app, ids, false);
  await pruneTagDays(app);
};

/** The rest, a moment later. */
export const onSettled = (app: App, ids: string[]): Promise<void> => runSteps(app, ids, true);

/** The job of one step alone. */
export const runStatusStep =
  (step: Step) =>
  async (app: App, { id }: Id): Promise<void> => {
    const [view] = await loadAsServer(app, [id]);
    if (view) await STEPS[step](app, view);
  };
