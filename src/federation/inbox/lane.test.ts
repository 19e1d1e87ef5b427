// The bounded lane, and the order in which activities of one actor wait for each other.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LaneFull, createLane } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { EVERYTHING, Subjects, subjectsOf } from "./order.ts";

const LIMITS = { total: 4, perTarget: 2, perSender: 3, waiting: 5 };

/** Work that ends when the test says so, and records that it has begun. */
const workIn = (lane: Lane, target: string, sender = "s") => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const controller = new AbortController();
  const state = { begun: false };
  const work = async (): Promise<string> => {
    state.begun = true;
    await promise;
    return target;
  };
  const done = lane.run({ target, sender, work, signal: controller.signal });
  done.catch(() => undefined);
  return { done, end: resolve, abort: (why: Error) => controller.abort(why), state };
};

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("a lane", () => {
  it("has places for one target and one sender, and lets others pass those who wait", async () => {
    const lane = createLane(LIMITS);
    const [a, b, c] = [workIn(lane, "slow"), workIn(lane, "slow"), workIn(lane, "slow")];
    const other = workIn(lane, "quick");
    const fourth = workIn(lane, "third");
    const otherSender = workIn(lane, "third", "t");
    await tick();
    const begun = [a, b, c, other, fourth, otherSender].map(({ state }) => state.begun);
    assert.deepEqual(begun, [true, true, false, true, false, true]);
    a.end();
    assert.equal(await a.done, "slow");
    await tick();
    assert.deepEqual([c.state.begun, fourth.state.begun], [true, false]);
  });

  it("drops waiting work that is aborted, and refuses more than may wait", async () => {
    const lane = createLane({ ...LIMITS, total: 1, waiting: 2 });
    const first = workIn(lane, "a");
    const second = workIn(lane, "b");
    const third = workIn(lane, "c");
    assert.equal(lane.room(), 0);
    await assert.rejects(workIn(lane, "d").done, LaneFull);
    second.abort(new Error("too late"));
    await assert.rejects(second.done, /too late/);
    first.end();
    await first.done;
    await tick();
    assert.deepEqual([second.state.begun, third.state.begun], [false, true]);
  });

  it("finishes what runs when it is closed, and nothing else", async () => {
    const lane = createLane({ ...LIMITS, total: 1 });
    const [first, second] = [workIn(lane, "a"), workIn(lane, "a")];
    await tick();
    assert.equal(lane.entries(), 2);
    const closing = lane.close();
    await assert.rejects(second.done, LaneFull);
    first.end();
    await closing;
    assert.equal(await first.done, "a");
    assert.equal(lane.entries(), 0);
  });
});

describe("the order of what an actor sends", () => {
  const note = "https://a.example/notes/1";
  const mustWait = (before: object, later: object): boolean => {
    const subjects = new Subjects();
    subjects.add("actor", subjectsOf(before as Record<string, unknown>));
    return subjects.blocks("actor", subjectsOf(later as Record<string, unknown>));
  };
  const create = { id: `${note}/activity`, type: "Create", object: { id: note, inReplyTo: "up" } };
  const like = { id: "https://a.example/likes/1", type: "Like", object: "https://b.example/1" };

  it("lets activities about the same wait", () => {
    assert.ok(mustWait(create, { id: "u", type: "Update", object: { id: note } }));
    assert.ok(mustWait(create, { id: "d", type: "Delete", object: note }));
    assert.ok(mustWait(create, { id: "c", type: "Create", object: { id: "n", inReplyTo: note } }));
    assert.ok(mustWait(create, { id: "a", type: "Add", object: note }));
    assert.ok(mustWait(create, { id: "q", type: "QuoteRequest", object: "x", instrument: note }));
    assert.ok(mustWait(like, { id: "u", type: "Undo", object: like.id }));
    const { id: _, ...withoutId } = like;
    assert.ok(mustWait(like, { id: "u", type: "Undo", object: withoutId }));
    assert.ok(mustWait({ id: "u", type: "Undo", object: like }, { ...like, id: "again" }));
  });

  it("lets others pass, except where somebody may start or stop to follow", () => {
    assert.ok(
      !mustWait(create, { id: "f", type: "Follow", object: "https://b.example/users/alice" }),
    );
    assert.ok(!mustWait(create, like));
    assert.ok(
      !mustWait(create, { id: "c", type: "Create", object: { id: "https://a.example/2" } }),
    );
    const subjects = new Subjects();
    subjects.add("actor", [EVERYTHING]);
    assert.ok(subjects.blocks("actor", []));
    assert.ok(!subjects.blocks("another", ["x"]));
  });
});
