// The settings: every page of members stands in the frame of the client, with one menu.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import type { Browser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { listRoutes } from "../../test/security/routes.ts";

let server: TestApp;
let alice: Browser;

before(async () => {
  server = await startTestApp();
  await server.person("alice");
  alice = openBrowser(server);
  await alice.signIn("alice");
});

after(() => server.close());

/** What the menu of the settings leads to. */
const menuOf = (text: string): string[] => {
  const [, menu = ""] = /<nav class="settings-menu"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  return [...menu.matchAll(/ href="([^"]+)"/g)].map(([, path]) => path!);
};

/** Pages of other areas of the client. */
const ELSEWHERE = ["/followed_tags", "/lists"];

test("each page that the menu leads to has the menu, with itself marked, and a way back to the overview", async () => {
  const paths = menuOf((await alice.get("/settings/password")).text);
  assert.ok(paths.length > 15, paths.join());
  for (const path of paths.filter((each) => !ELSEWHERE.includes(each))) {
    const { status, text } = await alice.get(path);
    assert.equal(status, 200, path);
    assert.deepEqual(menuOf(text), paths, path);
    assert.match(text, new RegExp(`<a href="${path}" aria-current="page">`), path);
    assert.match(text, /<a class="icon-button" href="\/settings"/, path);
    assert.match(text, /<title>[^<]+ - [^<]+<\/title>/, path);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, path);
  }
});

test("all routes of members are within the frame", async () => {
  const routes = (await listRoutes(server.app))
    .filter(({ method }) => method === "GET")
    .map(({ url }) => url)
    .filter((path) => /^\/(?:settings|disputes)(?:\/|$)/.test(path) && !path.includes(":"));
  assert.ok(routes.length > 15);
  // A link of a mail, for whoever opens it.
  for (const path of routes.filter((each) => each !== "/settings/email/confirm")) {
    const { text, headers } = await alice.get(path);
    const type = headers.get("content-type") ?? "";
    if (!type.startsWith("text/html") || text === "") continue;
    assert.match(text, /<div class="frame">/, path);
  }
});

test("settings are searched without scripts, by what is on their pages as well", async () => {
  const { text } = await alice.get("/settings?q=theme");
  const rows = [...text.matchAll(/class="settings-row" href="([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(rows, ["/settings/preferences"]);
  assert.match(text, /Preferences<\/strong><span[^>]*>Theme</);
  for (const [q, path] of Object.entries({
    "2fa": "two_factor",
    "dark mode": "preferences",
    language: "preferences",
    password: "password",
    devices: "sessions",
    deactivate: "delete",
  })) {
    const found = (await alice.get(`/settings?q=${encodeURIComponent(q)}`)).text;
    assert.ok(found.includes(`class="settings-row" href="/settings/${path}"`), q);
  }
  assert.match((await alice.get("/settings?q=zzz<b>")).text, /No settings match “zzz&lt;b>”/);
});

test("the old address of the account leads to the settings", async () => {
  const { status, headers } = await alice.get("/auth/account");
  assert.equal(status, 302);
  assert.equal(headers.get("location"), "/settings");
});

const formToken = (text: string): string => /name="form_token" value="([^"]+)"/.exec(text)![1]!;

test("a chosen theme is in the first byte of every page, and the cookie holds nothing but choices", async () => {
  const page = await alice.get("/settings/preferences");
  const [, values = ""] =
    /action="\/web\/look".*?<select id="theme" name="theme">(.*?)<\/select>/s.exec(page.text) ?? [];
  const themes = [...values.matchAll(/value="(\w+)"/g)].map(([, value]) => value!);
  assert.deepEqual(themes, ["auto", "light", "dark", "contrast"]);
  for (const theme of themes.slice(1)) {
    const { status } = await alice.submit(page, "/web/look", {
      theme,
      text: '"><script>',
      nonsense: "1",
    });
    assert.equal(status, 303);
    assert.equal(alice.cookies.get("rookery_look"), `theme-${theme}`);
    for (const path of ["/home", "/settings", "/settings/password", "/oauth/authorize"]) {
      const { text } = await alice.get(path);
      assert.match(text, new RegExp(`^<!doctype html>\\s*<html[^>]* data-theme="${theme}"`), path);
    }
  }
  alice.cookies.set("rookery_look", 'theme-"onload=x.text-huge');
  assert.doesNotMatch((await alice.get("/home")).text, /<html[^>]* data-(?!words)/);
  alice.cookies.set("rookery_look", "theme-purple.text-huge");
  assert.match(
    (await alice.get("/home")).text,
    /<html lang="en" dir="ltr" data-words="[^"]*" data-text="huge">/,
  );
  await alice.submit(page, "/web/look", { theme: "auto" });
});

