// An act of the staff and its entry in the audit log, in one transaction.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { audit } from "./audit.ts";
import type { Entry } from "./audit.ts";
import type { Actor } from "../roles/permissions.ts";
import { requireMay } from "../roles/acts.ts";
import type { Act } from "../roles/acts.ts";

type Done<T> = { entry: Entry; result?: T };

/** Runs the act and records it; throws Forbidden unless the actor may do it. */
export const recorded = async <T = void>(
  app: App,
  actor: Actor,
  act: Act,
  work: (tx: Tx) => Promise<Done<T>>,
): Promise<T> => {
  requireMay(actor, act);
  return app.sql.begin(async (tx) => {
    const { entry, result } = await work(tx);
    await audit(app, tx, actor, entry);
    return result;
  }) as Promise<T>;
};
