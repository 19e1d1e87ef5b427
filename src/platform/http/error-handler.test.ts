// Values that the database cannot store are the client's error: a 422, which is logged.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallServer } from "../../../test/small-server.ts";
import { connect } from "../db/index.ts";
import type { Sql } from "../db/index.ts";
import type { Server } from "./server.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;
let server: SmallServer;

const routes = (web: Server): void => {
  web.post("/text", async (request) => sql`SELECT ${(request.body as { v: string }).v}::text AS v`);
  web.post("/json", async (request) => sql`SELECT ${sql.json(request.body as never)}::jsonb AS v`);
  web.post("/int", async (request) => sql`SELECT ${(request.body as { v: string }).v}::int4 AS v`);
  web.get("/mistake", async () => sql`SELECT * FROM no_such_table WHERE name = ${"s3cret"}`);
  web.get("/deleted", async () => sql`INSERT INTO bookmarks (account_id, status_id) VALUES (1, 1)`);
  web.get("/taken", async () => sql`INSERT INTO migrations (name) VALUES ('s3cret'), ('s3cret')`);
};

before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 2, application: "tests" });
  server = await startSmallServer(routes);
});
after(async () => {
  await server.close();
  await sql.end();
  await database.drop();
});

test("NUL, lone surrogates in JSON and numbers out of range are a 422", async () => {
  const sent: [string, string][] = [
    ["/text", String.raw`{"v":"a\u0000b"}`],
    ["/json", String.raw`{"v":"a\u0000b"}`],
    ["/json", String.raw`{"v":"a\ud800b"}`],
    ["/int", '{"v":"2147483648"}'],
  ];
  const headers = { "content-type": "application/json" };
  for (const [path, body] of sent) {
    server.lines.length = 0;
    const answer = await server.call("POST", path, { body, headers });
    assert.equal(answer.status, 422, `${path} ${answer.text}`);
    assert.deepEqual(answer.json, { error: "Validation failed: a value cannot be stored" });
    assert.ok(server.lines.some((line) => line["level"] === 40 && line["path"] === path));
  }
  const fine = await server.call("POST", "/text", { json: { v: "a\ud800b" } });
  assert.equal(fine.json[0].v, "a\ufffdb");
});

test("what was deleted while the request was worked on is a 404", async () => {
  const answer = await server.call("GET", "/deleted");
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.json, { error: "Record not found" });
});

test("other errors of the database are a 500 without details; the log has no values", async () => {
  for (const path of ["/mistake", "/taken"]) {
    server.lines.length = 0;
    const answer = await server.call("GET", path);
    assert.equal(answer.status, 500);
    assert.deepEqual(answer.json, { error: "Something went wrong on our end" });
    const line = server.lines.find((entry) => entry["level"] === 50)!;
    assert.ok(line["err"].code);
    assert.doesNotMatch(JSON.stringify(line), /s3cret/);
  }
});
