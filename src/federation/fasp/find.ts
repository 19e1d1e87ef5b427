// What auxiliary providers find: people for a search, whom to follow, and what trends. All is asked for in jobs. An
// answer names addresses, which are looked up like any others; what trends is a candidate beside those of this server.

import type { App } from "../../platform/app.ts";
import type { JobHandler } from "../../platform/jobs/table.ts";
import { isRecord, listOf, numberOf, textOf } from "../../platform/json/read.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { countRefresh, finishRefresh } from "../../domain/base/refreshes/refreshes.ts";
import { recommendAccounts } from "../../domain/people/discovery/recommend.ts";
import { getAccount } from "../../domain/people/accounts/load.ts";
import { linkHash } from "../../domain/posts/statuses/links.ts";
import { accountsSubject } from "../../domain/reading/search/want-accounts.ts";
import { storeHints } from "../../domain/reading/trends/refresh.ts";
import type { Hint } from "../../domain/reading/trends/refresh.ts";
import { askInJob } from "./ask.ts";
import { withProviders } from "./providers.ts";
import type { ProviderRow } from "./tables.ts";

/** Results that are read of one answer. */
const MOST = 10;

const ask = (app: App, provider: ProviderRow, path: string, query: Record<string, string>) =>
  askInJob(app, provider, { path: `${path}?${new URLSearchParams(query)}` });

/** Returns the ids of the accounts or posts with these addresses, of which unknown ones are fetched. */
const lookUp = async (app: App, uris: unknown, kind: "account" | "status") => {
  const addresses = listOf(uris, MOST).filter((uri) => typeof uri === "string");
  const results = await Promise.all(addresses.map((uri) => app.remote.address(uri)));
  return results.flatMap((result) => (result?.kind === kind ? [result.id] : []));
};

/** Handles the job `accounts.wanted`: finds people for a search, who are there when it is repeated. */
export const findAccounts: JobHandler<"accounts.wanted"> = async (app, { q: term }) => {
  const subject = accountsSubject(term);
  let count = 0;
  try {
    await withProviders(app, "account_search", async (provider) => {
      const query = { term, limit: String(MOST) };
      const uris = await ask(app, provider, "/account_search/v0/search", query);
      count += (await lookUp(app, uris, "account")).length;
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
    await recommendAccounts(app, accountId, await lookUp(app, uris, "account"));
  });
};

/** The paths of what trends, which are the members of the answers, too. */
const TRENDS = { content: "status", hashtags: "tag", links: "link" } as const;

/** Reads what a provider says that trends; a post that has the tag or link is fetched, since none here may have it. */
const hintsIn = async (app: App, kind: Hint["kind"], item: unknown): Promise<Hint[]> => {
  const rank = isRecord(item) ? Math.min(numberOf(item["rank"]), 100) : 0;
  if (!isRecord(item) || !(rank > 0)) return [];
  const posts = listOf(kind === "status" ? item["uri"] : item["examples"], 1);
  const [id] = await lookUp(app, posts, "status");
  const subject = {
    status: id,
    tag: normaliseTag((textOf(item["name"]) ?? "").replace(/^#/, "")),
    link: linkHash(textOf(item["url"]) ?? "")?.toString("hex"),
  }[kind];
  return subject ? [{ kind, subject, rank }] : [];
};

/** Handles the job `fasp.trends`: what trends elsewhere in the language of this server becomes a candidate here. */
export const findTrends = (app: App): Promise<void> =>
  withProviders(app, "trends", async (provider) => {
    const query = { language: app.config.instance.locale, maxCount: String(MOST) };
    for (const [path, kind] of Object.entries(TRENDS)) {
      const answer = await ask(app, provider, `/trends/v0/${path}`, query);
      const items = listOf(isRecord(answer) ? answer[path] : [], MOST);
      const hints = await Promise.all(items.map((item) => hintsIn(app, kind, item)));
      await storeHints(app, hints.flat());
    }
  });
