// The token of the web client, and the forms of its pages.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { API_LIMITS } from "../../rate-limits.ts";

let server: TestApp;
let now = Date.now();
let bob: Person;

before(async () => {
  server = await startTestApp({ clock: { now: () => new Date(now) } });
  await server.person("alice");
  bob = await server.person("bob");
});

after(() => server.close());

const signedIn = async (): Promise<{ browser: Browser; formToken: string }> => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const { text } = await browser.get("/home");
  const [, formToken] = /name="form_token" value="([^"]+)"/.exec(text)!;
  return { browser, formToken: formToken! };
};

const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map((pair) => pair.join("=")).join("; ");

const ask = (browser: Browser, formToken: string) =>
  server.visitor.post("/web/session", { form_token: formToken }, { cookie: cookieOf(browser) });

const verify = (token: string) => server.as(token).get("/api/v1/accounts/verify_credentials");

test("the session gives a token against the form token of its page alone", async () => {
  const { browser, formToken } = await signedIn();
  const { status, json, headers } = await ask(browser, formToken);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "private, no-store");
  assert.equal(json.expires_in, 3600);
  assert.equal((await verify(json.access_token)).json.username, "alice");

  const other = await signedIn();
  assert.equal((await ask(browser, other.formToken)).status, 403);
  assert.equal((await ask(browser, "")).status, 403);
  assert.equal((await ask(openBrowser(server), formToken)).status, 403);
  // The cookie alone is nothing to the API.
  const cookie = cookieOf(browser);
  const path = "/api/v1/accounts/verify_credentials";
  assert.equal((await server.visitor.get(path, { cookie })).status, 401);
});

test("posts say that they were written on the web, and no app is listed for it", async () => {
  const { browser, formToken } = await signedIn();
  const token = (await ask(browser, formToken)).json.access_token;
  const { json } = await server.as(token).post("/api/v1/statuses", { status: "by the client" });
  assert.equal(json.application.name, "Web");
  assert.doesNotMatch((await browser.get("/settings/apps")).text, />Web</);
});

test("the token ends with its session, and by itself", async () => {
  const { browser, formToken } = await signedIn();
  const token = (await ask(browser, formToken)).json.access_token;
  const page = await browser.get("/settings");
  await browser.submit(page, "/auth/sign_out", {});
  assert.equal((await verify(token)).status, 401);

  const next = await signedIn();
  const second = (await ask(next.browser, next.formToken)).json.access_token;
  await verify(second).ok();
  now += 3600_000;
  assert.equal((await verify(second)).status, 401);
  await ask(next.browser, next.formToken).ok();
});

test("without scripts a member posts, favourites and follows by forms, and nothing else goes through", async () => {
  const { browser, formToken } = await signedIn();
  const send = (path: string, form: Record<string, string>) =>
    browser.post(path, { form_token: formToken, back: "/@bob", ...form });
  const posted = await send("/web/act/statuses", { status: "by a form", visibility: "unlisted" });
  assert.deepEqual([posted.status, posted.headers.get("location")], [303, "/@bob"]);
  assert.match((await browser.get("/@alice")).text, /by a form/);

  const { id } = (await bob.post("/api/v1/statuses", { status: "hi" })).json;
  await send(`/web/act/statuses/${id}/favourite`, {});
  await send(`/web/act/accounts/${bob.accountId}/follow`, {});
  const { text } = await browser.get("/@bob");
  assert.match(text, /data-act="unfavourite"[^>]*aria-pressed/);
  assert.match(text, /href="\/@bob\/unfollow"/);

  assert.equal((await send("/web/act/statuses", { status: "" })).status, 422);
  assert.equal((await send("/web/act/statuses/1/favourite", {})).status, 404);
  assert.equal((await send("/web/act/apps", {})).status, 404);
  assert.equal((await send("/web/act/emails/confirmations", {})).status, 404);
  const odd = [
    "//evil.example",
    "/\t/evil.example",
    "/home\r\nset-cookie: a=b",
    "/h\u00f6me",
    "/\0",
  ];
  for (const back of odd) {
    const { status, headers } = await send("/web/look", { theme: "dark", back });
    assert.deepEqual([status, headers.get("location")], [303, "/home"], JSON.stringify(back));
  }
  const elsewhere = await send("/web/act/statuses", { status: "x", back: "//evil.example" });
  assert.equal(elsewhere.headers.get("location"), "/home");
  const forged = await browser.post("/web/act/statuses", { form_token: "x", status: "forged" });
  assert.equal(forged.status, 403);
  const visitor = openBrowser(server);
  assert.equal((await visitor.post("/web/act/statuses", { status: "x" })).status, 403);
});

