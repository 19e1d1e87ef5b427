// An event: bob@b follows alice@a, who invites; dan@b answers without following.
// Both see the counts of their own server; edits and the deletion reach them.

import assert from "node:assert/strict";
import { before, describe } from "node:test";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import type { Someone } from "../server.ts";
import { a, b } from "./pair.ts";

const STARTS = "2060-05-01T18:00:00.000Z";
const ENDS = "2060-05-01T22:00:00.000Z";

let alice: Someone;
let bob: Someone;
let dan: Someone;
let post: any;
/** Its copy at b. */
let copy: any;
const step = journey(() => [a, b]);

const find = async (who: Someone, type: string, q: string): Promise<any> =>
  (await who.get(`/api/v2/search?q=${encodeURIComponent(q)}&resolve=true&type=${type}`))[type][0];

const counts = async (who: Someone, id: string): Promise<number[]> => {
  const { event } = await who.get(`/api/v1/statuses/${id}`);
  return [event.yes_count, event.maybe_count, event.no_count];
};

const untilCounted = (expected: number[]): Promise<unknown> =>
  eventually(`${expected.join()} at a`, async () => {
    const now = await counts(alice, post.id);
    return now.join() === expected.join();
  });

const answer = (who: Someone, said: string): Promise<any> =>
  who.post(`/api/v1/statuses/${copy.id}/event/answer`, { answer: said });

before(async () => {
  alice = await a.person("host_alice");
  [bob, dan] = await Promise.all([b.person("guest_bob"), b.person("guest_dan")]);
});

describe("an event of another server", () => {
  step("comes to followers with its time and place, said once in its text", async () => {
    const { id } = await find(bob, "accounts", `@${alice.acct}`);
    await bob.post(`/api/v1/accounts/${id}/follow`);
    await eventually("the follow", async () => {
      const [relation] = await bob.get(`/api/v1/accounts/relationships?id[]=${id}`);
      return relation.following;
    });
    const event = { name: "Moss walk", starts_at: STARTS, ends_at: ENDS, place: "The <old> gate" };
    const warning = { ...event, name: "Fern walk" };
    await alice.post("/api/v1/statuses", {
      status: "wet",
      spoiler_text: "Mud & rain",
      event: warning,
    });
    post = await alice.post("/api/v1/statuses", { status: "bring boots", event });
    copy = await eventually("the event in bob's home", async () =>
      (await bob.get("/api/v1/timelines/home")).find((status: any) => status.uri === post.uri),
    );
    const { name, starts_at: start, ends_at: end, place } = copy.event;
    assert.deepEqual([name, start, end, place], ["Moss walk", STARTS, ENDS, event.place]);
    const [title, time, text] = copy.content.split("</p>");
    assert.equal(title, '<p class="event-inline"><strong>Moss walk</strong>');
    assert.equal(
      time,
      '<p class="event-inline">2060-05-01 18:00 – 22:00 (UTC)<br />The &lt;old&gt; gate',
    );
    assert.equal(text, "<p>bring boots");
    const [, muddy] = await bob.get("/api/v1/timelines/home");
    assert.deepEqual(
      [muddy.event.name, muddy.spoiler_text, muddy.content.includes("Mud"), muddy.sensitive],
      ["Fern walk", "Mud & rain", false, true],
    );
  });

  step("answers come back, of followers and of others, and change and end", async () => {
    await answer(bob, "yes");
    await untilCounted([1, 0, 0]);
    const { id } = await find(dan, "statuses", post.uri);
    assert.equal(id, copy.id);
    await answer(dan, "maybe");
    await untilCounted([1, 1, 0]);
    assert.deepEqual(await counts(bob, copy.id), [1, 1, 0]);
    await answer(bob, "no");
    await untilCounted([0, 1, 1]);
    const going = await alice.get(`/api/v1/statuses/${post.id}/event/answers?answer=maybe`);
    assert.deepEqual(
      going.map(({ acct }: any) => acct),
      [dan.acct],
    );
    await bob.delete(`/api/v1/statuses/${copy.id}/event/answer`);
    await untilCounted([0, 1, 0]);
    await answer(bob, "yes");
    await untilCounted([1, 1, 0]);
  });

  step("an edit and the deletion reach them, and the answers stay until then", async () => {
    const event = { name: "Fern walk", starts_at: STARTS };
    await alice.put(`/api/v1/statuses/${post.id}`, { status: "bring boots", event });
    await eventually("the new name", async () => {
      const { event: now } = await bob.get(`/api/v1/statuses/${copy.id}`);
      return now.name === "Fern walk" && now.ends_at === null && now.answer === "yes";
    });
    assert.deepEqual(await counts(alice, post.id), [1, 1, 0]);
    await alice.delete(`/api/v1/statuses/${post.id}`);
    await eventually("the deletion", async () => {
      const path = `/api/v1/statuses/${copy.id}`;
      return (await b.request("GET", path, { token: bob.token })).status === 404;
    });
  });
});
