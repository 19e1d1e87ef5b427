// Parameters in unusual places and numbers: JSON with a GET, names that are repeated.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallRequest, SmallServer } from "../../../test/small-server.ts";
import { Type } from "./schema.ts";
import type { Server } from "./server.ts";

const Shape = Type.Object({
  status: Type.Optional(Type.String({ maxLength: 200_000 })),
  sensitive: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer()),
  visibility: Type.Optional(Type.Enum(["public", "private"])),
  media_ids: Type.Optional(Type.Array(Type.String())),
  max_id: Type.Optional(Type.Unknown()),
});

const routes = (server: Server): void => {
  server.post("/shape", { schema: { body: Shape } }, async (request) => request.body);
  server.get("/shape", { schema: { querystring: Shape } }, async (request) => request.query);
};

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes);
});
after(() => server.close());

test("a GET may have its parameters as JSON", async () => {
  const ask = (request: SmallRequest, query = "") => server.call("GET", `/shape${query}`, request);
  const json = { media_ids: ["1", "2"], count: "3", __proto__: null };
  assert.deepEqual((await ask({ json })).json, { media_ids: ["1", "2"], count: 3 });
  const both = await ask({ json: { count: 4 } }, "?count=3&status=x");
  assert.deepEqual(both.json, { count: 4, status: "x" });
  const type = { "content-type": "application/json" };
  for (const body of ["null", "[1]", "5", ""]) {
    assert.deepEqual((await ask({ body, headers: type }, "?count=3")).json, { count: 3 }, body);
  }
  assert.deepEqual((await ask({ headers: type }, "?count=3")).json, { count: 3 });
  assert.deepEqual((await ask({ form: "count=4" }, "?count=3")).json, { count: 3 });
  assert.equal((await ask({ body: "{", headers: type })).status, 400);
  assert.equal((await ask({ json: { count: "x" } })).status, 422);
  assert.equal((await ask({ json: { status: "x".repeat(2 ** 20) } })).status, 413);
});

test("of a repeated parameter that is no list the last one counts", async () => {
  const twice =
    "count=1&count=2&sensitive=true&sensitive=false&visibility=public&visibility=private";
  const expected = { sensitive: false, count: 2, visibility: "private", media_ids: ["1", "2"] };
  const query = `${twice}&media_ids=1&media_ids=2`;
  assert.deepEqual((await server.call("GET", `/shape?${query}`)).json, expected);
  assert.deepEqual((await server.call("POST", "/shape", { form: query })).json, expected);
  const multipart = new FormData();
  for (const [name, value] of new URLSearchParams(query)) multipart.append(name, value);
  assert.deepEqual((await server.call("POST", "/shape", { multipart })).json, expected);
  assert.deepEqual((await server.call("GET", "/shape?max_id=1&max_id=2")).json, { max_id: "2" });
  for (const form of ["status[]=a&status[]=b", "status%5B%5D=a&status%5B%5D=b", "status[a]=b"]) {
    assert.equal((await server.call("POST", "/shape", { form })).status, 422, form);
  }
  assert.equal((await server.call("POST", "/shape", { json: { status: ["a", "b"] } })).status, 422);
});

test("ids as numbers of JSON keep all their digits", async () => {
  const id = "117662786588311555";
  const body = `{"media_ids":[${id}, -${id}],"max_id": ${id},"status":"is, ${id}","count":7,"x":{"__proto__":${id}}}`;
  const headers = { "content-type": "application/json" };
  const expected = { status: `is, ${id}`, count: 7, media_ids: [id, `-${id}`], max_id: id };
  for (const method of ["GET", "POST"]) {
    assert.deepEqual((await server.call(method, "/shape", { body, headers })).json, expected);
  }
  const far = { body: '{"count":11766278658831155500}', headers };
  assert.equal((await server.call("POST", "/shape", far)).status, 422);
  const nested = `${"[".repeat(200_000)}${id}${"]".repeat(200_000)}`;
  assert.ok((await server.call("POST", "/shape", { body: nested, headers })).status < 500);
  const broken = await server.call("POST", "/shape", { body: `{"count":${id}`, headers });
  assert.equal(broken.status, 400);
});
