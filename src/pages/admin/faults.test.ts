// What is wrong with a form of the staff is said beside the field that it is about. The forms are those that the pages
// declare, so a new one is tried too.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";

let t: TestApp;
let owner: Browser;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  owner = openBrowser(t);
  await owner.signIn("boss");
});
after(() => t.close());

type Form = { page: string; action: string; fields: string[]; chosen: Record<string, string> };

/** Fields in which somebody types, or chooses a file. */
const TYPED =
  /<(?:input|textarea)\b(?![^>]*type="(?:hidden|checkbox|radio)")[^>]*\bname="([^"]+)"/g;

const CHOSEN = /<input type="radio"[^>]*name="([^"]+)" value="([^"]*)"[^>]*\bchecked\b/g;

const formsOf = (page: string, { text }: Answer): Form[] =>
  (text.match(/<form method="post"[\s\S]*?<\/form>/g) ?? []).flatMap((html) => {
    const fields = [...html.matchAll(TYPED)].map(([, name]) => name!);
    const action = /action="([^"]*)"/.exec(html)![1]!;
    const chosen = [...html.matchAll(CHOSEN)].map(([, name, value]) => [name!, value!]);
    // What is refused for several entries is about those that are ticked.
    if (fields.length === 0 || /^\/web\/|\/several$/.test(action)) return [];
    return { page, action, fields, chosen: Object.fromEntries(chosen) };
  });

/** Sends the form, and answers what is asked first. */
const send = async ({ page, action, fields, chosen }: Form, value: string): Promise<Answer> => {
  const values = { ...chosen, ...Object.fromEntries(fields.map((name) => [name, value])) };
  const sent = await owner.submit(await owner.get(page), action, values);
  if (!sent.text.includes('name="confirmed"')) return sent;
  return owner.submit(sent, action, { confirmed_word: "boss" });
};

/** Answers of 422 that name no field, or say something that is never said. */
const unnamed = async (forms: Form[], value: string, never = /^$/): Promise<string[]> => {
  const found: string[] = [];
  for (const form of forms) {
    const answer = await send(form, value);
    assert.ok([200, 302, 422].includes(answer.status), `${answer.status} ${form.action}`);
    const isNamed = /<p class="fault"/.test(answer.text) && !never.test(answer.text);
    if (answer.status !== 422 || isNamed) continue;
    found.push(`${form.action}: ${/class="notice bad"[^>]*>([^<]*)/.exec(answer.text)?.[1]}`);
  }
  return found;
};

test("searches in lists, too, and a word that confirms", async () => {
  const { accountId } = await t.person("bob");
  const block = { domain: "worse.example", severity: "silence", reject_media: "1" };
  const added = await owner.submit(await owner.get("/admin/domains"), "/admin/domains", block);
  assert.equal(added.status, 302);
  for (const [page, field] of [
    ["/admin/accounts?ip=nonsense", "ip"],
    ["/admin/accounts?status=nonsense", "status"],
    ["/admin/emojis/remote?domain=worse.example", "domain"],
  ] as const) {
    const answer = await owner.get(page);
    assert.deepEqual(
      [answer.status, answer.text.includes(`id="${field}-fault"`)],
      [422, true],
      page,
    );
  }
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${accountId}`;
  const path = `/admin/accounts/${accountId}`;
  const question = await owner.submit(await owner.get(path), `${path}/delete`, {});
  const wrong = await owner.submit(question, `${path}/delete`, { confirmed_word: "robert" });
  assert.equal(wrong.status, 422);
  assert.match(
    wrong.text,
    /value="robert"[^]*id="confirmed_word-fault">That wasn’t right\. Try again\./,
  );
  assert.equal(wrong.text.split("Type bob to continue").length, 2);
});

/** Forms with several wrong fields, and the names of those that nothing is sent for. */
const WRONG: readonly [path: string, fields: Record<string, string>, missing?: string[]][] = [
  ["roles", { name: "", color: "notacolour", position: "99999", max_characters: "-5" }],
  ["roles", { name: "Owner", color: "notacolour", max_characters: "-5" }],
  ["announcements", { text: "", publish: "2020-01-01T00:00" }],
  ["announcements", { starts: "tomorrow", ends: "later" }],
  ["webhooks", { url: "nonsense" }, ["events"]],
  ["rules", { text: "", hint: "x".repeat(5001) }],
  ["emojis", { shortcode: "!", category: "x".repeat(1000) }, ["file"]],
  ["spam", { name: "", links: "many", pattern: "(" }, ["actions"]],
  ["domains/lists", { url: "nonsense", title: "x".repeat(201) }],
  ["settings/terms", { day: "nonsense", text: "" }],
  ["settings/texts", { title: "x".repeat(201), text: "" }],
  ["settings/general", { contact_email: "nonsense", status_page_url: "nonsense" }],
];

test("a staff form names every field that is wrong", async () => {
  for (const [name, fields, missing = []] of WRONG) {
    const path = `/admin/${name}`;
    const { text } = await owner.submit(await owner.get(path), path, fields);
    const marked = [...text.matchAll(/<p class="fault" id="(\w+?)(?:-\w+)?-fault"/g)];
    assert.deepEqual(
      marked.map(([, field]) => field!).toSorted(),
      [...Object.keys(fields), ...missing].toSorted(),
      path,
    );
  }
});

test("every staff form names the field that is wrong, whether nothing or nonsense is entered", async () => {
  const id = (await t.person("alice")).accountId;
  const browser = (path: string, form: Record<string, string>) =>
    owner.get(path).then((page) => owner.post(path, { ...hiddenFields(page.text, path), ...form }));
  for (const [path, form] of [
    ["/admin/rules", { text: "Be kind" }],
    ["/admin/announcements", { text: "Cake" }],
    ["/admin/roles", { name: "Helper", position: "5" }],
    ["/admin/domains", { domain: "bad.example", severity: "silence" }],
    ["/admin/webhooks", { url: "https://hook.example/", "on_status.created": "1" }],
    ["/admin/settings/texts", { text: "Please be kind" }],
  ] as const)
    assert.equal((await browser(path, form)).status, 302, path);
  const routes = (await listRoutes(t.app)).filter(
    ({ method, url }) => method === "GET" && /^\/admin(?:\/[^.]*)?$/.test(url),
  );
  const [rule] = await t.app.sql`SELECT id FROM rules`;
  const pages = [
    ...routes.flatMap(({ url }) => (url.includes(":") ? [] : url)),
    `/admin/rules?edit=${rule!["id"]}`,
    `/admin/accounts/${id}`,
    "/admin/domains/known/bad.example",
  ];
  const forms = new Map<string, Form>();
  for (const page of pages) {
    const answer = await owner.get(page);
    for (const form of formsOf(page, answer)) forms.set(form.action, form);
    // A number that is too long is refused, and not cut.
    assert.doesNotMatch(answer.text, /<input[^>]*maxlength[^>]*inputmode="numeric"/i, page);
    assert.doesNotMatch(answer.text, /<input[^>]*inputmode="numeric"[^>]*maxlength/i, page);
  }
  assert.ok(forms.size > 25, [...forms.keys()].join(" "));
  const all = [...forms.values()];
  assert.deepEqual(
    {
      nothing: await unnamed(all, "", /“”|>\s*isn’t/),
      nonsense: await unnamed(all, "?!"),
      long: await unnamed(all, "x".repeat(12_000)),
    },
    { nothing: [], nonsense: [], long: [] },
  );
});
