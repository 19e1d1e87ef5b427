// Whoever signed in sees through each process what was done through another; visitors do not wait for that.

import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import type { CacheSync } from "../platform/app.ts";
import type { Server } from "../platform/http/server.ts";
import { registerCacheSync } from "./web.ts";

test("a request waits for the others' changes if it may be a member's, however it brings its token", async () => {
  const calls: string[] = [];
  const cacheSync = {
    caughtUp: async () => calls.push("caught up") > 0,
    published: async () => void calls.push("published"),
  } as Partial<CacheSync> as CacheSync;
  const server = Fastify() as unknown as Server;
  registerCacheSync(server, { cacheSync });
  server.get("/", async () => "done");
  server.post("/", async () => "done");
  const callsOf = async (request: object): Promise<string[]> => {
    calls.length = 0;
    await server.inject({ url: "/", ...request });
    return [...calls];
  };
  assert.deepEqual(await callsOf({}), []);
  assert.deepEqual(await callsOf({ headers: { authorization: "Bearer a" } }), ["caught up"]);
  assert.deepEqual(await callsOf({ url: "/?access_token=a" }), ["caught up"]);
  assert.deepEqual(await callsOf({ headers: { cookie: "rookery_session=a" } }), ["caught up"]);
  assert.deepEqual(await callsOf({ method: "POST" }), ["published"]);
  await server.close();
});
