// Authors whom more people follow than are held in memory: their followers get the same as those of others, part after
// part.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { cachedAudiences, eachAudiencePart } from "./cached-readers.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import type { StreamEvent } from "./streams.ts";

const CROWD = 10_001;

let t: TestApp;
let star: Person;
let small: Person;
let [bob, carol, dora] = [] as unknown as [Person, Person, Person];

before(async () => {
  t = await startTestApp();
  [star, small] = [await t.person("star"), await t.person("small")];
  // Their ids come after those of the crowd.
  await t.write`
    INSERT INTO accounts (id, username, uri, url)
    SELECT n, 'quiet' || n, 'http://q.example/' || n, 'http://q.example/' || n
    FROM generate_series(1, ${CROWD}::int) AS n
  `;
  await t.write`
    INSERT INTO follows (id, account_id, target_account_id)
    SELECT n, n, ${star.accountId} FROM generate_series(1, ${CROWD}::int) AS n
  `;
  [bob, carol, dora] = [await t.person("bob"), await t.person("carol"), await t.person("dora")];
  for (const person of [bob, carol]) await person.post(of(star, "follow")).ok();
  for (const person of [bob, dora]) await person.post(of(small, "follow")).ok();
  await t.runJobs();
  for (const person of [bob, carol, dora]) await home(person);
});
after(() => t.close());

const of = (who: Person, what: string): string => `/api/v1/accounts/${who.accountId}/${what}`;

const home = async (who: Person): Promise<string[]> =>
  (await who.get("/api/v1/timelines/home?limit=40").ok()).map(({ id }: { id: string }) => id);

const post = async (by: Person, more: object = {}): Promise<string> => {
  const { id } = await by.post("/api/v1/statuses", { status: "news", ...more }).ok();
  await t.runJobs();
  return id;
};

/** Who has it at home: by fan-out, and the same when the feeds are rebuilt. */
const whoHas = async (id: string): Promise<string[]> => {
  const have: string[] = [];
  for (const person of [bob, carol, dora]) {
    const isThere = (await home(person)).includes(id);
    await t.app.feeds.drop([homeKey(person.accountId)]);
    assert.equal((await home(person)).includes(id), isThere, "rebuilt");
    if (isThere) have.push(person.username);
  }
  return have;
};

/** The kinds of events that they get while it is done. */
const streamed = async (work: () => Promise<unknown>): Promise<Record<string, string[]>> => {
  const events: Record<string, string[]> = {};
  const stops = [bob, carol, dora].map(({ username, accountId }) =>
    t.app.pubsub.subscribe(userChannel(accountId), (event) => {
      (events[username] ??= []).push((event as StreamEvent).event);
    }),
  );
  await work();
  for (const stop of stops) stop();
  return events;
};

test("their followers are not held, and read in parts that are bounded", async () => {
  const audience = (await cachedAudiences(t.app, [star.accountId])).get(star.accountId)!;
  assert.deepEqual([audience.isWide, audience.readers.length], [true, 0]);
  const parts: string[][] = [];
  await eachAudiencePart(t.app, star.accountId, async ({ readers }) => {
    parts.push(readers.map(({ id }) => id));
  });
  assert.deepEqual(
    parts.map((part) => part.length),
    [5000, 5000, CROWD + 2 - 10_000],
  );
  assert.equal(new Set(parts.flat()).size, CROWD + 2);
  assert.ok(parts.at(-1)!.includes(bob.accountId));
  assert.equal(
    (await cachedAudiences(t.app, [small.accountId])).get(small.accountId)!.isWide,
    false,
  );
});

test("a post, its edit and its deletion reach them, each once", async () => {
  let id = "";
  const posted = await streamed(async () => (id = await post(star)));
  assert.deepEqual(posted, { bob: ["update"], carol: ["update"] });
  assert.deepEqual(await whoHas(id), ["bob", "carol"]);
  const edited = await streamed(async () => {
    await star.put(`/api/v1/statuses/${id}`, { status: "other news" }).ok();
    await t.runJobs();
  });
  assert.deepEqual(edited, { bob: ["status.update"], carol: ["status.update"] });
  const deleted = await streamed(async () => {
    await star.delete(`/api/v1/statuses/${id}`).ok();
    await t.runJobs();
  });
  assert.deepEqual(deleted, { bob: ["delete"], carol: ["delete"] });
  assert.deepEqual(await whoHas(id), []);
});

test("who follows a tag of it, too, gets it once", async () => {
  await carol.post("/api/v1/tags/garden/follow").ok();
  await dora.post("/api/v1/tags/garden/follow").ok();
  let id = "";
  const posted = await streamed(async () => (id = await post(star, { status: "news #garden" })));
  assert.deepEqual(posted, { bob: ["update"], carol: ["update"], dora: ["update"] });
  assert.deepEqual(await whoHas(id), ["bob", "carol", "dora"]);
});

test("what a follower wants of them holds, and whom they answer", async () => {
  await carol.post(of(star, "follow"), { languages: ["de"], notify: true }).ok();
  assert.deepEqual(await whoHas(await post(star, { language: "en" })), ["bob"]);
  const german = await post(star, { language: "de" });
  assert.deepEqual(await whoHas(german), ["bob", "carol"]);
  const notices = await carol.get("/api/v1/notifications?types[]=status").ok();
  assert.deepEqual(
    notices.map((notice: { status: { id: string } }) => notice.status.id),
    [german],
  );
  await carol.post(of(star, "follow"), { languages: [], notify: false }).ok();
  const root = await post(star);
  // Of those who follow `small` bob follows `star`, too.
  assert.deepEqual(await whoHas(await post(small, { in_reply_to_id: root })), ["bob"]);
  const other = await post(small);
  assert.deepEqual(await whoHas(await post(star, { in_reply_to_id: other })), ["bob"]);
  await bob.post(of(star, "follow"), { reblogs: false }).ok();
  const { id } = await star.post(`/api/v1/statuses/${other}/reblog`).ok();
  await t.runJobs();
  assert.deepEqual(await whoHas(id), ["carol"]);
});

test("what is for people who are named goes to those of them who follow", async () => {
  const status = "only for @bob and @dora";
  assert.deepEqual(await whoHas(await post(star, { status, visibility: "direct" })), ["bob"]);
});
