// When more than the profile of a remote account is read from its server: its pins, recent posts and totals, when
// somebody here opens it or wants to follow it.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../../platform/app.ts";
import { singleFlight } from "../../../platform/caches/single-flight.ts";
import { beginRefresh, runningRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import "./events.ts";
import type { AccountView } from "./tables.ts";

/** Again after this. */
export const FILL_DAYS = 1;
/** The job knows whether it was done within a day; the same account is not asked about more often than this. */
const ASK_SECONDS = 3600;

export const fillSubject = (id: string): string => `account:${id}:posts`;

/** The answer that shows an account for the first time waits so long for its totals. */
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
 * The refresh that runs; null where there is nothing to wait for. Of an account that was never looked at, the totals
 * are there by then, where its server is quick: load it again.
 */
export const wantFilled = async (
  app: App,
  { id, domain, suspended_at }: Pick<AccountView, "id" | "domain" | "suspended_at">,
): Promise<Refresh | null> =>
  domain === null || suspended_at !== null ? null : once(app, id, () => begin(app, id));
