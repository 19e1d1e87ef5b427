// A person's settings over real HTTP: forgotten password, new password, new address, browsers, apps.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { TestApp } from "../../../../../test/harness.ts";
import { clientPaths } from "../../../../pages/web/bundle.ts";
import { mailsOf } from "../../../../../test/mail.ts";
import { listRoutes } from "../../../../../test/security/routes.ts";

let t: TestApp;
let now = nextNoon();
const MINUTE = 60_000;
const PASSWORD = "correct horse";
const NEW = "another horse";

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());
const forward = (ms: number) => void (now = new Date(now.getTime() + ms));
beforeEach(() => forward(120 * MINUTE));

const member = async (name: string) => {
  const person = await t.person(name);
  const browser = openBrowser(t);
  await browser.signIn(name);
  return { person, browser };
};

const signedIn = async (browser: Browser) => (await browser.get("/settings")).status === 200;

const VERIFY = "/api/v1/accounts/verify_credentials";
const works = async (token: string) => (await t.as(token).get(VERIFY)).status === 200;

/** The path of the newest link of this shape that was sent to an address. */
const linkTo = (email: string, path: string): string => {
  const mail = mailsOf(t).findLast((text) => text.includes(`To: ${email}`) && text.includes(path));
  assert.ok(mail, `no mail with ${path} to ${email}`);
  return new RegExp(`https?://[^/\\s]+(${path}\\?\\S+)`).exec(mail)![1]!;
};

const mailsTo = (email: string): string[] =>
  mailsOf(t).filter((text) => text.includes(`To: ${email}`));

describe("a forgotten password", () => {
  const EDIT = "/auth/password/edit";
  const ask = async (browser: Browser, email: string) => {
    const page = await browser.get("/auth/password/new");
    return browser.submit(page, "/auth/password", { email });
  };

  test("by the link of a mail, once; sessions, tokens and codes end, a notice is sent", async () => {
    const { person, browser } = await member("alice");
    const answer = await t.visitor.post("/api/v1/apps", {
      client_name: "A",
      redirect_uris: "a:/b",
    });
    await t.app.sql`INSERT INTO oauth_codes ${t.app.sql({
      code_hash: Buffer.from("x"),
      app_id: answer.json.id,
      user_id: person.userId,
      redirect_uri: "a:/b",
      scopes: ["read"],
      expires_at: new Date(now.getTime() + 10 * MINUTE),
    })}`;
    const visitor = openBrowser(t);
    await ask(visitor, "Alice@example.com");
    await t.runJobs();
    const link = linkTo("alice@example.com", EDIT);
    const [stored] = await t.app.sql`SELECT token_hash FROM password_resets`;
    assert.equal(stored!["token_hash"].length, 32);
    const stream = new WebSocket(
      `${t.url.replace("http", "ws")}/api/v1/streaming?stream=user&access_token=${person.token}`,
    );
    await new Promise((resolve) => stream.addEventListener("open", resolve, { once: true }));
    const closed = new Promise((resolve) => stream.addEventListener("close", resolve));
    const page = await visitor.get(link);
    const short = await visitor.submit(page, EDIT, { password: "short" });
    assert.equal(short.status, 422);
    assert.equal(await works(person.token), true);
    const done = await visitor.submit(page, EDIT, { password: NEW });
    assert.equal(done.headers.get("location"), "/auth/sign_in?done=password");
    await closed;
    assert.equal(await signedIn(browser), false);
    assert.equal(await works(person.token), false);
    const codes = await t.app.sql`SELECT FROM oauth_codes WHERE user_id = ${person.userId}`;
    assert.equal(codes.length, 0);
    assert.equal((await visitor.submit(page, EDIT, { password: "a third horse" })).status, 404);
    assert.equal((await visitor.get(link)).status, 404);
    assert.equal((await openBrowser(t).signIn("alice", PASSWORD)).status, 422);
    assert.equal((await openBrowser(t).signIn("alice", NEW)).status, 302);
    await t.runJobs();
    assert.ok(mailsTo("alice@example.com").some((text) => /was changed/.test(text)));
  });

  test("leads on to what was wanted before", async () => {
    await t.person("dora");
    const visitor = openBrowser(t);
    const page = await visitor.get("/auth/password/new?return_to=%2Foauth%2Fauthorize%3Fid%3Dx");
    await visitor.submit(page, "/auth/password", { email: "dora@example.com" });
    await t.runJobs();
    const link = await visitor.get(linkTo("dora@example.com", EDIT));
    const done = await visitor.submit(link, EDIT, { password: NEW });
    const at = "/auth/sign_in?done=password&return_to=%2Foauth%2Fauthorize%3Fid%3Dx";
    assert.equal(done.headers.get("location"), at);
  });

  test("never reveals whether an address has an account", async () => {
    await t.person("bob");
    const browser = openBrowser(t);
    const [known, unknown] = [
      await ask(browser, "bob@example.com"),
      await ask(browser, "nobody@example.com"),
    ];
    assert.deepEqual([known.status, unknown.status], [302, 302]);
    assert.equal(known.headers.get("location"), unknown.headers.get("location"));
    await t.runJobs();
    assert.equal(mailsTo("bob@example.com").length, 1);
    assert.equal(mailsTo("nobody@example.com").length, 0);
  });

  test("the link ends after two hours, and with a newer one", async () => {
    await t.person("carol");
    const browser = openBrowser(t);
    await ask(browser, "carol@example.com");
    await t.runJobs();
    const first = linkTo("carol@example.com", EDIT);
    forward(MINUTE);
    await ask(browser, "carol@example.com");
    await t.runJobs();
    const second = linkTo("carol@example.com", EDIT);
    assert.equal((await browser.get(first)).status, 404);
    assert.equal((await browser.get(second)).status, 200);
    forward(2 * 60 * MINUTE);
    assert.equal((await browser.get(second)).status, 404);
    assert.equal((await browser.get(`${EDIT}?reset_password_token=`)).status, 404);
  });

  test("five mails to an address in half an hour", async () => {
    const browser = openBrowser(t);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await ask(browser, "x@example.com")).status);
    assert.deepEqual(statuses, [302, 302, 302, 302, 302, 429]);
  });

  test("two at the same moment: one wins", async () => {
    await t.person("dave");
    const browser = openBrowser(t);
    await ask(browser, "dave@example.com");
    await t.runJobs();
    const page = await browser.get(linkTo("dave@example.com", EDIT));
    const both = await Promise.all(
      [NEW, `${NEW} 2`].map((password) => browser.submit(page, EDIT, { password })),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [302, 404]);
  });
});

