// Two servers: a post in Markdown comes with its HTML, notifies whom it names, and is edited; what it was written in
// stays with its author.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { untilQuiet } from "../../test/until-quiet.ts";

type Json = Record<string, any>;

let here: TestApp;
let there: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  [here, there] = await Promise.all([startTestApp(), startTestApp()]);
  [alice, bob] = [await here.person("alice"), await there.person("bob")];
});
after(() => Promise.all([here?.close(), there?.close()]));

test("a post in Markdown over two servers", async () => {
  const handle = `@bob@${new URL(there.url).host}`;
  const status = `# Moss\n\n- for ${handle}\n- \`#not\` **#field**`;
  const json = { status, content_type: "text/markdown" };
  const { id } = await alice.post("/api/v1/statuses", json).ok();
  await untilQuiet(here, there);
  const [told] = await bob.get("/api/v1/notifications?types[]=mention").ok();
  const { content, tags, mentions } = told.status;
  assert.match(content, /^<p><strong>Moss<\/strong><\/p><ul><li>for /);
  assert.match(content, /<code>#not<\/code> <strong><a [^>]+>#<span>field<\/span><\/a><\/strong>/);
  assert.deepEqual(
    [tags.map(({ name }: Json) => name), mentions.map(({ username }: Json) => username)],
    [["field"], ["bob"]],
  );
  await alice.put(`/api/v1/statuses/${id}`, { status: "~~Moss~~" }).ok();
  await untilQuiet(here, there);
  const path = `/api/v1/statuses/${told.status.id}`;
  assert.equal((await bob.get(path).ok()).content, "<p><del>Moss</del></p>");
  const source = await bob.get(`${path}/source`).ok();
  assert.deepEqual([source.text, source.content_type], ["", "text/plain"]);
});
