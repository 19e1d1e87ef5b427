// Polls: creating, voting, hiding, ending; over HTTP.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let now = new Date();
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

type Body = Record<string, unknown>;

const post = (body: Body, who = alice, more: Body = {}) =>
  who.post("/api/v1/statuses", {
    status: "Tea?",
    poll: { options: ["yes", "no", "coffee"], expires_in: 3600, ...body },
    ...more,
  });

const create = (body: Body = {}, more: Body = {}) => post(body, alice, more).ok();

const vote = (id: string, choices: unknown, who: Person | null = bob) =>
  (who ?? t.visitor).post(`/api/v1/polls/${id}/votes`, { choices });

const read = async (id: string, who: Person | null) =>
  (await (who ?? t.visitor).get(`/api/v1/polls/${id}`)).json;

const counts = (poll: { options: { votes_count: number | null }[] }) =>
  poll.options.map((option) => option.votes_count);

describe("making a poll", () => {
  test("it is in the status, correct for its author, for others and without a viewer", async () => {
    const status = await create();
    assertEntity("Status", status);
    assertEntity("Poll", status.poll);
    assert.equal(status.poll.voted, true);
    assert.deepEqual(status.poll.own_votes, []);
    assert.equal(status.poll.votes_count, 0);
    assert.equal(new Date(status.poll.expires_at).getTime(), now.getTime() + 3600_000);
    assert.equal((await read(status.poll.id, bob)).voted, false);
    const anonymous = await read(status.poll.id, null);
    assertEntity("Poll", anonymous);
    assert.equal("voted" in anonymous, false);
  });

  test("what is no poll is a 422 that says why", async () => {
    const long = "x".repeat(51);
    const wrong: [Body, RegExp][] = [
      [{ options: ["one"] }, /more than one/],
      [{ options: [] }, /more than one/],
      [{ options: ["a", "b", "c", "d", "e"] }, /more than 4/],
      [{ options: ["a", "a"] }, /duplicate/],
      [{ options: ["a", "  "] }, /blank/],
      [{ options: ["a", long] }, /50 characters/],
      [{ expires_in: 10 }, /too soon/],
      [{ expires_in: 99_999_999 }, /too far/],
      [{ expires_in: null }, /blank/],
    ];
    for (const [body, message] of wrong) {
      const answer = await post(body);
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.match(answer.json.error, message);
    }
  });
});

describe("voting", () => {
  test("once, for one, not for one's own, not for nothing", async () => {
    const { poll } = await create();
    const answer = await vote(poll.id, [1]).ok();
    assertEntity("Poll", answer);
    assert.deepEqual(counts(answer), [0, 1, 0]);
    assert.deepEqual([answer.voted, answer.own_votes], [true, [1]]);
    assert.deepEqual([answer.votes_count, answer.voters_count], [1, 1]);
    for (const [who, choices, status] of [
      [bob, [0], 422],
      [alice, [0], 422],
      [carol, [9], 422],
      [carol, [-1], 422],
      [carol, [0, 1], 422],
      [carol, [], 400],
      [carol, ["x"], 422],
      [null, [0], 401],
    ] as const) {
      assert.equal((await vote(poll.id, choices, who)).status, status, JSON.stringify(choices));
    }
    assert.deepEqual(counts(await read(poll.id, carol)), [0, 1, 0]);
  });

  test("several choices, where they are allowed", async () => {
    const { poll } = await create({ multiple: true });
    const { json } = await vote(poll.id, ["0", 2, 2]);
    assert.deepEqual(counts(json), [1, 0, 1]);
    assert.deepEqual([json.voters_count, json.votes_count], [1, 2]);
    assert.equal((await vote(poll.id, [1])).status, 422);
  });

  test("concurrent votes are all counted", async () => {
    const { poll } = await create();
    const people = await Promise.all([1, 2, 3, 4, 5].map((index) => t.person(`voter${index}`)));
    await Promise.all(people.map((person) => vote(poll.id, [0], person)));
    assert.deepEqual(counts(await read(poll.id, bob)), [5, 0, 0]);
  });

  test("hidden totals show when it has ended; after that nobody can vote", async () => {
    const { poll } = await create({ hide_totals: true });
    assert.deepEqual(counts((await vote(poll.id, [1])).json), [null, null, null]);
    now = new Date(now.getTime() + 3601_000);
    const over = await read(poll.id, bob);
    assert.equal(over.expired, true);
    assert.deepEqual(counts(over), [0, 1, 0]);
    assert.equal((await vote(poll.id, [1], carol)).status, 422);
  });

  test("who may not see the status does not see its poll", async () => {
    const { poll } = await create({}, { visibility: "private" });
    assert.equal((await vote(poll.id, [0])).status, 404);
    assert.equal((await t.visitor.get(`/api/v1/polls/${poll.id}`)).status, 404);
    assert.equal((await t.visitor.get("/api/v1/polls/abc")).status, 404);
  });
});

test("a page of polls takes no more queries than one", async () => {
  const ids = [];
  for (let index = 0; index < 6; index += 1) ids.push((await create()).id);
  const ask = (fetched: string[]) =>
    t.countQueries(() =>
      bob.get(`/api/v1/statuses?${fetched.map((id) => `id[]=${id}`).join("&")}`),
    );
  const [single, six] = [await ask(ids.slice(0, 1)), await ask(ids)];
  assert.equal(six.result.json.length, 6);
  assert.equal(six.queries, single.queries);
});

test("its author and the voters are notified once of its end", async () => {
  const { poll, id } = await create({ expires_in: 300 });
  await vote(poll.id, [0]);
  await t.runJobs();
  now = new Date(now.getTime() + 301_000);
  await t.app
    .sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = ${`poll.ended:${id}`}`;
  await t.runJobs();
  for (const [who, expected] of [
    [alice, 1],
    [bob, 1],
    [carol, 0],
  ] as const) {
    const answer = await who.get("/api/v1/notifications?types[]=poll");
    const notified = answer.json.filter(
      (notification: { status: { id: string } }) => notification.status.id === id,
    );
    assert.equal(notified.length, expected, who.username);
    if (notified[0]) assertEntity("Notification", notified[0]);
  }
});

test("an edit keeps the votes of the same poll, resets another, and may remove it", async () => {
  const status = await create();
  await vote(status.poll.id, [2]);
  const edit = async (json: Body) => (await alice.put(`/api/v1/statuses/${status.id}`, json)).json;
  const options = ["yes", "no", "coffee"];
  const same = await edit({ status: "Tea, now?", poll: { options, expires_in: 3600 } });
  assert.deepEqual(counts(same.poll), [0, 0, 1]);
  const later = await edit({ status: "Tea, now?", poll: { options, expires_in: 7200 } });
  assert.deepEqual(counts(later.poll), [0, 0, 1]);
  assert.equal(later.poll.expires_at, new Date(now.getTime() + 7_200_000).toISOString());
  const history = await t.visitor.get(`/api/v1/statuses/${status.id}/history`);
  assert.equal(history.json.length, 3, "the deadline alone is an edit");
  const other = await edit({ status: "Tea?", poll: { options: ["a", "b"], expires_in: 3600 } });
  assert.deepEqual(counts(other.poll), [0, 0]);
  assert.equal((await read(other.poll.id, bob)).voted, false);
  assert.equal((await edit({ status: "No poll" })).poll, null);
});
