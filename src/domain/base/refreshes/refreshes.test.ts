// Refreshes: begun once, joined, counted, finished, and asked for by their id.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { beginRefresh, countRefresh, finishRefresh, runningRefresh } from "./refreshes.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
});
after(() => server.close());

const ask = (id: string, token: string | null = alice.token) =>
  server.as(token).get(`/api/v1_alpha/async_refreshes/${id}`);

test("a refresh is begun once and joined by all who ask for the same", async () => {
  const first = await beginRefresh(server.app, "context:1");
  const second = await beginRefresh(server.app, "context:1");
  assert.deepEqual([first.isNew, second.isNew], [true, false]);
  assert.equal(second.refresh.id, first.refresh.id);
  const many = await Promise.all(
    Array.from({ length: 10 }, () => beginRefresh(server.app, "context:2")),
  );
  assert.equal(many.filter((begun) => begun.isNew).length, 1);
});

test("its state can be read by id, before and after it is finished", async () => {
  const { refresh } = await beginRefresh(server.app, "search:x", true);
  const begun = await ask(refresh.id);
  assertEntity("AsyncRefreshResponse", begun.json);
  assert.deepEqual(begun.json.async_refresh, {
    id: refresh.id,
    status: "running",
    result_count: 0,
  });
  await countRefresh(server.app, "search:x", 3);
  assert.equal((await ask(refresh.id)).json.async_refresh.result_count, 3);
  await finishRefresh(server.app, "search:x");
  assert.deepEqual((await ask(refresh.id)).json.async_refresh, {
    id: refresh.id,
    status: "finished",
    result_count: 3,
  });
  assert.equal(await runningRefresh(server.app, "search:x"), null);
  const next = await beginRefresh(server.app, "search:x");
  assert.equal(next.isNew, true);
  assert.notEqual(next.refresh.id, refresh.id);
});

test("unknown ids are a 404, other scopes a 403, no token a 401", async () => {
  const { refresh } = await beginRefresh(server.app, "search:y");
  for (const id of ["1", "x".repeat(200), `${refresh.id}x`]) {
    assert.equal((await ask(id)).status, 404, id);
  }
  assert.equal((await ask(refresh.id, null)).status, 401);
  const narrow = await server.token(alice.userId, ["read:accounts"]);
  assert.equal((await ask(refresh.id, narrow)).status, 403);
});
