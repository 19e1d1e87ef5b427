// What is refused is said in the words that programs compare, and beside them in those that people read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { pageTexts } from "../text/texts.ts";

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
});
after(() => t.close());

const refused = async (language: string) => {
  const path = `/api/v1/accounts/${alice.accountId}/block`;
  const headers = { "accept-language": language };
  const { status, json } = await alice.post(path, undefined, headers);
  assert.equal(status, 403);
  return json;
};

const textIn = (language: string): string => pageTexts([language]).t("refusal.block_self");

test("programs get the error, people a text in their language beside it", async () => {
  const alone = { error: "You cannot block your own account" };
  for (const language of ["", "*"]) assert.deepEqual(await refused(language), alone);
  for (const language of ["en", "de-AT,de;q=0.9"])
    assert.deepEqual(await refused(language), { ...alone, error_text: textIn(language) });
  assert.notEqual(textIn("en"), textIn("de"));
  assert.deepEqual(await refused("xx"), { ...alone, error_text: textIn("en") });
});

test("a text that says the same is not sent twice", async () => {
  const { json } = await t.request("GET", "/api/v1/accounts/1", {
    headers: { "accept-language": "en" },
  });
  assert.deepEqual(json, { error: "Record not found" });
});
