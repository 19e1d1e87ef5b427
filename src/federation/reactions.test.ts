// Two servers: a reaction that somebody there gives shows here with its emoji, also one of their own server, is told to
// the author, and ends.

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

const settle = () => untilQuiet(here, there);

before(async () => {
  [here, there] = await Promise.all([startTestApp(), startTestApp()]);
  [alice, bob] = [await here.person("alice"), await there.person("bob")];
  const key = "emojis/12/34.png";
  await there.write`
    INSERT INTO custom_emojis (shortcode, file_key, static_key) VALUES ('rook', ${key}, ${key})`;
});
after(() => Promise.all([here?.close(), there?.close()]));

test("a reaction over two servers, from the first emoji to the last", async () => {
  const own = await alice.post("/api/v1/statuses", { status: "react to this" }).ok();
  const search = `/api/v2/search?resolve=true&q=${encodeURIComponent(own.uri)}`;
  const [found] = (await bob.get(search).ok()).statuses;
  const act = async (verb: string, name: string): Promise<Json> => {
    const path = `/api/v1/statuses/${found.id}/${verb}/${encodeURIComponent(name)}`;
    await bob.post(path).ok();
    await settle();
    return alice.get(`/api/v1/statuses/${own.id}`).ok();
  };
  const first = await act("react", "🎉");
  assert.deepEqual(first["reactions"], [{ name: "🎉", count: 1, me: false }]);
  const second = await act("react", "rook");
  assert.equal(second["favourites_count"], 1);
  const [{ name, count, url }] = second["reactions"];
  assert.deepEqual([name, count], ["rook", 1]);
  // Pictures of other servers go through this one.
  assert.ok(url.startsWith(`${here.url}/media/remote/emojis/`), url);
  const [told] = await alice.get("/api/v1/notifications?types[]=favourite").ok();
  assert.deepEqual([told.account.acct.split("@")[0], told.emoji], ["bob", ":rook:"]);
  const last = await act("unreact", "rook");
  assert.deepEqual([last["reactions"], last["favourites_count"]], [undefined, 0]);
});
