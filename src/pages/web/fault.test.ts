// Errors as pages: in the frame of whoever is signed in, in their language, and without a question when it is not calm.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { drawFault } from "./fault.ts";

let server: TestApp;

before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: "The Aviary" } });
  await server.person("alice");
});

after(() => server.close());

const accept = "text/html,application/xhtml+xml";

const open = (path: string, headers: Record<string, string> = {}) =>
  server.visitor.get(path, { accept, ...headers });

const drawn = (text: string): string => text.split('<script type="application/json"', 1)[0]!;

test("pages that are not there know who is signed in, and lead on", async () => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  for (const path of ["/nothing/here", "/@nobody", "/@alice/1", "/tags/%20", "/collections/1"]) {
    const [visitor, member] = [await open(path), await open(path, { cookie })];
    assert.equal(visitor.status, 404, path);
    assert.match(visitor.text, /<title>Page not found - The Aviary/, path);
    assert.match(visitor.text, /name="robots" content="noindex"/);
    assert.match(visitor.text, />Sign in</);
    assert.match(drawn(member.text), /href="\/@alice"/, path);
    assert.doesNotMatch(member.text, />Sign in</);
    assert.equal(member.headers.get("cache-control"), "private, no-store");
    assert.match(member.headers.get("content-security-policy") ?? "", /script-src 'self'/);
  }
  assert.deepEqual((await server.visitor.get("/@nobody")).json, { error: "Record not found" });
});

test("suspended accounts are gone; forms that fail answer with a page", async () => {
  const { accountId } = await server.person("gone");
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${accountId}`;
  const gone = await open("/@gone");
  assert.equal(gone.status, 410);
  assert.match(gone.text, /<h1 id="page-title">No longer available<\/h1>/);
  const form = { status: "x" };
  const forged = await server.visitor.post("/web/act/statuses", new URLSearchParams(form), {
    accept,
  });
  assert.equal(forged.status, 403);
  assert.match(forged.text, /<h1 id="page-title">Access denied<\/h1>/);
});

test("what is refused before a handler has it is said in the reader’s words", async () => {
  const headers = { accept, "accept-language": "de" };
  const { t } = textsIn(["de"]);
  const form = new URLSearchParams({ status: "x".repeat(2 ** 21) });
  const large = await server.visitor.post("/web/act/lists", form, headers);
  assert.equal(large.status, 413);
  assert.ok(drawn(large.text).includes(t("refusal.request_too_large")), large.text);
  const inPlace = { ...headers, accept: "application/json" };
  const { json } = await server.visitor.post("/web/act/lists", form, inPlace);
  assert.equal(json.error_text, t("refusal.request_too_large"));
  const nul = await server.visitor.get("/search?q=%00", headers);
  assert.equal(nul.status, 422);
  assert.ok(drawn(nul.text).includes(t("invalid.null_byte")), nul.text);
  for (const [path, status] of [
    ["/%zz", 400],
    [`/@${"x".repeat(600)}`, 414],
  ] as const) {
    const answer = await open(path);
    assert.equal(answer.status, status);
    assert.match(answer.text, /<h1 id="page-title">Invalid request<\/h1>/);
  }
});

test("when it is not calm, nobody is asked who is there, and the title is the last that was known", async () => {
  await open("/");
  const request = {
    url: "/@alice",
    method: "GET",
    ip: "127.0.0.1",
    headers: { cookie: "rookery_session=x" },
    server: {
      ownLocale: "en",
      inject(): never {
        throw new Error("asked");
      },
    },
  };
  for (const [status, title] of [
    [503, "Temporarily unavailable"],
    [500, "Something went wrong on our end"],
    [429, "Too many requests"],
  ] as const) {
    const { html } = await drawFault(server.app)(request as never, { status });
    assert.match(html, new RegExp(`<h1 id="page-title">${title}</h1>`));
    assert.match(html, new RegExp(`<title>${title} - The Aviary`));
    assert.doesNotMatch(html, /<script|Sign in</);
  }
});