test("preferences, filters and blocked servers are changed by forms without scripts", async () => {
  const page = await alice.get("/settings/preferences");
  const chosen = {
    "posting:default:visibility": "private",
    "posting:default:quote_policy": "nobody",
    "posting:default:language": "de",
    "posting:default:sensitive": "true",
    locale: "de",
  };
  assert.equal((await alice.submit(page, "/web/act/preferences", chosen)).status, 303);
  const german = await alice.get("/settings/preferences");
  assert.match(german.text, /<html lang="de"/);
  assert.match(german.text, /<option value="private" selected>|<option selected value="private">/);
  // An app's locale is kept as it is; its nearest language is the chosen one.
  await alice.submit(german, "/web/act/preferences", { locale: "pt" });
  const portuguese = await alice.get("/settings/preferences");
  assert.match(portuguese.text, /<html lang="pt-BR"/);
  assert.match(portuguese.text, /<option (?:selected value="pt-BR"|value="pt-BR" selected)>/);
  await alice.submit(portuguese, "/web/act/preferences", { locale: "en" });

  const filters = await alice.get("/settings/filters");
  const filter = {
    title: "Rain",
    "keywords_attributes[0][keyword]": "drizzle",
    "keywords_attributes[0][whole_word]": "true",
    "keywords_attributes[1][keyword]": "",
    "keywords_attributes[1][whole_word]": "true",
    "context[]": "home",
    filter_action: "hide",
    expires_in: "",
  };
  assert.match(filters.text, /<input[^>]*name="keywords_attributes\[0\]\[keyword\]"[^>]* required/);
  const wordless = { ...filter, "keywords_attributes[0][keyword]": " " };
  const refused = await alice.submit(filters, "/web/act/filters", wordless);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="keywords_attributes\[0\]\[keyword\]-fault"/);
  assert.match(refused.text, /value="Rain"/);
  assert.equal((await alice.submit(filters, "/web/act/filters", filter)).status, 303);
  const { text } = await alice.get("/settings/filters");
  assert.match(text, /Rain<\/strong><span class="soft small">drizzle</);
  const [, id] = /href="\/settings\/filters\/(\d+)"/.exec(text)!;
  const path = `/settings/filters/${id}`;
  await alice.submit(await alice.get(path), `/web/act/filters/${id}/delete`, {});
  assert.equal((await alice.get(path)).status, 404);

  const blocks = await alice.get("/settings/domain_blocks");
  await alice.submit(blocks, "/web/act/domain_blocks", { domain: "far.example" });
  const blocked = await alice.get("/settings/domain_blocks");
  assert.match(blocked.text, /<strong>far\.example<\/strong>/);
  await alice.submit(blocked, "/web/act/domain_blocks/delete", {});
  assert.doesNotMatch((await alice.get("/settings/domain_blocks")).text, /<strong>far\.example/);
});

test("of forms with the same address, the one that was refused has what was entered, the others what is saved", async () => {
  const before = await alice.get("/settings/preferences");
  const action = "/web/act/preferences";
  const back = { form_token: formToken(before.text), back: "/settings/preferences" };
  const spoilers = "reading:expand:spoilers";
  assert.equal((await alice.post(action, { ...back, [spoilers]: "true" })).status, 303);
  const { status, text } = await alice.post(action, {
    ...back,
    "posting:default:visibility": "nobody",
    "posting:default:sensitive": "true",
  });
  assert.equal(status, 422);
  assert.match(text, /<select id="posting:default:visibility"[^>]* aria-invalid="true"/);
  for (const name of [spoilers, "posting:default:sensitive"])
    assert.match(text, new RegExp(`<input type="checkbox" id="${name}"[^>]* checked`), name);
  assert.equal((await alice.post(action, { ...back, [spoilers]: "false" })).status, 303);
});

