// Lists and hashtags with the client library masto, against a live server.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createRestAPIClient, createStreamingAPIClient, MastoHttpError } from "masto";
import type { mastodon } from "masto";
import { oneDayClock } from "../clocks/one-day.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";

let server: TestApp;
let people: { alice: Person; bob: Person };
let alice: mastodon.rest.Client;
let bob: mastodon.rest.Client;

before(async () => {
  server = await startTestApp({ clock: oneDayClock() });
  people = { alice: await server.person("alice"), bob: await server.person("bob") };
  const rest = ({ token }: Person) => createRestAPIClient({ url: server.url, accessToken: token });
  [alice, bob] = [rest(people.alice), rest(people.bob)];
});
after(() => server.close());

const missing = (error: unknown) => {
  assert.ok(error instanceof MastoHttpError, String(error));
  assert.equal(error.statusCode, 404);
  return true;
};

const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 50; tries++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain for ${what}`);
};

it("creates a list, fills it, reads and streams it, empties and deletes it", async () => {
  const list = await alice.v1.lists.create({ title: "Birds" });
  const of = alice.v1.lists.$select(list.id);
  const accountIds = [people.bob.accountId];
  await assert.rejects(of.accounts.create({ accountIds }), missing);
  await alice.v1.accounts.$select(people.bob.accountId).follow();
  await of.accounts.create({ accountIds });
  assert.equal((await of.accounts.list())[0]!.acct, "bob");
  const lists = await alice.v1.accounts.$select(people.bob.accountId).lists.list();
  assert.deepEqual(
    lists.map(({ id }) => id),
    [list.id],
  );
  const { configuration } = await alice.v2.instance.fetch();
  const streaming = createStreamingAPIClient({
    streamingApiUrl: configuration.urls.streaming,
    accessToken: people.alice.token,
    retry: false,
  });
  const received = new Set<string>();
  const listening = (async () => {
    for await (const { event, payload } of streaming.list.subscribe({ list: list.id })) {
      if (event === "update") received.add(payload.id);
    }
  })();
  // The library does not say when a subscription begins: posts until one arrives.
  let newest = "";
  await until("a post on the stream", async () => {
    newest = (await bob.v1.statuses.create({ status: "for the list" })).id;
    await sleep(200);
    return received.has(newest);
  }).finally(() => streaming.close());
  await listening;
  const [listed] = await alice.v1.timelines.list.$select(list.id).list();
  assert.equal(listed!.id, newest);
  const changed = await of.update({ title: "Rooks", exclusive: true });
  assert.deepEqual([changed.title, changed.exclusive], ["Rooks", true]);
  assert.deepEqual(await alice.v1.timelines.home.list(), []);
  await of.accounts.remove({ accountIds });
  assert.deepEqual(await of.accounts.list(), []);
  await of.remove();
  assert.deepEqual(await alice.v1.lists.list(), []);
  await alice.v1.accounts.$select(people.bob.accountId).unfollow();
});

it("follows a hashtag, has its posts at home, features and unfeatures one", async () => {
  const tag = await alice.v1.tags.$select("rooks").follow();
  assert.equal(tag.following, true);
  assert.equal((await alice.v1.followedTags.list())[0]!.name, "rooks");
  const status = await bob.v1.statuses.create({ status: "#rooks in the elm" });
  await until("the post at home", async () => {
    const home = await alice.v1.timelines.home.list();
    return home.some(({ id }) => id === status.id);
  });
  const { history } = await alice.v1.tags.$select("rooks").fetch();
  assert.equal(history![0]!.uses, "1");
  assert.equal((await alice.v1.tags.$select("rooks").unfollow()).following, false);
  assert.equal((await bob.v1.featuredTags.suggestions.list())[0]!.name, "rooks");
  const featured = await bob.v1.featuredTags.create({ name: "rooks" });
  assert.equal(String(featured.statusesCount), "1");
  const shown = await alice.v1.accounts.$select(people.bob.accountId).featuredTags.list();
  assert.equal(shown[0]!.name, "rooks");
  await bob.v1.featuredTags.$select(featured.id).remove();
  assert.deepEqual(await bob.v1.featuredTags.list(), []);
});