describe("a new password", () => {
  const PATH = "/settings/password";

  test("asks for the present one; ends other sessions and tokens, not this one", async () => {
    const { person, browser } = await member("erin");
    const other = openBrowser(t);
    await other.signIn("erin");
    const page = await browser.get(PATH);
    const wrong = { current_password: "wrong", password: NEW };
    assert.equal((await browser.submit(page, PATH, wrong)).status, 422);
    const short = { current_password: PASSWORD, password: "x" };
    assert.equal((await browser.submit(page, PATH, short)).status, 422);
    assert.equal(await signedIn(other), true);
    const right = { current_password: PASSWORD, password: NEW };
    assert.equal((await browser.submit(page, PATH, right)).status, 302);
    assert.equal(await signedIn(browser), true);
    assert.equal(await signedIn(other), false);
    assert.equal(await works(person.token), false);
    assert.equal((await openBrowser(t).signIn("erin", NEW)).status, 302);
  });

  test("where the database refuses, the page says what the API says", async () => {
    const { browser } = await member("erica");
    const page = await browser.get(PATH);
    const right = { current_password: PASSWORD, password: NEW };
    for (const [code, status] of [
      ["53100", 507],
      ["57P03", 503],
      ["23503", 404],
      ["22021", 422],
    ] as const) {
      await t.app.sql.unsafe(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION refuse();
      `);
      const answer = await browser.submit(page, PATH, right);
      await t.app.sql.unsafe("DROP TRIGGER refuse ON users; DROP FUNCTION refuse()");
      assert.equal(answer.status, status, code);
    }
  });

  test("is found by password managers", async () => {
    const answer = await t.visitor.get("/.well-known/change-password");
    assert.deepEqual([answer.status, answer.headers.get("location")], [302, PATH]);
  });

  test("the present one may be guessed ten times in a quarter of an hour", async () => {
    const { browser } = await member("frank");
    const page = await browser.get(PATH);
    const form = { current_password: "wrong", password: NEW };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await browser.submit(page, PATH, form)).status);
    assert.deepEqual(statuses, [...Array(10).fill(422), 429]);
  });
});

describe("a new e-mail address", () => {
  const PATH = "/settings/email";
  const ask = async (browser: Browser, email: string, current_password = PASSWORD) =>
    browser.submit(await browser.get(PATH), PATH, { email, current_password });

  test("is changed once its link was opened; the old address is notified", async () => {
    const { browser } = await member("grace");
    assert.equal((await ask(browser, "g2@example.com", "wrong")).status, 422);
    assert.equal((await ask(browser, "no address")).status, 422);
    assert.equal((await ask(browser, "g2@example.com")).status, 302);
    await t.runJobs();
    assert.match((await browser.get(PATH)).text, /g2@example\.com/);
    assert.ok(mailsTo("grace@example.com").some((text) => /change the email address/.test(text)));
    const link = linkTo("g2@example.com", `${PATH}/confirm`);
    // Nothing has changed yet.
    assert.equal((await openBrowser(t).signIn("grace@example.com")).status, 302);
    assert.equal((await openBrowser(t).signIn("g2@example.com")).status, 422);
    assert.equal((await openBrowser(t).get(link)).status, 200);
    assert.equal((await openBrowser(t).get(link)).status, 404);
    assert.equal((await openBrowser(t).signIn("g2@example.com")).status, 302);
    await t.runJobs();
    assert.ok(mailsTo("grace@example.com").some((text) => /last email to this address/.test(text)));
  });

  test("is refused when taken, also when taken before the link is opened; can be cancelled", async () => {
    const { browser, person } = await member("heidi");
    await t.person("ivan");
    assert.equal((await ask(browser, "ivan@example.com")).status, 422);
    await ask(browser, "judy@example.com");
    await t.runJobs();
    const link = linkTo("judy@example.com", `${PATH}/confirm`);
    await t.person("judy");
    assert.equal((await browser.get(link)).status, 404);
    await ask(browser, "h2@example.com");
    await t.runJobs();
    const second = linkTo("h2@example.com", `${PATH}/confirm`);
    await browser.submit(await browser.get(PATH), `${PATH}/cancel`, {});
    assert.equal((await browser.get(second)).status, 404);
    const [row] = await t.app.sql`SELECT email FROM users WHERE id = ${person.userId}`;
    assert.equal(row!["email"], "heidi@example.com");
  });

  test("a new password takes back an address that was on its way", async () => {
    const { browser } = await member("kate");
    await ask(browser, "evil@example.com");
    await t.runJobs();
    const link = linkTo("evil@example.com", `${PATH}/confirm`);
    const page = await browser.get("/settings/password");
    const form = { current_password: PASSWORD, password: NEW };
    await browser.submit(page, "/settings/password", form);
    assert.equal((await browser.get(link)).status, 404);
  });
});

describe("what is open", () => {
  test("browsers are listed, one or all others are signed out; not those of other people", async () => {
    const { browser, person } = await member("lena");
    const phone = openBrowser(t);
    await phone.signIn("lena");
    const third = openBrowser(t);
    await third.signIn("lena");
    const other = await member("mike");
    const page = await browser.get("/settings/sessions");
    assert.equal(page.text.match(/This browser/g)?.length, 1);
    assert.equal(page.text.match(/Last active/g)?.length, 3);
    const uses = () => t.app.sql`
      SELECT used_at FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE u.account_id = ${person.accountId} ORDER BY used_at DESC
    `;
    forward(10 * MINUTE);
    await third.get("/settings");
    assert.deepEqual(
      (await uses()).map(({ used_at }) => now.getTime() - used_at.getTime()),
      [0, 10 * MINUTE, 10 * MINUTE],
    );
    const [mikes] = await t.app.sql`SELECT id FROM sessions WHERE user_id = ${other.person.userId}`;
    await browser.submit(page, "/settings/sessions/end", { id: String(mikes!["id"]) });
    assert.equal(await signedIn(other.browser), true);
    await browser.submit(page, "/settings/sessions/end", {});
    const alive = [await signedIn(phone), await signedIn(third)];
    assert.deepEqual(alive.toSorted(), [false, true]);
    await browser.submit(page, "/settings/sessions/end_others", {});
    assert.deepEqual([await signedIn(phone), await signedIn(third)], [false, false]);
    assert.equal(await signedIn(browser), true);
  });

  test("apps are listed with their scopes; revoking ends all their tokens; not those of other people", async () => {
    const { browser, person } = await member("nina");
    const other = await t.person("olaf");
    const answer = await t.visitor.post("/api/v1/apps", {
      client_name: "A<b>",
      redirect_uris: "a:/b",
      website: "https://a.example",
    });
    const { issueToken } = await import("../../oauth/tokens.ts");
    const give = async (userId: string, scopes: string[]) =>
      (await issueToken(t.app.sql, { app_id: answer.json.id, user_id: userId, scopes })).token;
    const mine = [await give(person.userId, ["read"]), await give(person.userId, ["write"])];
    const theirs = await give(other.userId, ["read"]);
    const page = await browser.get("/settings/apps");
    assert.equal(page.text.match(/A&lt;b><\/a>/g)?.length, 1);
    assert.match(page.text, /Read all your account’s data · Post and make changes as you/);
    assert.match(page.text, /Command line/);
    const [olafs] = await t.app
      .sql`SELECT id FROM oauth_tokens WHERE user_id = ${other.userId} AND app_id IS NULL`;
    const revoke = (form: Record<string, string>) =>
      browser.submit(page, "/settings/apps/revoke", { app_id: "", token_id: "", ...form });
    await revoke({ token_id: String(olafs!["id"]) });
    assert.equal(await works(other.token), true);
    await revoke({ app_id: answer.json.id });
    assert.deepEqual([await works(mine[0]!), await works(mine[1]!)], [false, false]);
    assert.equal(await works(theirs), true);
    assert.equal(await works(person.token), true);
    const [own] = await t.app
      .sql`SELECT id FROM oauth_tokens WHERE user_id = ${person.userId} AND app_id IS NULL`;
    await revoke({ token_id: String(own!["id"]) });
    assert.equal(await works(person.token), false);
    assert.match((await browser.get("/settings/apps")).text, /No apps have access/);
  });
});

/** The pages of the staff are in src/pages/admin/. */
/** Not a form: providers tell of sign-outs there, in a signed message. */
const TOLD = "/auth/sso/:id/logout";
const isPage = (url: string) =>
  url !== TOLD && /^\/(?:settings|auth|admin|disputes|invite|share$)/.test(url);

/** Pages for everybody, whose header knows who is signed in (src/pages/member.test.ts). */
const isPublicPage = (url: string) =>
  (clientPaths().includes(url) && !/^\/(?:settings|share$)/.test(url)) ||
  /^\/(?:about|tags\/.*|collections\/.*|@:name(?:\/(?!.*(?:embed|rss)).*)?)?$/.test(url);

describe("every page", () => {
  test("of the settings and the staff wants a session, and leads back after signing in", async () => {
    const routes = await listRoutes(t.app);
    const wanting = routes.filter(({ url }) =>
      /^\/(?:settings|admin|disputes|share)(?:\/|$)/.test(url),
    );
    const forms = new Set(wanting.filter(({ method }) => method === "POST").map(({ url }) => url));
    for (const { method, url } of wanting) {
      if (url === "/settings/email/confirm") continue;
      const answer = await t.visitor.send(method, url);
      assert.equal(answer.status, 302, `${method} ${url}`);
      // The address of a form of the staff leads to the page above it, which wants a session too.
      const isForm = method !== "POST" && forms.has(url);
      if (isForm && url.startsWith(`${answer.headers.get("location")}/`)) continue;
      const back = method === "POST" ? "/settings" : url;
      const target = `/auth/sign_in?${new URLSearchParams({ return_to: back })}`;
      assert.equal(answer.headers.get("location"), target);
    }
  });

  test("takes forms of our own pages only", async () => {
    const { browser } = await member("pia");
    const routes = await listRoutes(t.app);
    for (const { url } of routes.filter((route) => route.method === "POST" && isPage(route.url))) {
      // A provider's form brings its answer, which only the browser's own attempt can use.
      if (url === "/auth/auth/saml/callback") continue;
      assert.equal((await browser.post(url, { current_password: PASSWORD })).status, 403, url);
    }
  });

  test("is never cached, never framed, and runs only the server's script", async () => {
    const { browser } = await member("quin");
    const routes = await listRoutes(t.app);
    for (const { url } of routes.filter((route) => route.method === "GET" && isPage(route.url))) {
      for (const who of [browser, openBrowser(t)]) {
        const { headers, status } = await who.get(url);
        assert.match(headers.get("cache-control") ?? "", /no-store/, url);
        // What asks for a record that is not there has no page of its own.
        if ((status >= 300 && status < 400) || url.includes(":")) continue;
        const policy = headers.get("content-security-policy") ?? "";
        assert.match(policy, /default-src 'none'/, url);
        assert.match(policy, /frame-ancestors 'none'/);
        assert.doesNotMatch(policy, /unsafe/);
        // Pages for signing in lead back to apps, whose addresses have schemes of their own.
        const isOfClient = policy.includes("trusted-types");
        assert.equal(policy.includes("form-action 'self';"), isOfClient, url);
        assert.match(policy.replace("script-src 'self'; ", ""), /^(?!.*script-src)/);
      }
    }
  });
});

describe("the API and cookies", () => {
  test("no endpoint but the pages' reads a session or sets a cookie", async () => {
    const { browser, person } = await member("ruth");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    assert.match(cookie, /rookery_session=/);
    const all = await listRoutes(t.app);
    const routes = all.filter(
      ({ method, url }) =>
        method === "GET" &&
        !isPage(url) &&
        !isPublicPage(url) &&
        !/^\/(?:oauth\/authorize|setup|health)/.test(url),
    );
    assert.ok(routes.length > 50);
    for (const { url, access } of routes) {
      const path = url
        .replaceAll(/:(?:account_)?id\b/g, person.accountId)
        .replaceAll(/:\w+/g, "ruth")
        .replace("*", "x");
      const plain = await t.visitor.get(path);
      const withCookie = await t.visitor.get(path, { cookie });
      assert.equal(withCookie.headers.get("set-cookie"), null, path);
      assert.equal(withCookie.status, plain.status, path);
      assert.doesNotMatch(withCookie.headers.get("vary") ?? "", /cookie/i, path);
      if (access && access.auth !== "public") assert.notEqual(withCookie.status, 200, path);
      if (access?.auth === "public") assert.equal(withCookie.text, plain.text, path);
    }
    // A session cannot be used on the API, whatever page the request comes from.
    const wantsToken = all.filter(({ access }) => access && access.auth !== "public");
    for (const { method, url } of wantsToken.filter((route) => route.method !== "HEAD")) {
      const answer = await t.visitor.send(method, url.replaceAll(/:\w+/g, "1"), undefined, {
        cookie,
      });
      assert.ok([401, 404, 422].includes(answer.status), `${method} ${url}: ${answer.status}`);
      assert.equal(answer.headers.get("set-cookie"), null);
    }
  });
});

/** Pages with a form that asks for the password, or a look-up; the address of the form; its fields that must be filled. */
const ASKING: readonly (readonly [page: string, action: string, ...fields: string[]])[] = [
  ["email", "email", "email", "current_password"],
  ["password", "password", "current_password", "password"],
  ["two_factor", "two_factor/start", "current_password"],
  ["passkeys", "passkeys/start", "name", "current_password"],
  ["identities", "identities", "login", "password", "current_password"],
  ["sharing", "sharing", "name", "current_password"],
  ["aliases", "aliases", "acct"],
  ["migration", "migration", "acct", "current_password"],
  ["delete", "delete", "current_password"],
];

test("every empty field of a form is marked, and an empty password counts as no guess", async () => {
  const { browser } = await member("olga");
  const send = async (page: string, action: string, fields: Record<string, string>) =>
    browser.submit(await browser.get(`/settings/${page}`), `/settings/${action}`, fields);
  for (const [page, action, ...fields] of [...ASKING, ...ASKING]) {
    const empty = Object.fromEntries(fields.map((name) => [name, ""]));
    const answer = await send(page, action, { role: "author", ...empty });
    const marked = [...answer.text.matchAll(/id="(\w+)-fault">([^<]*)/g)];
    assert.deepEqual(
      [answer.status, marked.map(([, name, text]) => [name, text])],
      [422, fields.map((name) => [name, "Fill this in."])],
      page,
    );
  }
  const wrong = await send("email", "email", { email: "none", current_password: "wrong" });
  assert.match(wrong.text, /email-fault">Enter an email[^]*current_password-fault">Incorrect/);
  const right = { email: "olga2@example.com", current_password: PASSWORD };
  assert.equal((await send("email", "email", right)).status, 302);
});
