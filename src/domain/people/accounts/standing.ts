// How an account stands with the moderators of this server. Who may decide that is checked by moderation,
// which also records it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import {
  cancelDeletion,
  limitWithDomain,
  planDeletion,
  selectDueDeletions,
  selectIdsOfDomain,
  selectKnownDomains,
  sensitize,
  silence,
  suspend,
  unsensitize,
  unsilence,
  unsuspend,
} from "./queries-standing.ts";
import type { DomainLimits } from "./queries-standing.ts";

export type { DomainLimits };

/** What a suspended account had is deleted after so many days; until then all of it comes back. */
export const DELETE_AFTER_DAYS = 30;

export type Limitation = "sensitive" | "silence" | "suspend";

/** Within the transaction `db`. Doing it twice changes nothing. */
export const limitAccount = async (app: App, db: Db, id: string, how: Limitation) => {
  const now = app.clock.now();
  if (how === "sensitive") await sensitize(db, id, now);
  else if (how === "silence") await silence(db, id, now);
  else {
    await suspend(db, id, now);
    await planDeletion(db, id, addDays(now, DELETE_AFTER_DAYS));
  }
};

/** False when it was not limited like this. */
export const liftLimit = async (db: Db, id: string, how: Limitation): Promise<boolean> => {
  if (how === "sensitive") return (await unsensitize(db, id)).length > 0;
  if (how === "silence") return (await unsilence(db, id)).length > 0;
  await cancelDeletion(db, id);
  return (await unsuspend(db, id)).length > 0;
};

/** Suspended accounts whose time is over. */
export const dueDeletions = (app: App, limit: number): Promise<string[]> =>
  selectDueDeletions(app.sql, app.clock.now(), limit);

export const cancelDeletionOf = async (db: Db, id: string): Promise<void> => {
  await cancelDeletion(db, id);
};

/** Of these accounts, by what holds for their domain. */
export const limitAccountsOfDomain = (
  app: App,
  db: Db,
  ids: string[],
  limits: DomainLimits,
): Promise<void> => limitWithDomain(db, ids, limits, app.clock.now());

/** The domain and those below it, as far as accounts are known there. */
export const knownDomainsUnder = (db: Db, domain: string): Promise<string[]> =>
  selectKnownDomains(db, domain);

export const accountIdsOfDomain = (
  db: Db,
  domain: string,
  afterId: string,
  limit: number,
): Promise<string[]> => selectIdsOfDomain(db, domain, afterId, limit);
