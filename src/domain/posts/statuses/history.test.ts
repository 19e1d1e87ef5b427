// GET /api/v1/statuses/:id/history: each version with what belonged to it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { KEPT_EDITS } from "./queries-edit.ts";

let t: TestApp;
let me: Person;

before(async () => {
  t = await startTestApp();
  me = await t.person("me");
});
after(() => t?.close());

test("every version has the options of its own poll, or none", async () => {
  const poll = (...options: string[]) => ({ options, expires_in: 600 });
  const { id } = await me.post("/api/v1/statuses", { status: "a", poll: poll("1", "2") }).ok();
  const path = `/api/v1/statuses/${id}`;
  await me.put(path, { status: "b", poll: poll("1", "2", "3") }).ok();
  await me.put(path, { status: "c" }).ok();
  await me.put(path, { status: "d", poll: poll("4", "5") }).ok();
  const { json } = await t.visitor.get(`${path}/history`);
  for (const version of json) assertEntity("StatusEdit", version);
  assert.deepEqual(
    json.map((edit: any) => [edit.content, edit.poll?.options.map(({ title }: any) => title)]),
    [
      ["<p>a</p>", ["1", "2"]],
      ["<p>b</p>", ["1", "2", "3"]],
      ["<p>c</p>", undefined],
      ["<p>d</p>", ["4", "5"]],
    ],
  );
});

test("a status that was never edited has one version", async () => {
  const { id } = await me.post("/api/v1/statuses", { status: "once" }).ok();
  const { json } = await t.visitor.get(`/api/v1/statuses/${id}/history`);
  assert.equal(json.length, 1);
  assert.equal(json[0].quote, null);
});

test("of a status that is edited without end the first and the newest versions are kept", async () => {
  const { id } = await me.post("/api/v1/statuses", { status: "first" }).ok();
  const path = `/api/v1/statuses/${id}`;
  await me.put(path, { status: "0" }).ok();
  await t.write`
    INSERT INTO status_edits (status_id, text, content, spoiler_text, sensitive, emojis, created_at)
    SELECT ${id}, n::text, '<p>' || n || '</p>', '', false, '[]', now()
    FROM generate_series(1, ${KEPT_EDITS + 50}::int) AS n`;
  for (const status of ["almost", "last"]) await me.put(path, { status }).ok();
  const { json } = await t.visitor.get(`${path}/history`);
  const contents: string[] = json.map((edit: any) => edit.content);
  assert.equal(contents.length, KEPT_EDITS + 1);
  assert.equal(contents[0], "<p>first</p>");
  assert.equal(contents[1], `<p>${KEPT_EDITS + 50 - (KEPT_EDITS - 4)}</p>`);
  assert.deepEqual(contents.slice(-3), ["<p>0</p>", "<p>almost</p>", "<p>last</p>"]);
  const [row] = await t.app.sql`
    SELECT count(*)::int AS count FROM status_edits WHERE status_id = ${id}`;
  assert.equal(row!["count"], KEPT_EDITS);
});
