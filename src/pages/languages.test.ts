// Every page that members and visitors open, in English and in German: what is the same in both was not translated.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import type { Browser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../test/harness.ts";
import { mailsOf } from "../../test/mail.ts";
import { listRoutes } from "../../test/security/routes.ts";
import { unsubscribeUrl } from "../domain/reading/mails/unsubscribe.ts";
import { setSetting } from "../domain/base/settings/settings.ts";

let t: TestApp;
let alice: Person;
let owner: Person;

/** A browser whose person reads this language. */
const reading = (language: string): Browser =>
  openBrowser({
    request: (method, path, options = {}) =>
      t.request(method, path, {
        ...options,
        headers: { ...options.headers, "accept-language": language },
      }),
  });

const english = () => reading("en-GB,en;q=0.9");
const german = () => reading("de-AT,de;q=0.9,en;q=0.8");

before(async () => {
  t = await startTestApp();
  owner = await t.person("owner", { role: "Owner" });
  alice = await t.person("alice");
  await t.person("bob");
  await setSetting(t.app, "registrations", "open");
  await setSetting(t.app, "min_age", 16);
  await alice.post("/api/v1/statuses", { status: "1 2 3" });
  await t.write`
    INSERT INTO strikes (target_account_id, action) VALUES (${alice.accountId}, 'sensitive')
  `;
  await t.write`
    INSERT INTO passkeys (user_id, credential_id, public_key, counter, name, created_at)
    VALUES (${alice.userId}, 'key', '', 0, 'Phone', now())
  `;
  const form = new FormData();
  form.set("type", "blocks");
  form.set("data", new Blob(["Account address\nbob@nowhere.example\n"]), "blocks.csv");
  await alice.post("/api/v1/imports", form);
  await t.runJobs();
});
after(() => t.close());

/** What is no language: names, addresses, codes, times as they are stored. */
const NO_WORDS = /@\S+|\S*:\/\/\S+|\S+\.(?:csv|example|json|zip|gz|tgz|tar)\b|[\d.:,]+|\S*1 2 3/g;

/** Names of languages and places of one's own, each in its language. */
const withoutOptions = (html: string): string =>
  html.replaceAll(
    /<select[^>]*name="(?:locale|posting:default:language|languages\[\])"[^]*?<\/select>/g,
    "",
  );

const wordsOf = (html: string): string[] => {
  const body = withoutOptions(html)
    .replace(/^[^]*?<body[^>]*>/, "")
    .replaceAll(/<(script|style|svg|code|time|bdi)\b[^]*?<\/\1>/g, " ");
  const spoken = body.matchAll(
    /\s(?:alt|aria-label|placeholder|title|data-\w+(?:-\w+)*)="([^"]*)"/g,
  );
  const texts = [
    ...body.replaceAll(/<[^>]*>/g, "\n").split("\n"),
    ...[...spoken].map(([, title]) => title!),
  ];
  return texts.map((text) => text.replaceAll(NO_WORDS, " ").replaceAll(/\s+/g, " ").trim());
};

const isSentence = (text: string): boolean => (text.match(/\p{L}{2,}/gu) ?? []).length > 2;

/** The same in both. */
const SAME = new Set(["Mastodon, Pleroma, Misskey", "client_secret_basic", "client_secret_post"]);

const untranslated = (original: Answer, translated: Answer): string[] => {
  const before = new Set(wordsOf(original.text));
  return wordsOf(translated.text).filter(
    (text) => before.has(text) && isSentence(text) && !SAME.has(text) && !text.startsWith("{"),
  );
};

/** Both answers are pages, each says its language, and no sentence is in both. */
const checkPages = (path: string, original: Answer, translated: Answer): void => {
  assert.equal(translated.status, original.status, path);
  if (original.status >= 300 && original.status < 400) return;
  assert.match(original.text, /<html lang="en"/, path);
  assert.match(translated.text, /<html lang="de"/, path);
  assert.deepEqual(untranslated(original, translated), [], path);
};

const checkPath = async (path: string, [first, second]: [Browser, Browser]): Promise<void> =>
  checkPages(path, await first.get(path), await second.get(path));

const isPage = (url: string): boolean =>
  /^\/(?:settings|auth|disputes|invite|setup$|unsubscribe|oauth\/authorize|interact|share$)/.test(
    url,
  ) && !/\.(?:csv|json)$|\/(?:archive|failures)/.test(url);