test("what a form posts is on the next page of one's home, however long the worker takes", async () => {
  const busy = await startTestApp({ worker: false });
  try {
    await busy.person("alice");
    const browser = openBrowser(busy);
    await browser.signIn("alice");
    await browser.get("/home");
    const page = await browser.get("/compose");
    const values = { status: "Just written", back: "/home" };
    const sent = await browser.submit(page, "/web/act/statuses", values);
    assert.equal(sent.headers.get("location"), "/home");
    assert.match((await browser.get("/home")).text, /Just written/);
  } finally {
    await busy.close();
  }
});

test("what a form did is said once, by the next page that is drawn: one that leads elsewhere says nothing", async () => {
  const { browser, formToken: form_token } = await signedIn();
  const { id } = await bob.post("/api/v1/statuses", { status: "An owl" }).ok();
  const boost = await bob.post(`/api/v1/statuses/${id}/reblog`).ok();
  await browser.post("/web/look", { form_token, theme: "dark", done: "Choices kept." });
  const led = await browser.get(`/@bob/${boost.id}`);
  assert.deepEqual([led.status, led.headers.get("location")], [302, `/@bob/${id}`]);
  assert.match((await browser.get(`/@bob/${id}`)).text, /role="status"[^>]*>Choices kept\./);
  assert.doesNotMatch((await browser.get("/home")).text, /Choices kept/);
});

test("a refused profile marks each wrong field and says why below its title; its address leads back to it", async () => {
  const { browser } = await signedIn();
  const path = "/web/act/accounts/update_credentials";
  assert.equal((await browser.get(path)).headers.get("location"), "/home");
  const hidden = hiddenFields((await browser.get("/settings/profile")).text, path);
  const body = new FormData();
  for (const [name, value] of Object.entries(hidden)) body.append(name, value);
  body.append("display_name", "x".repeat(200));
  body.append("avatar", new Blob(["no picture"]), "avatar.png");
  const headers = { accept: "text/html", cookie: cookieOf(browser) };
  const { status, text } = await server.visitor.post(path, body, headers);
  assert.equal(status, 422);
  assert.match(text, /<h1 [^>]*>Profile<\/h1><\/div><p class="notice bad" role="alert"/);
  const wrong = [...text.matchAll(/<input[^>]* aria-invalid="true"[^>]*>/g)].map(
    ([tag]) => / name="([^"]*)"/.exec(tag)![1],
  );
  assert.deepEqual(wrong, ["display_name", "avatar"]);
  const again = await browser.get(path);
  assert.deepEqual([again.status, again.headers.get("location")], [303, "/settings/profile"]);
});

test("what was written and refused comes back to be changed, with the reason", async () => {
  const { browser, formToken } = await signedIn();
  const { id } = (await bob.post("/api/v1/statuses", { status: "hi" })).json;
  const text = `<b>${"x".repeat(600)}`;
  const answer = await server.visitor.post(
    "/web/act/statuses",
    new URLSearchParams({
      form_token: formToken,
      status: text,
      visibility: "private",
      in_reply_to_id: id,
    }),
    { accept: "text/html", cookie: cookieOf(browser) },
  );
  assert.equal(answer.status, 422);
  assert.match(answer.text, /role="alert"[^>]*>The text is too long. Use up to 500 characters/);
  assert.ok(answer.text.includes(`&lt;b>${"x".repeat(600)}</textarea>`));
  assert.match(answer.text, /<option (?:selected value="private"|value="private" selected)/);
  assert.ok(answer.text.includes(`name="in_reply_to_id" value="${id}"`));
});

test("what the API refuses to visitors is no page for them; a closed server still has its pages", async () => {
  const closed = await startTestApp({ env: { DISALLOW_UNAUTHENTICATED_API_ACCESS: "true" } });
  try {
    await closed.person("carol");
    assert.equal((await closed.visitor.get("/api/v1/accounts/lookup?acct=carol")).status, 401);
    await closed.visitor.get("/@carol").ok();
    const home = await closed.visitor.get("/home");
    assert.equal(home.headers.get("location"), "/auth/sign_in?return_to=%2Fhome");
  } finally {
    await closed.close();
  }
});

const postsOfAlice = async (text: string): Promise<number> =>
  (await server.app.sql`SELECT 1 FROM statuses WHERE text = ${text}`).length;

