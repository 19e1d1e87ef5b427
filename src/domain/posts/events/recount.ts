// Counts answers to calendar events again when accounts are suspended, restored or deleted. The counts are computed
// from the rows, so that a repetition changes nothing.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { planCounted } from "./answer.ts";
import "./events.ts";
import type { Recounted } from "./events.ts";
import { deleteAnswersTo, lockEvents, recountEvents, selectAnswered } from "./queries.ts";

/** Events counted in one transaction. */
const PIECE = 100;

/** Enqueues nothing for accounts without answers, which most are. */
export const planRecount = async (app: App, db: Db, accountIds: string[]): Promise<void> => {
  const [first] = await selectAnswered(db, accountIds, "0", 1);
  if (first) await app.jobs.add(db, "event.recounted", { accountIds, after: "0" });
};

/** Handles the job `event.recounted`, a slice each time. */
export const recountAnswered = (app: App, { accountIds, after }: Recounted): Promise<void> =>
  app.sql.begin(async (tx) => {
    const ids = await selectAnswered(tx, accountIds, after, PIECE);
    await lockEvents(tx, ids);
    await planCounted(app, tx, await recountEvents(tx, ids));
    const last = ids[PIECE - 1];
    if (last) await app.jobs.add(tx, "event.recounted", { accountIds, after: last });
  });

/** Deletes a slice of the answers of an account that is removed; returns true when there may be more. */
export const deleteAnswersOf = async (tx: Tx, accountId: string): Promise<boolean> => {
  const ids = await selectAnswered(tx, [accountId], "0", PIECE);
  if (ids.length === 0) return false;
  await lockEvents(tx, ids);
  await deleteAnswersTo(tx, accountId, ids);
  await recountEvents(tx, ids);
  return ids.length === PIECE;
};
