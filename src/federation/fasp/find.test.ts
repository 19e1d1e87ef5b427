// What auxiliary providers find: people for searches, suggestions and trends, looked up like any others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startProvider } from "../../../test/fasp-provider.ts";
import type { Provider } from "../../../test/fasp-provider.ts";
import * as w from "../../../test/inbox-world.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { setSetting } from "../../domain/base/settings/settings.ts";
import { refreshTrends } from "../../domain/reading/trends/refresh.ts";
import { forgetHostFailures, isHostDown } from "../../platform/fetch/host-breaker.ts";
import { addDays } from "../../platform/ids/index.ts";
import { findTrends } from "./find.ts";
import { confirmProvider, useProvider } from "./providers.ts";

type Json = Record<string, any>;

let provider: Provider;

before(async () => {
  await w.openWorld();
  provider = await startProvider(() => w.time);
  await provider.register(w.test.url);
  await confirmProvider(w.test.app, COMMAND_LINE, provider.state.id);
});
after(async () => {
  await provider.close();
  await w.closeWorld();
});

const paths = () => provider.asked.map(({ path }) => path).filter((path) => /\/v0\//.test(path));

const search = (q: string) =>
  w.alice.get(`/api/v2/search?type=accounts&q=${encodeURIComponent(q)}`);

const newcomer = (name: string) => {
  const actor = w.otherPeer.actor(name, 1);
  Object.assign(actor.document, { discoverable: true, indexable: true });
  return actor;
};

test("without a provider nobody is asked", async () => {
  assert.equal((await search("teapot")).headers.get("mastodon-async-refresh"), null);
  await w.alice.get("/api/v2/suggestions").ok();
  await w.test.runJobs();
  assert.deepEqual(paths(), []);
  const all = ["account_search", "follow_recommendation", "trends"] as const;
  await useProvider(w.test.app, COMMAND_LINE, provider.state.id, all);
});

test("a search finds people when it is repeated", async () => {
  const stranger = newcomer("teapot");
  provider.answers.set("/account_search/v0/search", [
    stranger.uri,
    `${w.otherPeer.origin}/users/nobody`,
    "http://10.0.0.1/users/teapot",
    { not: "an address" },
  ]);
  const first = await search("teapot");
  assert.deepEqual(first.json.accounts, []);
  const [, id] = /id="([^"]+)", retry=5, result_count=0/.exec(
    first.headers.get("mastodon-async-refresh") ?? "",
  )!;
  await w.test.runJobs();
  assert.deepEqual(paths(), ["/account_search/v0/search?term=teapot&limit=10"]);
  const { async_refresh } = (await w.alice.get(`/api/v1_alpha/async_refreshes/${id}`)).json;
  assert.deepEqual([async_refresh.status, async_refresh.result_count], ["finished", 1]);
  const second = await search("teapot");
  assert.deepEqual(
    second.json.accounts.map((account: Json) => account["uri"]),
    [stranger.uri],
  );
  for (const q of ["te", "#teapot", stranger.uri]) await search(q);
  await w.test.visitor.get("/api/v2/search?q=kettle");
  await w.test.runJobs();
  assert.equal(paths().length, 1);
});

test("a provider that is down or lies costs nobody an answer", async () => {
  for (const wrong of [{ status: 500 }, { key: provider.newKeys().privateKey }]) {
    Object.assign(provider.state, wrong);
    newcomer("kettle");
    const answer = await search(`kettle ${Object.keys(wrong)[0]}`);
    assert.equal(answer.status, 200);
    await w.test.runJobs();
    const [, id] = /id="([^"]+)"/.exec(answer.headers.get("mastodon-async-refresh")!)!;
    const { async_refresh } = (await w.alice.get(`/api/v1_alpha/async_refreshes/${id}`)).json;
    assert.deepEqual([async_refresh.status, async_refresh.result_count], ["finished", 0]);
    Object.assign(provider.state, { status: 200, key: provider.privateKey });
    await forgetHostFailures(w.test.app, provider.origin);
  }
});