test("a form of a post that is sent twice is one post, and with another text another", async () => {
  const { browser } = await signedIn();
  const { text } = await browser.get("/compose");
  const [, idempotency_key = ""] = /name="idempotency_key" value="([^"]+)"/.exec(text)!;
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  const send = (status: string) =>
    browser.post("/web/act/statuses", { form_token, idempotency_key, status });
  for (const status of ["sent twice", "sent twice", "changed before"])
    assert.equal((await send(status)).status, 303);
  assert.equal(await postsOfAlice("sent twice"), 1);
  assert.equal(await postsOfAlice("changed before"), 1);
  await browser.post("/web/act/statuses", { form_token, status: "sent twice" });
  assert.equal(await postsOfAlice("sent twice"), 2, "a form without a key says nothing of it");
});

const withFile = async (fields: Record<string, string>): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file_2", new Blob([new Uint8Array(await picture("png"))]), "rook.png");
  form.append("description_2", "A <rook>");
  return form;
};

test("a form with a file that is sent twice is one post; what could not be taken says so", async () => {
  const { browser, formToken: form_token } = await signedIn();
  const send = async (fields: Record<string, string>) =>
    server.visitor.post("/web/act/statuses", await withFile({ form_token, ...fields }), {
      accept: "text/html",
      cookie: cookieOf(browser),
    });
  for (let sent = 0; sent < 2; sent += 1)
    assert.equal((await send({ idempotency_key: "1", status: "pictured" })).status, 303);
  assert.equal(await postsOfAlice("pictured"), 1);
  const { fault } = server.app.pulse;
  try {
    Object.assign(server.app.pulse, { fault: () => "away" });
    const { status, text } = await send({ status: "away" });
    assert.equal(status, 503);
    assert.match(text, /Choose its media again/);
    assert.match(text, /<input type="file" name="file_2"/);
    assert.match(text, /<textarea name="description_2"[^>]*>A &lt;rook><\/textarea>/);
    assert.doesNotMatch(text, /<input type="hidden" name="description_2"/);
  } finally {
    Object.assign(server.app.pulse, { fault });
  }
});

test("what could not be taken is shown to be sent again, whatever the reason", async () => {
  const { browser, formToken } = await signedIn();
  const send = (form: Record<string, string>) =>
    server.visitor.post(
      "/web/act/statuses",
      new URLSearchParams({ form_token: formToken, spoiler_text: "<Rain>", ...form }),
      { accept: "text/html", cookie: cookieOf(browser) },
    );
  const gone = await send({ status: "An answer", in_reply_to_id: "1" });
  assert.equal(gone.status, 404);
  assert.match(gone.text, /An answer<\/textarea>/);
  assert.match(gone.text, /name="spoiler_text"[^>]* value="&lt;Rain>"/);

  const { fault } = server.app.pulse;
  try {
    for (const [state, status] of [
      ["full", 507],
      ["away", 503],
    ] as const) {
      Object.assign(server.app.pulse, { fault: () => state });
      const answer = await send({ status: `Written while ${state}`, visibility: "private" });
      assert.equal(answer.status, status);
      if (status === 503) assert.ok(Number(answer.headers.get("retry-after")) > 0);
      assert.match(answer.text, new RegExp(`Written while ${state}</textarea>`));
      assert.match(answer.text, /name="visibility" value="private"/);
      assert.match(answer.text, /name="spoiler_text" value="&lt;Rain>"/);
      Object.assign(server.app.pulse, { fault });
      const again = hiddenFields(answer.text, "/web/act/statuses");
      const sent = await browser.post("/web/act/statuses", { ...again, status: `Sent ${state}` });
      assert.equal(sent.status, 303);
      assert.equal(await postsOfAlice(`Sent ${state}`), 1);
    }
  } finally {
    Object.assign(server.app.pulse, { fault });
  }
});

test("what came when there were too many requests is shown to be sent again", async () => {
  const limited = await startTestApp({ env: { RATE_LIMITS: "true" } });
  try {
    await limited.person("alice");
    const browser = openBrowser(limited);
    await browser.signIn("alice");
    const { form_token = "" } = hiddenFields(
      (await browser.get("/home")).text,
      "/web/act/statuses",
    );
    const page = { headers: { accept: "text/html" } };
    const send = () => browser.post("/web/act/statuses", { form_token, status: "In a hurry" });
    let answer = await send();
    for (let sent = 0; answer.status !== 429; sent += 60) {
      assert.ok(sent < 10 * API_LIMITS.others.burst);
      const many = Array.from({ length: 60 }, () => limited.request("GET", "/auth/sign_in", page));
      [answer] = await Promise.all([Promise.race(many).then(send), ...many]);
    }
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
    assert.match(answer.text, /In a hurry<\/textarea>/);
    const forged = await browser.post("/web/act/statuses", { status: "In a hurry" });
    assert.equal(forged.status, 403);
  } finally {
    await limited.close();
  }
});