test("a filter of 2,000 words is changed page by page; the words of other pages stay as they are", async () => {
  const member = await server.person("wordy");
  const wordy = openBrowser(server);
  await wordy.signIn("wordy");
  const words = (from: number) =>
    Array.from({ length: 1000 }, (_, n) => ({ keyword: `word${from + n}`, whole_word: false }));
  const added = { title: "Long", context: ["home"], keywords_attributes: words(1) };
  const { id } = await member.post("/api/v2/filters", added).ok();
  await member.put(`/api/v2/filters/${id}`, { keywords_attributes: words(1001) }).ok();

  const action = `/web/act/filters/${id}`;
  const first = await wordy.get(`/settings/filters/${id}`);
  assert.ok(first.text.length < 300_000, `${first.text.length} letters`);
  assert.match(first.text, /1–100 of 2,000/);
  const [, next] = /href="([^"]*from=100)"/.exec(first.text)!;
  const second = await wordy.get(next!);
  assert.match(second.text, /value="word101"[^]*value="word200"/);
  assert.doesNotMatch(second.text, /value="word100"|value="word201"/);
  const of = (row: number, part: string) => `keywords_attributes[${row}][${part}]`;
  const changed = await wordy.submit(second, action, {
    title: "Longer",
    "context[]": "home",
    filter_action: "warn",
    expires_in: "",
    [of(0, "keyword")]: "changed",
    [of(1, "_destroy")]: "true",
    [of(2, "keyword")]: " ",
    [of(100, "keyword")]: "new",
  });
  assert.equal(changed.status, 303);
  assert.equal(changed.headers.get("location"), next);
  const { title, keywords } = await member.get(`/api/v2/filters/${id}`).ok();
  const before = [...words(1), ...words(1001)].map(({ keyword }) => keyword);
  before.splice(100, 3, "changed");
  assert.deepEqual(
    [title, ...keywords.map(({ keyword }: { keyword: string }) => keyword)],
    ["Longer", ...before, "new"],
  );
  // Beyond the end stands the last page.
  assert.match((await wordy.get(`/settings/filters/${id}?from=99999`)).text, /value="new"/);
});

const PICTURE = new Blob([readFileSync(new URL("../../assets/avatar.png", import.meta.url))], {
  type: "image/png",
});

test("a profile is edited by a form with files; what is not ticked is switched off", async () => {
  const { text } = await alice.get("/settings/profile");
  const form = new FormData();
  form.append("form_token", formToken(text));
  form.append("back", "/settings/profile");
  for (const [name, value] of [
    ["display_name", "Alice <Liddell>"],
    ["note", "Through the\nlooking-glass"],
    ["avatar_description", "A rook"],
    ["fields_attributes[0][name]", "Web"],
    ["fields_attributes[0][value]", "https://alice.example"],
    ["locked", "false"],
    ["locked", "true"],
    ["indexable", "false"],
    ["attribution_domains", "one.example\r\ntwo.example"],
  ] as const)
    form.append(name, value);
  form.append("avatar", PICTURE, "rook.png");
  form.append("header", new Blob([]), "");
  const cookie = [...alice.cookies].map((pair) => pair.join("=")).join("; ");
  const answer = await fetch(`${server.url}/web/act/accounts/update_credentials`, {
    method: "POST",
    headers: { cookie, accept: "text/html" },
    body: form,
    redirect: "manual",
  });
  assert.equal(answer.status, 303, await answer.text());
  const { json } = await server.visitor.get("/api/v1/accounts/lookup?acct=alice");
  assert.equal(json.display_name, "Alice <Liddell>");
  assert.equal(json.locked, true);
  assert.equal(json.indexable, false);
  assert.equal(json.avatar_description, "A rook");
  assert.match(json.avatar, /\/media\//);
  assert.equal(json.fields[0].name, "Web");
  const edited = (await alice.get("/settings/profile")).text;
  assert.match(edited, /Through the\r?\nlooking-glass/);
  assert.match(edited, /one\.example\ntwo\.example/);
});

test("words are found in either case of the letters of the reader's language", async () => {
  await server.person("ayse", { locale: "tr" });
  const browser = openBrowser(server);
  await browser.signIn("ayse");
  for (const q of ["fido2", "FIDO2", "İKİ", "iki"]) {
    const { text } = await browser.get(`/settings?q=${encodeURIComponent(q)}`);
    assert.match(text, /class="settings-row" href="\/settings\/(?:passkeys|two_factor)"/, q);
  }
});

test("lists and filters stand in the order of the reader's alphabet, numbers by their size", async () => {
  const zora = await server.person("zora", { locale: "cs" });
  const browser = openBrowser(server);
  await browser.signIn("zora");
  const titles = ["Ilja", "chalupa", "Hory", "auta 10", "auta 9", "Čaj", "cesty"];
  for (const title of titles) {
    await zora.post("/api/v1/lists", { title }).ok();
    await zora.post("/api/v2/filters", { title, context: ["home"] }).ok();
  }
  const sorted = ["auta 9", "auta 10", "cesty", "Čaj", "Hory", "chalupa", "Ilja"];
  for (const path of ["/lists", "/settings/filters", "/compose"]) {
    const { text } = await browser.get(path);
    const found = [...text.matchAll(new RegExp(`>(${titles.join("|")})<`, "g"))];
    assert.deepEqual([...new Set(found.map(([, title]) => title))], sorted, path);
  }
});