test("a provider that says too much does not count as down", async () => {
  provider.answers.set("/account_search/v0/search", "x".repeat(300_000));
  for (let n = 0; n < 5; n++) await search(`too much ${n}`);
  await w.test.runJobs();
  assert.equal(paths().filter((path) => path.includes("too+much")).length, 5);
  assert.equal(await isHostDown(w.test.app, provider.origin), false);
});

test("whom a provider recommends is suggested, to people who want to be found", async () => {
  const stranger = newcomer("gardener");
  provider.answers.set("/follow_recommendation/v0/accounts", [stranger.uri, w.uriOf(w.carol)]);
  const suggested = async () =>
    (await w.carol.get("/api/v2/suggestions").ok()).map((one: Json) => [
      one["account"].uri,
      one["sources"],
    ]);
  await w.carol.patch("/api/v1/accounts/update_credentials", { discoverable: false }).ok();
  provider.asked.length = 0;
  assert.ok(!(await suggested()).some(([uri]: string[]) => uri === stranger.uri));
  await w.test.runJobs();
  assert.deepEqual(paths(), []);
  await w.carol.patch("/api/v1/accounts/update_credentials", { discoverable: true }).ok();
  await w.test.app.kv.delete(`recommendations-wanted:${w.carol.accountId}`);
  assert.ok(!(await suggested()).some(([uri]: string[]) => uri === stranger.uri));
  await w.test.runJobs();
  const uri = encodeURIComponent(w.uriOf(w.carol));
  assert.deepEqual(paths(), [`/follow_recommendation/v0/accounts?accountUri=${uri}`]);
  const found = (await suggested()).find(([address]: string[]) => address === stranger.uri);
  assert.deepEqual(found, [stranger.uri, ["fasp"]]);
});

test("what trends elsewhere is a candidate for a day, shown once the staff approves", async () => {
  const { app, visitor } = w.test;
  const writer = newcomer("reporter");
  const news = "https://news.example/1";
  const [post, example] = ["/t/1", "/t/2"].map((path) =>
    w.otherPeer.note(writer, path, {
      published: new Date(w.time - 60_000).toISOString(),
      content: `<p>news <a href="${news}">there</a></p>`,
      tag: [{ type: "Hashtag", name: "#Birds", href: `${w.otherPeer.origin}/tags/birds` }],
    }),
  );
  const examples = [example!["id"]];
  provider.answers.set("/trends/v0/content", {
    content: [
      { uri: post!["id"], rank: 100 },
      { uri: "x", rank: 3 },
      { uri: writer.uri, rank: 9 },
      7,
    ],
  });
  provider.answers.set("/trends/v0/hashtags", {
    hashtags: [
      { name: "#Birds", rank: 80, examples },
      { name: "", rank: 9, examples },
      { rank: 9 },
    ],
  });
  provider.answers.set("/trends/v0/links", {
    links: [
      { url: news, rank: 50, examples },
      { url: "javascript:x", rank: 9, examples },
    ],
  });
  const shown = async (what: string, member: string): Promise<string[]> =>
    (await visitor.get(`/api/v1/trends/${what}`).ok()).map((each: Json) => each[member]);
  const all = async () => [
    await shown("statuses", "uri"),
    await shown("tags", "name"),
    await shown("links", "url"),
  ];
  provider.asked.length = 0;
  await findTrends(app);
  assert.deepEqual(paths(), [
    "/trends/v0/content?language=en&maxCount=10",
    "/trends/v0/hashtags?language=en&maxCount=10",
    "/trends/v0/links?language=en&maxCount=10",
  ]);
  await refreshTrends(app);
  assert.deepEqual(await all(), [[], [], []]);
  await setSetting(app, "trendable_by_default", true);
  assert.deepEqual(await all(), [[post!["id"]], ["Birds"], [news]]);
  // A day later nothing counts any more, even if no provider says anything new.
  w.advance(addDays(new Date(0), 1).getTime() + 1);
  await refreshTrends(app);
  assert.deepEqual(await all(), [[], [], []]);
  w.calmWorld();
});
