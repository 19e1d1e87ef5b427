// What is refused is said in the words that programs compare, and beside them in those that people read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { textsIn } from "../text/texts.ts";
import { faultsOf } from "./field-faults.ts";
import { Type } from "./schema.ts";
import { compileValidator } from "./validate.ts";

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

const textIn = (language: string): string => textsIn([language]).t("refusal.block_self");

test("programs get the error, people a text in their language beside it", async () => {
  const alone = { error: "You cannot block your own account" };
  for (const language of ["", "*"]) assert.deepEqual(await refused(language), alone);
  for (const [asked, language] of [
    ["en", "en"],
    ["de-AT,de;q=0.9", "de"],
  ] as const)
    assert.deepEqual(await refused(asked), { ...alone, error_text: textIn(language) });
  assert.notEqual(textIn("en"), textIn("de"));
  assert.deepEqual(await refused("xx"), { ...alone, error_text: textIn("en") });
});

test("a text that says the same is not sent twice", async () => {
  const { json } = await t.request("GET", "/api/v1/accounts/1", {
    headers: { "accept-language": "en" },
  });
  assert.deepEqual(json, { error: "Record not found" });
});

test("what is wrong with an input names its limit", async () => {
  const bob = await t.person("bob");
  const saidOf = async (path: string, body: object) => {
    const { status, json } = await alice.post(path, body, { "accept-language": "en" });
    assert.equal(status, 422);
    return json.error_texts;
  };
  const note = await saidOf(`/api/v1/accounts/${bob.accountId}/note`, {
    comment: "x".repeat(2001),
  });
  assert.deepEqual(note, { comment: "This is too long. Enter up to 2,000 characters." });
  const comment = "x".repeat(1001);
  const report = await saidOf("/api/v1/reports", { account_id: bob.accountId, comment });
  assert.deepEqual(report, { comment: "This is too long. Enter up to 1,000 characters." });
  const scheduled_at = new Date(t.app.clock.now().getTime() + 60_000).toISOString();
  const post = await saidOf("/api/v1/statuses", { status: "Owls", scheduled_at });
  assert.deepEqual(post, { scheduled_at: "Choose a time at least 5 minutes from now." });
});

test("each fault of a parameter that says a limit has it", async () => {
  const { t: say } = textsIn(["en"]);
  const Body = Type.Object({
    word: Type.String({ maxLength: 3 }),
    list: Type.Array(Type.String(), { maxItems: 2 }),
  });
  const { error } = compileValidator({ schema: Body })({ word: "long", list: ["a", "b", "c"] });
  assert.deepEqual(faultsOf(say, error), {
    word: "This is too long. Enter up to 3 characters.",
    list: "Enter up to 2.",
  });
});

test("a fault that has a sentence of its own is said by it", async () => {
  const json = { status: "a\u0000b" };
  const answer = await alice.post("/api/v1/statuses", json, { "accept-language": "de" });
  assert.equal(answer.status, 422);
  assert.equal(answer.json.error_text, textsIn(["de"]).t("invalid.null_byte"));
});
