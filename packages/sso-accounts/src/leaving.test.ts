// Leaving: who leaves a group or the provider loses sessions and tokens within the hour; a provider ends sessions here.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { nextNoon } from "../../../test/clocks/noon.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { LIAR, startLyingProvider } from "../../../test/lying-provider.ts";
import { CLIENT, startOidcServer } from "../../../test/oidc-server.ts";
import type { OidcServer } from "../../../test/oidc-server.ts";
import { purposeOf } from "../../../src/domain/people/sso/providers.ts";
import { seal } from "../../../src/platform/seal.ts";
import { checkDue } from "./check.ts";

let t: TestApp;
let city: OidcServer;
let liar: Awaited<ReturnType<typeof startLyingProvider>>;
let now = nextNoon();
let cityId = "";
let visitors = 0;
const LOGOUT = "/auth/sso/openid_connect/logout";
const EVENT = { "http://schemas.openid.net/event/backchannel-logout": {} };

before(async () => {
  [city, liar] = [await startOidcServer(), await startLyingProvider()];
  t = await startTestApp({
    clock: { now: () => now },
    env: {
      OIDC_ENABLED: "true",
      OIDC_DISPLAY_NAME: "Liar",
      OIDC_ISSUER: liar.issuer,
      OIDC_CLIENT_ID: LIAR.id,
      OIDC_CLIENT_SECRET: LIAR.secret,
    },
  });
  const settings = {
    ...t.app.config.sso.provider!.settings,
    clientId: CLIENT.id,
    scope: "openid profile email offline_access",
    groups: ["staff"],
    roles: [{ group: "editors", role: "Moderator" }],
  };
  await t.write`
    INSERT INTO sso_providers (kind, name, issuer, settings, sealed_secret, created_at)
    VALUES ('oidc', 'City', ${city.issuer}, ${t.app.sql.json(settings)},
      ${seal(t.app, purposeOf(city.issuer), CLIENT.secret)}, now())
  `;
  cityId = (await t.app.sql`SELECT id FROM sso_providers`)[0]!["id"];
  city.register(t.url, [`${t.url}/auth/sso/${cityId}/callback`]);
});
after(async () => {
  await t.close();
  await city.close();
  await liar.close();
});

const forward = (minutes: number): void => void (now = new Date(now.getTime() + minutes * 60_000));

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/settings")).status === 200;

/** Makes an account by the city, with a session and an app's token. */
const member = async (who: string, groups: string[]) => {
  city.people.set(who, { email: `${who}@city.example`, email_verified: true, groups });
  city.signInAs(who);
  const browser = openBrowser(t, `203.0.113.${++visitors}`);
  const begin = `/auth/sso/${cityId}`;
  const begun = await browser.submit(await browser.get("/auth/sign_in"), begin, {});
  const jar = new Map<string, string>();
  const back = await browser.get(await city.follow(locationOf(begun), jar));
  assert.equal(locationOf(back), "/auth/sso/new", back.text);
  const form = { username: who, agreement: "1" };
  await browser.submit(await browser.get("/auth/sso/new"), "/auth/sso/new", form);
  const [row] = await t.app.sql`SELECT id FROM users WHERE email = ${`${who}@city.example`}`;
  const token = await t.token(row!["id"], ["read"]);
  return { browser, userId: String(row!["id"]), app: t.as(token), jar };
};

const VERIFY = "/api/v1/accounts/verify_credentials";

test("whoever leaves the group is out within the hour, apps too; roles follow; others stay", async () => {
  const leaves = await member("lea", ["staff"]);
  const stays = await member("stan", ["staff"]);
  const [before] = await t.app.sql`
    SELECT sealed_token FROM sso_identities WHERE user_id = ${stays.userId}
  `;
  assert.ok(before!["sealed_token"], "the token is kept");
  city.people.set("lea", { email: "lea@city.example", email_verified: true, groups: ["cooks"] });
  city.people.set("stan", { email: "s@city.example", groups: ["staff", "editors"] });
  forward(30);
  await checkDue(t.app);
  assert.ok(await isSignedIn(leaves.browser), "not asked before it is time");
  forward(25);
  await checkDue(t.app);
  assert.equal(await isSignedIn(leaves.browser), false);
  assert.equal((await leaves.app.get(VERIFY)).status, 401);
  assert.ok(await isSignedIn(stays.browser));
  assert.equal((await stays.app.get(VERIFY)).status, 200);
  const [role] = await t.app.sql`SELECT role_id FROM users WHERE id = ${stays.userId}`;
  assert.equal(role!["role_id"], "1");
  // The refresh token was replaced by the newer one, and still works.
  forward(55);
  await checkDue(t.app);
  assert.ok(await isSignedIn(stays.browser));
});

