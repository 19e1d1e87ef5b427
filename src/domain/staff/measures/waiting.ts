// Counts what waits for a decision of the staff, and knows who may decide it.

import type { App } from "../../../platform/app.ts";
import { may } from "../../base/roles/acts.ts";
import type { Act } from "../../base/roles/acts.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { selectWaiting } from "./queries-waiting.ts";
import type { Waiting } from "./queries-waiting.ts";

export type { Waiting } from "./queries-waiting.ts";

/** Counts each as far as a badge shows. */
export const readWaiting = (app: App): Promise<Waiting> => selectWaiting(app.sql);

const DECIDED_BY: Record<keyof Waiting, Act> = {
  reports: "reports.read",
  signUps: "accounts.read",
  appeals: "appeals.decide",
  held: "spam.read",
  trends: "trends.review",
};

/** Returns what waits for this actor. */
export const waitingFor = (actor: Actor, waiting: Waiting): [keyof Waiting, number][] =>
  (Object.entries(waiting) as [keyof Waiting, number][]).filter(([what]) =>
    may(actor, DECIDED_BY[what]),
  );

/** Returns for how much people wait until this actor decides; nobody waits for trends. Others than staff get 0. */
export const peopleWaiting = async (app: App, actor: Actor): Promise<number> => {
  if (!Object.values(DECIDED_BY).some((act) => may(actor, act))) return 0;
  return waitingFor(actor, await readWaiting(app))
    .filter(([what]) => what !== "trends")
    .reduce((sum, [, count]) => sum + count, 0);
};
