// Decides when more than the profile of a remote account is read from its server (pins, recent posts, totals): when
// somebody here opens it or wants to follow it.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../../platform/app.ts";
import { singleFlight } from "../../../platform/caches/single-flight.ts";
import { beginRefresh, runningRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import "./events.ts";
import type { AccountView } from "./tables.ts";

/** Days after which the account is read again. */
export const FILL_DAYS = 1;
/** Seconds between two jobs for one account; the job itself knows whether it ran within a day. */
const ASK_SECONDS = 3600;

export const fillSubject = (id: string): string => `account:${id}:posts`;

/** Milliseconds that the first answer with an account waits for its totals. */
const FIRST_LOOK_MS = 2000;

const once = singleFlight("accounts being looked at");

const begin = async (app: App, id: string): Promise<Refresh | null> => {
  if (!(await app.kv.add(`fill-wanted:${id}`, "1", ASK_SECONDS))) {
    return runningRefresh(app, fillSubject(id));
  }
  const enough = sleep(FIRST_LOOK_MS, undefined, { ref: false });
  await Promise.race([app.remote.readTotals(id), enough]);
  const { refresh } = await beginRefresh(app, fillSubject(id));
  await app.jobs.add(app.sql, "account.wanted", { id }, { key: `fill:${id}` });
  return refresh;
};

/**
 * Returns the running refresh; null where there is nothing to wait for. Totals of an account that was never looked at
 * are stored by then if its server is quick, so the caller loads it again.
 */
export const wantFilled = async (
  app: App,
  { id, domain, suspended_at }: Pick<AccountView, "id" | "domain" | "suspended_at">,
): Promise<Refresh | null> =>
  domain === null || suspended_at !== null ? null : once(app, id, () => begin(app, id));
