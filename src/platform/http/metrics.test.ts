// /metrics: closed without a token, and what is in memory with it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import { metricsRoute } from "./metrics.ts";

test("without METRICS_TOKEN there is no such path", async () => {
  const server = await startSmallServer(metricsRoute);
  assert.equal((await server.call("GET", "/metrics")).status, 404);
  await server.close();
});

test("the token opens it: one line for each thing in memory and figure", async () => {
  const server = await startSmallServer(metricsRoute, { env: { METRICS_TOKEN: "s3cret" } });
  const get = (token: string) =>
    server.call("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await server.call("GET", "/metrics")).status, 401);
  assert.equal((await get("s3crex")).status, 401);
  server.app.caches.register("things", { entries: () => 2, bytes: () => 300, hits: 5, misses: 1 });
  const { status, headers, text } = await get("s3cret");
  assert.equal(status, 200);
  assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^# HELP rookery_memory_entries .+\n# TYPE rookery_memory_entries gauge\n/);
  assert.match(text, /\nrookery_memory_entries\{name="things"\} 2\n/);
  assert.match(text, /\nrookery_memory_bytes\{name="things"\} 300\n/);
  assert.match(text, /\nrookery_memory_limit_bytes\{name="things"\} 0\n/);
  assert.match(text, /\nrookery_memory_hits_total\{name="things"\} 5\n/);
  assert.match(text, /\nrookery_memory_misses_total\{name="things"\} 1\n/);
  assert.match(text, /\nrookery_database_up 1\n/);
  assert.match(text, /\nrookery_disk_full 0\n/);
  assert.match(text, /\nrookery_lateness_seconds 0\n/);
  assert.match(text, /\nrookery_lease_takeovers 0\n$/);
  await server.close();
});
