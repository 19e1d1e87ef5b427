// What is refused is said in English, and beside it in the language that was asked for.

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

test("the error is English for programs, its text in the reader's language", async () => {
  const english = await refused("en");
  assert.deepEqual(Object.keys(english), ["error"]);
  const german = await refused("de-AT,de;q=0.9");
  assert.equal(german.error, english.error);
  assert.equal(german.error_text, pageTexts(["de"]).t("refusal.block_self"));
  assert.notEqual(german.error_text, english.error);
  assert.deepEqual(await refused("xx"), english);
});
