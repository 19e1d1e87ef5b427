// The bounded lane, and the order in which activities of one actor wait for each other.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LaneFull, createLane } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { EVERYTHING, Subjects, subjectsOf } from "./order.ts";

const LIMITS = { total: 4, perTarget: 2, perSender: 3, waiting: 5 };

/** Work that ends when it is told to, and says when it has begun. */
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
  return { done, end: resolve, give: (why: Error) => controller.abort(why), state };
};

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("a lane", () => {
  it("has places for one target and one sender, and lets others pass those who wait", async () => {
    const lane = createLane(LIMITS);
    const [a, b, c] = [workIn(lane, "slow"), workIn(lane, "slow"), workIn(lane, "slow")];
    const other = workIn(lane, "quick");
    const fourth = workIn(lane, "third");
    const elsewhere = workIn(lane, "third", "t");
    await tick();
    const begun = [a, b, c, other, fourth, elsewhere].map(({ state }) => state.begun);
    assert.deepEqual(begun, [true, true, false, true, false, true]);
    a.end();
    assert.equal(await a.done, "slow");
    await tick();
    assert.deepEqual([c.state.begun, fourth.state.begun], [true, false]);
  });

  it("gives up what waits when it is not wanted any more, and refuses what is too much", async () => {
    const lane = createLane({ ...LIMITS, total: 1, waiting: 2 });
    const first = workIn(lane, "a");
    const second = workIn(lane, "b");
    const third = workIn(lane, "c");
    assert.equal(lane.room(), 0);
    await assert.rejects(workIn(lane, "d").done, LaneFull);
    second.give(new Error("too late"));
    await assert.rejects(second.done, /too late/);
    first.end();
    await first.done;
    await tick();
    assert.deepEqual([second.state.begun, third.state.begun], [false, true]);
  });

  it("finishes what runs when it is emptied, and nothing else", async () => {
    const lane = createLane({ ...LIMITS, total: 1 });
    const [first, second] = [workIn(lane, "a"), workIn(lane, "a")];
    await tick();
    assert.equal(lane.entries(), 2);
    const emptying = lane.empty();
    await assert.rejects(second.done, LaneFull);
    first.end();
    await emptying;
    assert.equal(await first.done, "a");
    assert.equal(lane.entries(), 0);
  });
});

describe("the order of what an actor sends", () => {
  const note = "https://a.example/notes/1";
  const holds = (before: object, later: object): boolean => {
    const subjects = new Subjects();
    subjects.add("actor", subjectsOf(before as Record<string, unknown>));
    return subjects.holdUp("actor", subjectsOf(later as Record<string, unknown>));
  };
  const create = { id: `${note}/activity`, type: "Create", object: { id: note, inReplyTo: "up" } };
  const like = { id: "https://a.example/likes/1", type: "Like", object: "https://b.example/1" };

  it("keeps what is about the same", () => {
    assert.ok(holds(create, { id: "u", type: "Update", object: { id: note } }));
    assert.ok(holds(create, { id: "d", type: "Delete", object: note }));
    assert.ok(holds(create, { id: "c", type: "Create", object: { id: "n", inReplyTo: note } }));
    assert.ok(holds(create, { id: "a", type: "Add", object: note }));
    assert.ok(holds(create, { id: "q", type: "QuoteRequest", object: "x", instrument: note }));
    assert.ok(holds(like, { id: "u", type: "Undo", object: like.id }));
    const { id: _, ...withoutId } = like;
    assert.ok(holds(like, { id: "u", type: "Undo", object: withoutId }));
    assert.ok(holds({ id: "u", type: "Undo", object: like }, { ...like, id: "again" }));
  });

  it("and nothing else, but for what changes who follows whom", () => {
    assert.ok(!holds(create, { id: "f", type: "Follow", object: "https://b.example/users/alice" }));
    assert.ok(!holds(create, like));
    assert.ok(!holds(create, { id: "c", type: "Create", object: { id: "https://a.example/2" } }));
    const subjects = new Subjects();
    subjects.add("actor", [EVERYTHING]);
    assert.ok(subjects.holdUp("actor", []));
    assert.ok(!subjects.holdUp("another", ["x"]));
  });
});