describe("what visitors see is in the language of their browser", () => {
  test("every page of signing in and up, also where there is nothing at its address", async () => {
    const routes = await listRoutes(t.app);
    const paths = routes.filter(({ method, url }) => method === "GET" && isPage(url));
    assert.ok(paths.length > 30);
    for (const { url } of paths)
      await checkPath(url.replaceAll(/:\w+/g, "1"), [english(), german()]);
  });

  test("sign-up as it may be set, and pages of links", async () => {
    for (const mode of ["approved", "closed", "open"] as const) {
      await setSetting(t.app, "registrations", mode);
      await checkPath("/auth/sign_up", [english(), german()]);
    }
    const link = new URL(unsubscribeUrl(t.app, alice.userId, "digest")).pathname;
    await checkPath(link, [english(), german()]);
    const app = `/oauth/authorize?${new URLSearchParams({ client_id: "unknown" })}`;
    assert.match(
      (await german().get(app)).text,
      /Diese App ist auf diesem Server nicht registriert/,
    );
    for (const path of ["/", "/about", "/privacy-policy", "/explore", "/@alice", "/nothing/here"])
      await checkPath(path, [english(), german()]);
  });

  test("the shortcuts of the installed app", async () => {
    const { json, headers } = await german().get("/manifest.json");
    assert.equal(json.lang, "de");
    assert.deepEqual(
      json.shortcuts.map((shortcut: { name: string }) => shortcut.name),
      ["Neuer Beitrag", "Mitteilungen", "Suche"],
    );
    assert.match(headers.get("vary") ?? "", /accept-language/i);
  });

  test("what is wrong with a form", async () => {
    const fill = async (browser: Browser, path: string, form: Record<string, string>) =>
      browser.submit(await browser.get(path), path, form);
    const wrong = { username: "x y", email: "x", password: "short", date_of_birth: "2030-01-01" };
    for (const [path, form] of [
      ["/auth/sign_up", wrong],
      ["/auth/sign_up", { username: "", email: "", password: "", date_of_birth: "" }],
      [
        "/auth/sign_up",
        { username: "alice", email: "alice@example.com", password: "x".repeat(80) },
      ],
      ["/auth/sign_in", { login: "alice", password: "wrong" }],
    ] as const) {
      const [first, second] = [await fill(english(), path, form), await fill(german(), path, form)];
      assert.equal(first.status, 422);
      checkPages(path, first, second);
    }
    const forged = await english().post("/auth/sign_in", {});
    assert.match(forged.text, /This form has expired/);
    checkPages("a forged form", forged, await german().post("/auth/sign_in", {}));
  });

  test("who signs up gets mails in that language, and pages once they are signed in", async () => {
    const browser = reading("fr-CA,de;q=0.5");
    const form = { username: "zoe", email: "zoe@example.com", password: "correct horse" };
    const page = await browser.get("/auth/sign_up");
    assert.match(page.text, /<html lang="fr"/);
    await browser.submit(page, "/auth/sign_up", {
      ...form,
      date_of_birth: "1990-01-01",
      agreement: "1",
    });
    await t.runJobs();
    assert.match(
      mailsOf(t).findLast((mail) => mail.includes("To: zoe@example.com"))!,
      /Confirmez/,
    );
  });
});

describe("what the staff sees is in the language that they have set", () => {
  test("every page of /admin", async () => {
    const routes = await listRoutes(t.app);
    const paths = routes.filter(
      ({ method, url }) =>
        method === "GET" && /^\/admin(?:$|\/)/.test(url) && !url.endsWith(".csv"),
    );
    assert.ok(paths.length > 20);
    const browser = reading("en");
    await browser.signIn("owner");
    const speak = (language: string) =>
      t.write`UPDATE users SET locale = ${language} WHERE account_id = ${owner.accountId}`;
    for (const { url } of paths) {
      const path = url.replaceAll(/:\w+/g, "1");
      await speak("en");
      const original = await browser.get(path);
      await speak("de");
      checkPages(path, original, await browser.get(path));
    }
    await speak("de");
    const overview = await browser.get("/admin");
    assert.match(overview.text, /<html lang="de"/);
    assert.match(overview.text, />Meldungen/);
    assert.doesNotMatch(overview.text, /lang="en"/);
  });
});

