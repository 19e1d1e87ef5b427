// GET /api/v2/search for people by what they write about themselves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

const describeAs = async (who: Person, note: string, discoverable = true) => {
  const json = { note, discoverable };
  const path = "/api/v1/accounts/update_credentials";
  await who.patch(path, json).ok();
};

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  await describeAs(bob, "I paint lichens & mosses. https://paint.example\n日本語を勉強中");
  await describeAs(carol, "Painter of Lichens in Graz");
});
after(() => t.close());

const find = async (q: string, more: object = {}, who: Person | null = alice) => {
  const query = new URLSearchParams({ q, type: "accounts", bio: "true", ...more });
  return (await (who ?? t.visitor).get(`/api/v2/search?${query}`).ok()).accounts.map(
    ({ acct }: { acct: string }) => acct,
  );
};

test("all words have to stand there, in any case and order, as parts too, in any script", async () => {
  assert.deepEqual((await find("LICHEN")).toSorted(), ["bob", "carol"]);
  assert.deepEqual(await find("lichens graz"), ["carol"]);
  assert.deepEqual(await find("moss paint"), ["bob"]);
  assert.deepEqual(await find("日本語"), ["bob"]);
  assert.deepEqual(await find("lichen fern"), []);
  assert.deepEqual(await find("span"), [], "no HTML");
  assert.deepEqual(await find("of ab"), [], "nothing that can be looked for");
  assert.deepEqual(await find("100% _____"), []);
  assert.deepEqual(await find("lichens", { bio: "false" }), [], "only where it is asked for");
});

test("followed people first, in pages; a visitor reads the first", async () => {
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
  await t.runJobs();
  assert.deepEqual(await find("lichens"), ["bob", "carol"]);
  assert.deepEqual(await find("lichens", { limit: "1" }), ["bob"]);
  assert.deepEqual(await find("lichens", { limit: "1", offset: "1" }), ["carol"]);
  assert.deepEqual(await find("lichens", { offset: "2" }), []);
  assert.equal((await find("lichens", {}, null)).length, 2);
});

test("not who does not want to be discovered, is limited, suspended, or has a block either way", async () => {
  await describeAs(carol, "Painter of Lichens in Graz", false);
  assert.deepEqual(await find("graz"), []);
  await describeAs(carol, "Painter of Lichens in Graz");
  assert.deepEqual(await find("graz"), ["carol"]);
  for (const column of ["silenced_at", "suspended_at"]) {
    await t.write`UPDATE accounts SET ${t.app.sql(column)} = now() WHERE id = ${carol.accountId}`;
    assert.deepEqual(await find("graz"), [], column);
    await t.write`UPDATE accounts SET ${t.app.sql(column)} = NULL WHERE id = ${carol.accountId}`;
  }
  for (const [who, whom] of [
    [alice, carol],
    [carol, alice],
  ] as const) {
    const relate = (verb: string) => who.post(`/api/v1/accounts/${whom.accountId}/${verb}`);
    await relate("block");
    assert.deepEqual(await find("graz"), []);
    await relate("unblock");
  }
});