test("whoever is gone from the provider is out too; one that is away ends nothing", async () => {
  const gone = await member("gus", ["staff"]);
  forward(55);
  city.fail(true);
  await checkDue(t.app);
  city.fail(false);
  assert.ok(await isSignedIn(gone.browser));
  city.people.delete("gus");
  forward(11);
  await checkDue(t.app);
  assert.equal(await isSignedIn(gone.browser), false);
  assert.equal((await gone.app.get(VERIFY)).status, 401);
});

/** Signs in by the liar as this subject, in this session there. */
const liarSession = async (sub: string, sid: string): Promise<Browser> => {
  const browser = openBrowser(t, `203.0.113.${++visitors}`);
  const begin = "/auth/sso/openid_connect";
  const begun = await browser.submit(await browser.get("/auth/sign_in"), begin, {});
  const sent = new URL(locationOf(begun)).searchParams;
  const exp = Math.floor(Date.now() / 1000) + 300;
  liar.state.claims = { sub, sid, exp, nonce: sent.get("nonce"), email: `${sub}@liar.example` };
  liar.state.claims["email_verified"] = true;
  const state = sent.get("state")!;
  const query = new URLSearchParams({ code: `code-${++visitors}`, state });
  const back = await browser.get(`/auth/auth/openid_connect/callback?${query}`);
  if (locationOf(back) === "/auth/sso/new") {
    const form = { username: sub, agreement: "1" };
    await browser.submit(await browser.get("/auth/sso/new"), "/auth/sso/new", form);
  }
  return browser;
};

let messages = 0;

const tell = async (claims: Record<string, unknown>): Promise<number> => {
  const iat = Math.floor(Date.now() / 1000);
  const all = {
    iss: liar.issuer,
    aud: LIAR.id,
    iat,
    jti: `${++messages}`,
    events: EVENT,
    ...claims,
  };
  const logout_token = await liar.message(all);
  return (await t.request("POST", LOGOUT, { form: { logout_token } })).status;
};

test("a provider ends one session, or all of somebody's with their tokens", async () => {
  const [first, second] = [await liarSession("olga", "a"), await liarSession("olga", "b")];
  const [row] = await t.app.sql`SELECT id FROM users WHERE email = 'olga@liar.example'`;
  const app = t.as(await t.token(row!["id"], ["read"]));
  assert.ok((await isSignedIn(first)) && (await isSignedIn(second)));
  assert.equal(await tell({ sub: "olga", sid: "a" }), 200);
  assert.equal(await isSignedIn(first), false);
  assert.ok(await isSignedIn(second));
  assert.equal((await app.get(VERIFY)).status, 200);
  assert.equal(await tell({ sub: "olga" }), 200);
  assert.equal(await isSignedIn(second), false);
  assert.equal((await app.get(VERIFY)).status, 401);
});

test("nobody else ends sessions: another key, issuer, audience, event, a nonce, an old or a repeated message", async () => {
  const browser = await liarSession("pia", "c");
  const iat = Math.floor(Date.now() / 1000);
  const whole = { sub: "pia", sid: "c" };
  for (const claims of [
    { ...whole, iss: "https://other.example" },
    { ...whole, aud: "other" },
    { ...whole, events: {} },
    { ...whole, nonce: "n" },
    { ...whole, iat: iat - 3600 },
    { ...whole, jti: undefined },
    { sub: undefined, sid: undefined },
  ])
    assert.equal(await tell(claims), 400, JSON.stringify(claims));
  const bare = [
    { alg: "none" },
    { iss: liar.issuer, aud: LIAR.id, iat, jti: "x", events: EVENT, ...whole },
  ];
  const encoded = bare.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const forged = `${encoded.join(".")}.`;
  for (const logout_token of ["", "x", forged])
    assert.equal((await t.request("POST", LOGOUT, { form: { logout_token } })).status, 400);
  assert.ok(await isSignedIn(browser));
  const jti = "the same";
  assert.equal(await tell({ ...whole, jti }), 200);
  assert.equal(await isSignedIn(browser), false);
  const again = await liarSession("pia", "c");
  assert.equal(await tell({ ...whole, jti }), 200);
  assert.ok(await isSignedIn(again), "a message counts once");
});

test("tokens of the provider are sealed", async () => {
  const rows = await t.app
    .sql`SELECT sealed_token FROM sso_identities WHERE sealed_token IS NOT NULL`;
  const ids = await t.app
    .sql`SELECT sealed_id_token FROM sso_sessions WHERE sealed_id_token IS NOT NULL`;
  assert.ok(rows.length > 0 && ids.length > 0);
  for (const { sealed_id_token } of ids)
    assert.ok(!sealed_id_token.toString("latin1").startsWith("eyJ"));
});
