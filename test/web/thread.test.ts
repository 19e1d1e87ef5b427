// A thread that stays open: one's own answer is shown right below what it answers, whichever of its reports is first,
// and is counted there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../../web/src/api/entities.ts";
import { posted, showPosted } from "../../web/src/acts/posted.ts";
import { createStore, dropStatus, keepStatus } from "../../web/src/store/store.ts";
import { addAnswer, openLoaded, refreshThread, threadState } from "../../web/src/store/thread.ts";
import type { ThreadState } from "../../web/src/store/thread.ts";
import { sequenceOf } from "../../web/src/store/thread-tree.ts";

const status = (id: string, in_reply_to_id: string | null, author = "bob"): Status =>
  ({ id, in_reply_to_id, account: { id: author }, reblog: null }) as Status;

const ROOT = "1";
const ANSWERS = ["2", "3", "4"];
const OWN = status("9", ROOT, "me");

/** Returns a thread of which the last two answers are not drawn. */
const open = () => {
  const store = createStore();
  keepStatus(store, status(ROOT, null, "alice"));
  for (const id of ANSWERS) keepStatus(store, status(id, ROOT));
  const data = { id: ROOT, above: [], below: ANSWERS, further: [], shown: ["2"], after: null };
  return { store, state: threadState(store, data) };
};

const isOnTop = ({ tree, shown }: ThreadState): void => {
  assert.deepEqual(sequenceOf(tree.value), [OWN.id, ...ANSWERS]);
  assert.ok(shown.value.has(OWN.id));
};

test("the answer to the request is first", () => {
  const { store, state } = open();
  addAnswer(store, state, OWN, true);
  addAnswer(store, state, OWN);
  isOnTop(state);
});

test("a stream is first", () => {
  const { store, state } = open();
  addAnswer(store, state, OWN);
  addAnswer(store, state, OWN, true);
  isOnTop(state);
});

test("a refreshed outline is first", async () => {
  const { store, state } = open();
  const further = [...ANSWERS, OWN.id].map((id) => ({
    id,
    in_reply_to_id: ROOT,
    account_id: id === OWN.id ? "me" : "bob",
  }));
  const body = { ancestors: [], descendants: [], further: { ancestors: [], descendants: further } };
  const get = async () => ({ body, next: null }) as never;
  await refreshThread({ get, store }, state);
  assert.ok(!state.shown.value.has(OWN.id), "the reader is not at the end");
  addAnswer(store, state, OWN, true);
  isOnTop(state);
});

test("own answers to a post above are shown below it, with what is answered to them", () => {
  const { store } = open();
  keepStatus(store, status("5", "2", "carol"));
  const data = { id: "5", above: [ROOT, "2"], below: [], further: [], shown: [], after: null };
  const state = threadState(store, data);
  const asideOf = () => [...state.aside.value].map(([above, ids]) => [above, ...ids]);
  addAnswer(store, state, status("8", ROOT, "carol"));
  assert.deepEqual(asideOf(), [], "somebody else's branch is not of this page");
  addAnswer(store, state, OWN, true);
  addAnswer(store, state, status("10", OWN.id, "me"), true);
  addAnswer(store, state, status("11", "10", "carol"));
  addAnswer(store, state, status("12", "2", "me"), true);
  assert.deepEqual(asideOf(), [
    [ROOT, OWN.id, "10", "11"],
    ["2", "12"],
  ]);
});

test("an own answer is counted below what it answers at once, and no more when it is deleted", () => {
  const { store } = open();
  const counted = () => store.statuses.get(ROOT)!.value.replies_count;
  keepStatus(store, { ...status(ROOT, null, "alice"), replies_count: 3 });
  showPosted(store, OWN);
  assert.deepEqual([counted(), posted.value], [4, { id: OWN.id, parentId: ROOT }]);
  dropStatus(store, OWN.id);
  dropStatus(store, OWN.id);
  assert.equal(counted(), 3);
});

test("what is loaded of folded branches is opened for paper, and folded again", () => {
  const { store, state } = open();
  const [shown, opened] = [state.shown.value, state.opened.value];
  const fold = openLoaded(store, state);
  assert.deepEqual([...state.shown.value], ANSWERS);
  assert.deepEqual([...state.opened.value], ANSWERS);
  fold();
  assert.deepEqual([state.shown.value, state.opened.value], [shown, opened]);
});
