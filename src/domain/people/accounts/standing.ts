// Changes the standing of accounts with the moderators of this server. Moderation checks who may decide that, and
// records it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import {
  cancelDeletion,
  limitWithDomain,
  planDeletion,
  selectDueDeletions,
  sensitize,
  silence,
  suspend,
  unsensitize,
  unsilence,
  unsuspend,
} from "./queries-standing.ts";
import type { DomainLimits } from "./queries-standing.ts";

export {
  selectIdsOfDomain as accountIdsOfDomain,
  selectKnownDomains as knownDomainsUnder,
} from "./queries-standing.ts";
export type { DomainLimits };

/** Days until the data of a suspended account is deleted; until then all of it can come back. */
export const DELETE_AFTER_DAYS = 30;

export type Limitation = "sensitive" | "silence" | "suspend";

/** Runs within the transaction `db`; a repeated call changes nothing. */
export const limitAccount = async (app: App, db: Db, id: string, how: Limitation) => {
  const now = app.clock.now();
  if (how === "sensitive") await sensitize(db, id, now);
  else if (how === "silence") await silence(db, id, now);
  else {
    await suspend(db, id, now);
    await planDeletion(db, id, addDays(now, DELETE_AFTER_DAYS));
  }
};

/** Returns false when the account was not limited like this. */
export const liftLimit = async (db: Db, id: string, how: Limitation): Promise<boolean> => {
  if (how === "sensitive") return (await unsensitize(db, id)).length > 0;
  if (how === "silence") return (await unsilence(db, id)).length > 0;
  await cancelDeletion(db, id);
  return (await unsuspend(db, id)).length > 0;
};

/** Returns suspended accounts whose data is due to be deleted. */
export const dueDeletions = (app: App, limit: number): Promise<string[]> =>
  selectDueDeletions(app.sql, app.clock.now(), limit);

export const cancelDeletionOf = async (db: Db, id: string): Promise<void> => {
  await cancelDeletion(db, id);
};

/** Limits those of the accounts whose domain has the block. */
export const limitAccountsOfDomain = (app: App, db: Db, ids: string[], limits: DomainLimits) =>
  limitWithDomain(db, ids, limits, app.clock.now());
