// What the client reads of answers, and how it keeps entities.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../../web/src/api/entities.ts";
import { ApiError, answerOf, nextOf, withParams } from "../../web/src/api/get.ts";
import { changeStatus, createStore, keepStatuses, snapshotOf } from "../../web/src/store/store.ts";

test("the next page is that of the Link header, by what it needs alone", () => {
  const url = "https://here.test/api/v1/timelines/home?limit=20&max_id=7&a,b=%3E";
  const before = '<https://here.test/x?min_id=9>; rel="prev"';
  assert.deepEqual(nextOf(`<${url}>; rel="next", ${before}`), { max_id: "7" });
  assert.deepEqual(nextOf(`${before}, <${url}>; rel="next"`), { max_id: "7" });
  assert.deepEqual(nextOf('</api/v1/trends/statuses?offset=20>; rel="next"'), { offset: "20" });
  assert.equal(answerOf(200, "[]", `<${url}>; rel="next", ${before}`).newerFrom, "9");
  assert.equal(answerOf(200, "[]", `<${url}>; rel="next"`).newerFrom, null);
  for (const none of [null, "", before, "<>; rel=next", 'rel="next"'])
    assert.equal(nextOf(none), null);
});

test("parameters that are not given are left out, lists have brackets", () => {
  assert.equal(withParams("/a"), "/a");
  assert.equal(
    withParams("/a", { b: null, c: undefined, d: false, e: ["1", "&"], f: "ü" }),
    "/a?d=false&e%5B%5D=1&e%5B%5D=%26&f=%C3%BC",
  );
});

test("an answer that is no success is an error in the server's words, whatever its body", () => {
  const fault = (status: number, text: string) => {
    try {
      answerOf(status, text, null);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return [error.status, error.message];
    }
    return null;
  };
  assert.deepEqual(fault(422, '{"error":"Too long"}'), [422, "Too long"]);
  for (const body of ["", "<html>", "null", "[]", '{"error":{}}', "7"])
    assert.equal(fault(503, body)![0], 503);
  assert.equal(fault(200, "[]"), null);
  assert.equal(answerOf(200, "", null).body, null);
});

const status = (id: string, more: object = {}): Status =>
  ({ id, reblog: null, favourites_count: 0, account: { id: "1" }, ...more }) as unknown as Status;

test("a post is kept once, whoever boosted it", () => {
  const store = createStore();
  const ids = keepStatuses(store, [
    status("3", { reblog: status("1") }),
    status("2", { reblog: status("1", { favourites_count: 4 }) }),
    status("1", { favourites_count: 5 }),
  ]);
  assert.deepEqual(ids, ["3", "2", "1"]);
  assert.equal(store.statuses.size, 3);
  assert.equal(store.statuses.get("3")!.value.reblog, "1");
  const seen = store.statuses.get("1")!;
  assert.equal(seen.value.favourites_count, 5);
  changeStatus(store, "1", ({ favourites_count }) => ({ favourites_count: favourites_count + 1 }));
  changeStatus(store, "9", () => ({ favourites_count: 1 }));
  // The same signal: whoever shows it is drawn again.
  assert.equal(seen.value.favourites_count, 6);
  assert.equal(store.statuses.size, 3);

  const copy = createStore(JSON.parse(JSON.stringify(snapshotOf(store))));
  assert.deepEqual(snapshotOf(copy), snapshotOf(store));
});
