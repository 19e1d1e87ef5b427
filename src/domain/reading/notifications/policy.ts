// Manages whose notifications a person wants: the policy, and the requests of senders whose notifications it filters.

import type { App } from "../../../platform/app.ts";
import { chunks } from "../../../platform/chunks.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { publishToUsers } from "../timelines/streams.ts";
import "./events.ts";
import {
  acceptRequests,
  dismissRequests,
  selectPolicy,
  selectRequest,
  selectSummary,
  upsertPolicy,
} from "./queries-policy.ts";
import type { PolicyRow, RequestRow, RequestSummary, RequestView } from "./tables.ts";

/** The defaults of the columns of notification_policies. */
const DEFAULTS: PolicyRow = {
  for_not_following: "accept",
  for_not_followers: "accept",
  for_new_accounts: "accept",
  for_private_mentions: "filter",
  for_limited_accounts: "filter",
  for_bots: "accept",
};

/** Requests that are counted (limits.json of the contract, policy_counts_cap). */
const COUNTED = 100;

export type PolicyView = { policy: PolicyRow; summary: RequestSummary };

export const getPolicy = async (app: App, accountId: string): Promise<PolicyView> => ({
  policy: (await selectPolicy(app.sql, accountId)) ?? DEFAULTS,
  summary: await selectSummary(app.sql, accountId, COUNTED, app.clock.now()),
});

/** Applies to later notifications. */
export const changePolicy = (app: App, accountId: string, changes: Partial<PolicyRow>) =>
  upsertPolicy(app.sql, accountId, changes);

/** Loads the senders and last posts of one's own requests. */
export const loadRequests = async (app: App, accountId: string, rows: RequestRow[]) => {
  const accounts = await loadAccounts(
    app,
    rows.map((row) => row.from_account_id),
  );
  const statusIds = rows.flatMap((row) => row.last_status_id ?? []);
  const statuses = new Map(
    (await loadVisible(app, statusIds, asPerson(accountId))).map((view) => [view.id, view]),
  );
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id);
    const status = statuses.get(row.last_status_id ?? "") ?? null;
    return account ? [{ ...row, account, status }] : [];
  });
};

/** Returns one's own request; throws NotFound for others. */
export const getRequest = async (app: App, accountId: string, id: string): Promise<RequestView> => {
  const rows = await selectRequest(app.sql, accountId, id, app.clock.now());
  return orNotFound((await loadRequests(app, accountId, [...rows]))[0]);
};

/** Posts that one job takes. */
const SLICE = 100;

const takeRequests = async (app: App, tx: Tx, accountId: string, ids: string[]) => {
  const { count, mentionIds } = await acceptRequests(tx, accountId, ids);
  const slices = chunks(mentionIds, SLICE).map((statusIds) => ({
    payload: { accountId, statusIds },
  }));
  if (slices.length > 0) await app.jobs.addMany(tx, "mentions.accepted", slices);
  return count;
};

/** Returns how many there were. Open apps are notified, and read their lists again. */
export const accept = async (app: App, accountId: string, ids: string[]): Promise<number> => {
  const accepted = await app.sql.begin((tx) => takeRequests(app, tx, accountId, ids));
  if (accepted > 0) {
    await publishToUsers(app, [accountId], { event: "notifications_merged", payload: "1" });
  }
  return accepted;
};

/** Returns how many there were. */
export const dismiss = (app: App, accountId: string, ids: string[]): Promise<number> =>
  app.sql.begin((tx) => dismissRequests(tx, accountId, ids));
