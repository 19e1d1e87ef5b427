// What auxiliary providers find: people for a search, and whom to follow. Both are asked for in jobs. An answer names
// addresses alone, which are looked up like any others, so a provider is believed nothing else.

import type { App } from "../../platform/app.ts";
import type { JobHandler } from "../../platform/jobs/table.ts";
import { listOf } from "../../platform/json/read.ts";
import { countRefresh, finishRefresh } from "../../domain/base/refreshes/refreshes.ts";
import { recommendAccounts } from "../../domain/people/discovery/recommend.ts";
import { getAccount } from "../../domain/people/accounts/load.ts";
import { accountsSubject } from "../../domain/reading/search/want-accounts.ts";
import { askInJob } from "./ask.ts";
import { withProviders } from "./providers.ts";
import type { ProviderRow } from "./tables.ts";

/** Results that are read of one answer. */
const MOST = 10;

const ask = (app: App, provider: ProviderRow, path: string, query: Record<string, string>) =>
  askInJob(app, provider, { path: `${path}?${new URLSearchParams(query)}` });

/** Returns the ids of the accounts with these addresses, of which unknown ones are fetched. */
const lookUp = async (app: App, uris: unknown): Promise<string[]> => {
  const addresses = listOf(uris, MOST).filter((uri) => typeof uri === "string");
  const results = await Promise.all(addresses.map((uri) => app.remote.address(uri)));
  return results.flatMap((result) => (result?.kind === "account" ? [result.id] : []));
};

/** Handles the job `accounts.wanted`: finds people for a search, who are there when it is repeated. */
export const findAccounts: JobHandler<"accounts.wanted"> = async (app, { q: term }) => {
  const subject = accountsSubject(term);
  let count = 0;
  try {
    await withProviders(app, "account_search", async (provider) => {
      const query = { term, limit: String(MOST) };
      const uris = await ask(app, provider, "/account_search/v0/search", query);
      count += (await lookUp(app, uris)).length;
      await countRefresh(app, subject, count);
    });
  } finally {
    await finishRefresh(app, subject);
  }
};

/** Handles the job `recommendations.wanted`. Providers hear only of people who want to be found. */
export const findRecommended: JobHandler<"recommendations.wanted"> = async (app, { accountId }) => {
  const view = await getAccount(app, accountId);
  if (!view.discoverable || view.suspended_at || view.silenced_at) return;
  await withProviders(app, "follow_recommendation", async (provider) => {
    const query = { accountUri: view.uri };
    const uris = await ask(app, provider, "/follow_recommendation/v0/accounts", query);
    await recommendAccounts(app, accountId, await lookUp(app, uris));
  });
};
