// Forms of choices that are refused without scripts: each still has what was chosen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let bob: Person;

before(async () => {
  server = await startTestApp();
  await server.person("alice");
  bob = await server.person("bob");
});

after(() => server.close());

/** Sends the form on the page of this path with these fields; returns the page with the refused form. */
const refuse = async (path: string, action: string, fields: [string, string][]) => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const hidden = hiddenFields((await browser.get(path)).text, action);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const body = new URLSearchParams([...Object.entries(hidden), ...fields]);
  const headers = { accept: "text/html", cookie };
  const { status, text } = await server.visitor.post(action, body, headers);
  assert.equal(status, 422, text);
  return text;
};

/** Returns the values of a name that are ticked or selected. */
const chosenOf = (html: string, name: string): string[] => {
  const [, options = ""] =
    new RegExp(`<select[^>]* name="${name}"[^>]*>(.*?)</select>`, "s").exec(html) ?? [];
  const tags = options
    ? options.matchAll(/<option[^>]*>/g)
    : html.matchAll(new RegExp(`<input[^>]* name="${RegExp.escape(name)}"[^>]*>`, "g"));
  return [...tags].flatMap(([tag]) =>
    / (?:checked|selected)\b/.test(tag) ? [/value="([^"]*)"/.exec(tag)![1]!] : [],
  );
};

test("a report keeps its reason, its rules and its posts", async () => {
  const { id } = await bob.post("/api/v1/statuses", { status: "Buy a watch" }).ok();
  const other = await bob.post("/api/v1/statuses", { status: "Another watch" }).ok();
  const html = await refuse(`/@bob/report?status=${id}`, "/web/act/reports", [
    ["category", "legal"],
    ["status_ids[]", other.id],
    ["comment", "x".repeat(1001)],
  ]);
  assert.deepEqual(chosenOf(html, "category"), ["legal"]);
  assert.deepEqual(chosenOf(html, "status_ids[]"), [other.id]);
});

test("how somebody is followed stays as it was chosen", async () => {
  const html = await refuse("/@bob/follow", `/web/act/accounts/${bob.accountId}/follow`, [
    ["reblogs", "false"],
    ["replies", "true"],
    ["notify", "true"],
    ["daily_limit", "many"],
    ["languages[]", "de"],
    ["languages[]", "fi"],
  ]);
  assert.deepEqual(chosenOf(html, "reblogs"), ["false"]);
  assert.deepEqual(chosenOf(html, "replies"), ["true"]);
  assert.deepEqual(chosenOf(html, "notify"), ["true"]);
  assert.deepEqual(chosenOf(html, "languages[]").toSorted(), ["de", "fi"]);
});

test("how somebody is muted stays as it was chosen", async () => {
  const html = await refuse("/@bob/mute", `/web/act/accounts/${bob.accountId}/mute`, [
    ["duration", "long"],
    ["notifications", "false"],
  ]);
  assert.deepEqual(chosenOf(html, "notifications"), ["false"]);
});
