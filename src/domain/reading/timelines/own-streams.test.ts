// What the streams of single viewers cost: questions are asked for all of them together, and entities
// that are the same are made once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asPerson } from "../../../platform/viewer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { loadForViewers } from "../../posts/statuses/load-for-viewers.ts";
import { loadAsServer, loadVisible } from "../../posts/statuses/load.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";
import { statusJson, viewerKey } from "../../posts/statuses/present-bytes.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { publishToViewers } from "./streams.ts";
import type { StreamEvent } from "./streams.ts";

let t: TestApp;
let author: Person;
let people: Person[];

const post = async (by: Person, json: object): Promise<string> =>
  (await by.post("/api/v1/statuses", json).ok())["id"];
const viewOf = async (id: string) => (await loadAsServer(t.app, [id]))[0]!;

before(async () => {
  t = await startTestApp({ env: { STATUS_CACHE: "true" } });
  author = await t.person("author");
  people = await Promise.all(["p1", "p2", "p3", "p4"].map((name) => t.person(name)));
});
after(() => t.close());

const streamsOf = (some: Person[]) =>
  some.map(({ accountId }) => ({ channel: userChannel(accountId), viewerId: accountId }));

test("one query for the marks of all listeners, one for filters; none once they are in memory", async () => {
  const original = await post(author, { status: "old" });
  await people[0]!.post(`/api/v1/statuses/${original}/favourite`, {}).ok();
  const { id } = await author.post(`/api/v1/statuses/${original}/reblog`, {}).ok();
  const view = await viewOf(id);
  const cost = async (some: Person[]) => {
    const delivery = { view, kind: "status.update" as const, streams: streamsOf(some) };
    return (await t.countQueries(() => publishToViewers(t.app, [delivery]), { warm: true }))
      .queries;
  };
  assert.equal(await cost([]), 0);
  assert.ok((await cost(people.slice(0, 1))) <= 2);
  assert.ok((await cost(people)) <= 2);
  // Blocked domains and muted threads are in memory for everybody with an open stream.
  assert.ok((await cost(people)) <= 1);
});

test("what is the same for several of them is one event", async () => {
  const id = await post(author, { status: "popular" });
  await people[0]!.post(`/api/v1/statuses/${id}/favourite`, {}).ok();
  const view = await viewOf(id);
  const events: StreamEvent[] = [];
  const stops = people.map(({ accountId }) =>
    t.app.pubsub.subscribe(
      userChannel(accountId),
      (event) => void events.push(event as StreamEvent),
    ),
  );
  await publishToViewers(t.app, [{ view, kind: "status.update", streams: streamsOf(people) }]);
  for (const stop of stops) stop();
  assert.equal(events.length, 4);
  assert.equal(new Set(events).size, 2);
  assert.deepEqual(
    events.map(({ payload }) => JSON.parse(payload!).favourited),
    [true, false, false, false],
  );
  // As they go to other processes: the text for filters, of what REST has filtered already, is not made for that.
  JSON.stringify(events);
  assert.equal(view.row.derived.words, null);
});

/** Statuses of every kind, with marks of some of the people. */
const statusesOfAllKinds = async (): Promise<string[]> => {
  const [first, second] = people as [Person, Person];
  const poll = { options: ["a", "b"], expires_in: 3600 };
  const plain = await post(author, { status: "plain words" });
  const voted = await author.post("/api/v1/statuses", { status: "poll", poll }).ok();
  const quoting = await post(first, { status: "quote", quoted_status_id: plain });
  const nested = await post(second, { status: "quote", quoted_status_id: quoting });
  const closed = await post(author, { status: "closed", quote_approval_policy: "followers" });
  for (const [index, who] of people.entries()) {
    for (const [bit, verb] of ["favourite", "bookmark", "mute"].entries()) {
      if (index & (1 << bit)) await who.post(`/api/v1/statuses/${plain}/${verb}`, {}).ok();
    }
    const path = `/api/v1/polls/${voted["poll"].id}/votes`;
    if (index < 3) await who.post(path, { choices: [index % 2] }).ok();
  }
  const boosts = [];
  for (const id of [plain, voted["id"], nested]) {
    boosts.push((await second.post(`/api/v1/statuses/${id}/reblog`, {}).ok())["id"]);
  }
  await first.post(`/api/v1/accounts/${author.accountId}/follow`, {}).ok();
  await second.post(`/api/v1/accounts/${author.accountId}/mute`, {}).ok();
  const keywords_attributes = [{ keyword: "plain" }];
  for (const who of people.slice(2)) {
    await who.post("/api/v2/filters", { title: "f", context: ["home"], keywords_attributes }).ok();
  }
  return [plain, voted["id"], quoting, nested, closed, ...boosts];
};

test("each view is the one that REST loads, and equal keys mean equal JSON", async () => {
  const ids = await statusesOfAllKinds();
  const viewers = [author, ...people];
  const showings = await Promise.all(
    ids.map(async (id) => ({
      view: await viewOf(id),
      viewerIds: viewers.map(({ accountId }) => accountId),
      isNew: false,
    })),
  );
  const shown = await loadForViewers(t.app, showings);
  const { site } = t.app.config;
  let keys = 0;
  for (const showing of showings) {
    const byKey = new Map<string, string>();
    for (const { accountId } of viewers) {
      const own = shown(showing, accountId)! as SeenStatus;
      const [same] = await loadVisible(t.app, [own.id], asPerson(accountId));
      const json = statusJson(own, site).toString();
      assert.equal(json, statusJson(same!, site).toString());
      assert.equal(byKey.get(viewerKey(own)) ?? json, json);
      byKey.set(viewerKey(own), json);
    }
    keys += byKey.size;
    assert.ok(byKey.size > 1);
  }
  assert.ok(keys < ids.length * viewers.length);
});