describe("what members see is in the language that they have set", () => {
  const signedIn = async (language: string): Promise<Browser> => {
    // Their browser says another one.
    const browser = reading(language === "de" ? "en" : "de");
    await browser.signIn("alice");
    return browser;
  };

  const speak = (language: string) =>
    t.write`UPDATE users SET locale = ${language} WHERE id = ${alice.userId}`;

  test("every page of the settings, disputes and what stands in the frame", async () => {
    const routes = await listRoutes(t.app);
    const [strike] = await t.app.sql`SELECT id FROM strikes`;
    const [row] = await t.app.sql`SELECT id FROM imports`;
    const ids: [RegExp, string][] = [
      [/^\/disputes/, strike!["id"]],
      [/^\/settings\/import/, row!["id"]],
    ];
    const browser = await signedIn("de");
    const invites = await browser.get("/settings/invites");
    await browser.submit(invites, "/settings/invites", { max_uses: "5", expires_in: "86400" });
    for (const { method, url } of routes) {
      if (method !== "GET" || !isPage(url)) continue;
      const id = ids.find(([pattern]) => pattern.test(url))?.[1] ?? "1";
      const path = url.replaceAll(/:\w+/g, id);
      await speak("en");
      const original = await browser.get(path);
      await speak("de");
      checkPages(path, original, await browser.get(path));
    }
  });

  test("names of languages, sorted as in that language", async () => {
    const browser = await signedIn("de");
    await speak("de");
    const { text } = await browser.get("/settings/preferences");
    const [options] = /<select[^>]*name="posting:default:language"[^]*?<\/select>/.exec(text)!;
    const names = [...options.matchAll(/<option[^>]*>([^<]*)/g)].map(([, name]) => name!);
    assert.ok(names.includes("Deutsch") && names.includes("Dänisch"), names.join());
    assert.ok(!names.includes("German") && !names.includes("Danish"), names.join());
    assert.deepEqual(names, names.toSorted(new Intl.Collator("de").compare));
  });

  test("what was done, and what is wrong", async () => {
    const browser = await signedIn("de");
    const inBoth = async (work: () => Promise<Answer>): Promise<[Answer, Answer]> => {
      await speak("en");
      const original = await work();
      await speak("de");
      return [original, await work()];
    };
    for (const path of ["email", "two_factor/start", "migration", "delete", "passkeys/start"]) {
      const page = `/settings/${path.split("/", 1)[0]}`;
      const form = {
        current_password: "wrong",
        email: "x",
        password: "short",
        acct: "x@y.example",
      };
      const answers = await inBoth(async () =>
        browser.submit(await browser.get(page), `/settings/${path}`, form),
      );
      assert.equal(answers[0].status, 422, path);
      checkPages(path, ...answers);
    }
    for (const path of [
      "/settings/email?done=email.done_sent",
      "/settings/mail?done=saved",
      "/settings/cleanup?done=on",
    ])
      checkPages(path, ...(await inBoth(() => browser.get(path))));
  });

  test("an app that asks for access", async () => {
    const { json: client } = await t.visitor.post("/api/v1/apps", {
      client_name: "Heron",
      redirect_uris: "https://app.example/cb",
      scopes: "read write push",
    });
    const query = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: "https://app.example/cb",
      scope: "read:statuses read:lists write push",
    });
    const browser = await signedIn("de");
    await speak("en");
    const original = await browser.get(`/oauth/authorize?${query}`);
    assert.match(original.text, /See some of your data/);
    await speak("de");
    checkPages("/oauth/authorize", original, await browser.get(`/oauth/authorize?${query}`));
  });
});

test("languages are named in the reader's, also in what the client continues from", async () => {
  const browser = german();
  await browser.signIn("alice");
  const { text } = await browser.get("/settings/preferences");
  assert.match(text, /Abchasisch/);
  assert.doesNotMatch(text, /Abkhaz/);
});

test("who reads none of the languages that are offered gets that of the server", async () => {
  const server = await startTestApp({ env: { DEFAULT_LOCALE: "de" } });
  const languageOf = async (language: string): Promise<string | undefined> => {
    const headers = { "accept-language": language };
    const { text } = await server.request("GET", "/about", { headers });
    return /<html[^>]* lang="([^"]+)"/.exec(text)?.[1];
  };
  assert.equal(await languageOf("tlh"), "de");
  assert.equal(await languageOf("*"), "de");
  assert.equal(await languageOf("tlh, fr;q=0.5"), "fr");
  await server.close();
});

test("handles keep their @ in front of them in a language from the right", async () => {
  await t.write`UPDATE users SET locale = 'ar' WHERE id = ${owner.userId}`;
  const browser = reading("ar");
  await browser.signIn("owner");
  for (const path of ["/admin/accounts", `/admin/accounts/${alice.accountId}`]) {
    const { text } = await browser.get(path);
    assert.match(text, /<html lang="ar" dir="rtl"/);
    assert.match(text, /<bdi>@alice(?:@\S+)?<\/bdi>/, path);
  }
});
