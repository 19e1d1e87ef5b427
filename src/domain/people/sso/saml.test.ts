// Signing in by a provider of SAML over real HTTP: what leads in, and everything that must not.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import {
  answerXml,
  assertionXml,
  encoded,
  newSamlKey,
  startSamlServer,
} from "../../../../test/saml-server.ts";
import { retention } from "../../../retention.ts";
import type { Assertion, SamlRequest, SamlServer } from "../../../../test/saml-server.ts";

let t: TestApp;
let city: SamlServer;
let visitors = 0;
const BEGIN = "/auth/sso/saml";
const BACK = "/auth/auth/saml/callback";
const NEW = "/auth/sso/new";
const ADD = "/settings/ways/add/saml";

before(async () => {
  city = await startSamlServer();
  t = await startTestApp({
    env: {
      SAML_ENABLED: "true",
      SAML_DISPLAY_NAME: "City of Rookery",
      SAML_IDP_ENTITY_ID: city.entityId,
      SAML_IDP_METADATA: `${city.origin}/metadata`,
      SAML_SECURITY_ASSUME_EMAIL_IS_VERIFIED: "true",
      SAML_GROUPS: "posters;editors",
      SAML_ROLES: "editors=Moderator",
    },
  });
});
after(async () => {
  await t.close();
  await city.close();
});

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

/** Opens a browser at an address of its own, from which few came yet. */
const visitor = (): Browser => openBrowser(t, `203.0.113.${++visitors}`);

const begin = async (browser: Browser, from = "/auth/sign_in", form = {}): Promise<SamlRequest> => {
  const action = from === ADD ? ADD : BEGIN;
  const begun = await browser.submit(await browser.get(from), action, form);
  assert.ok(locationOf(begun).startsWith(`${city.origin}/sso?`), begun.text);
  return city.request(locationOf(begun));
};

/** Brings an answer as a browser does: the form of another site has no cookies, the redirect after it has them. */
const bring = async (browser: Browser, xml: string, more = {}) => {
  const stranger = openBrowser(t, `203.0.113.${++visitors}`);
  const taken = await stranger.post(BACK, { SAMLResponse: encoded(xml), ...more });
  assert.equal(taken.status, 303, taken.text);
  return browser.get(locationOf(taken).replace(t.url, ""));
};

const person = (who: string, attributes = {}): string => {
  city.add(who, { displayName: `${who} of the city`, groups: "posters", ...attributes });
  return who;
};

/** Signs somebody in by an answer that a test has changed. */
const signInAs = async (who: string, lie: Partial<Assertion> = {}) => {
  const browser = visitor();
  const said = city.honest(await begin(browser), who);
  return { browser, said, back: await bring(browser, answerXml({ ...said, ...lie })) };
};

const newcomer = async (who: string): Promise<Browser> => {
  const { browser, back } = await signInAs(person(who));
  assert.equal(locationOf(back), NEW, back.text);
  const made = await browser.submit(await browser.get(NEW), NEW, { username: who, agreement: "1" });
  assert.equal(locationOf(made), "/welcome", made.text);
  return browser;
};

const signedInAs = async (browser: Browser): Promise<string | null> =>
  /@([\w]+)@127/.exec((await browser.get("/settings")).text)?.[1] ?? null;

test("somebody new chooses a handle once, and is known from then on", async () => {
  const browser = await newcomer("ada");
  assert.equal(await signedInAs(browser), "ada");
  await t.runJobs();
  const account = await t.visitor.get("/api/v1/accounts/lookup?acct=ada").ok();
  assert.equal(account.display_name, "ada of the city");
  const [row] = await t.app.sql`
    SELECT confirmed_at IS NOT NULL AS confirmed FROM users WHERE email = 'ada@city.example'
  `;
  assert.equal(row!["confirmed"], true);
  for (const signs of ["assertion", "both"] as const) {
    const again = await signInAs("ada", { signs });
    assert.match(locationOf(again.back), /^\/(?:home|welcome)$/, signs);
    assert.equal(await signedInAs(again.browser), "ada");
  }
});

test("an app that asked gets its consent after the sign-in", async () => {
  await newcomer("bea");
  const browser = visitor();
  const page = "/auth/sign_in?return_to=%2Foauth%2Fauthorize%3Fclient_id%3Dx";
  const said = city.honest(await begin(browser, page), "bea");
  const back = await bring(browser, answerXml(said), { RelayState: "https://evil.example/" });
  assert.equal(locationOf(back), "/oauth/authorize?client_id=x");
});

test("nine windows of a browser that sign in at once all get in", async () => {
  await newcomer("wim");
  const browser = visitor();
  const requests: SamlRequest[] = [];
  for (let n = 0; n < 9; n++) requests.push(await begin(browser));
  const answer = (request: SamlRequest) => bring(browser, answerXml(city.honest(request, "wim")));
  for (const request of requests)
    assert.match(locationOf(await answer(request)), /^\/(?:home|welcome)$/);
});

test("whoever is refused tries again, and comes to what they wanted", async () => {
  const again = 'href="/auth/sign_in?force=1&amp;return_to=%2Fbookmarks"';
  const refused = async (lie: Partial<Assertion>, more = {}) => {
    const browser = visitor();
    const request = await begin(browser, "/auth/sign_in?return_to=%2Fbookmarks");
    const said = city.honest(request, person("xaver", more));
    const back = await bring(browser, answerXml({ ...said, ...lie }));
    assert.equal(back.status, 403);
    assert.ok(back.text.includes(again), back.text);
  };
  await refused({ status: "Responder" });
  await refused({}, { groups: ["cooks"] });
});

test("the staff reads where this server says how it is reached, and of no sign-out", async () => {
  await t.person("own", { role: "Owner" });
  const owner = visitor();
  await owner.signIn("own");
  const { text } = await owner.get("/admin/settings/sign-in");
  assert.ok(text.includes(`${t.url}/auth/auth/saml/metadata`), text);
  assert.doesNotMatch(text, /done=signed_out/);
});

test("what the provider says to come back to leads nowhere", async () => {
  await newcomer("cem");
  const browser = visitor();
  const said = city.honest(await begin(browser), "cem");
  const back = await bring(browser, answerXml(said), { RelayState: "https://evil.example/" });
  assert.match(locationOf(back), /^\/(?:home|welcome)$/);
});

test("an account adds the provider; who somebody is there is one account's", async () => {
  for (const [name, status] of [
    ["dora", 302],
    ["emil", 403],
  ] as const) {
    await t.person(name);
    const browser = visitor();
    await browser.signIn(name);
    const request = await begin(browser, ADD, { current_password: "correct horse" });
    const back = await bring(browser, answerXml(city.honest(request, person("one"))));
    assert.equal(back.status, status, back.text);
  }
  const { browser } = await signInAs("one");
  assert.equal(await signedInAs(browser), "dora");
});

test("groups decide who enters, and their roles follow", async () => {
  const { back } = await signInAs(person("fay", { groups: ["cooks"] }));
  assert.equal(back.status, 403);
  assert.match(back.text, /aren’t in a group/);
  await newcomer("gus");
  const roleOf = async () =>
    (
      await t.app.sql`
      SELECT r.name FROM users u JOIN roles r ON r.id = u.role_id WHERE u.email = 'gus@city.example'
    `
    )[0]?.["name"];
  await signInAs(person("gus", { groups: ["cooks", "editors"] }));
  assert.equal(await roleOf(), "Moderator");
  await signInAs(person("gus"));
  assert.notEqual(await roleOf(), "Moderator");
});

test("the request says who asks and where the answer goes, and is new each time", async () => {
  const [first, second] = [await begin(visitor()), await begin(visitor())];
  assert.equal(first.acs, t.url + BACK);
  assert.equal(first.audience, `${t.url}/auth/auth/saml/metadata`);
  assert.notEqual(first.id, second.id);
  assert.match(first.xml, /nameid-format:persistent/);
});

test("the metadata of this server say the same", async () => {
  const answer = await visitor().get("/auth/auth/saml/metadata");
  assert.match(answer.headers.get("content-type")!, /^application\/samlmetadata\+xml/);
  assert.ok(answer.text.includes(`entityID="${t.url}/auth/auth/saml/metadata"`), answer.text);
  assert.ok(answer.text.includes(`Location="${t.url}${BACK}"`));
  assert.match(answer.text, /WantAssertionsSigned="true"/);
});

const stranger = newSamlKey();

for (const [what, lie, status = 502] of [
  ["that is not signed", { signs: "nothing" }],
  ["of which only the response is signed", { signs: "response" }],
  ["signed by another provider", { key: stranger }],
  ["signed by SHA-1", { digest: "sha1" }],
  ["of another issuer", { issuer: "https://other.example" }],
  ["for another audience", { audience: "https://other.example" }],
  ["to be brought elsewhere", { recipient: "https://other.example/acs" }],
  ["that has expired", { until: -60 }],
  ["of the future", { from: 120 }],
  [
    "that another confirmation is needed for",
    { method: "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches" },
  ],
  ["that nobody asked for", { request: null, confirmedRequest: null }, 400],
  ["to another request", { request: "_other", confirmedRequest: "_other" }, 400],
  ["whose assertion is to another request", { confirmedRequest: "_other" }, 400],
  ["whose assertion is to no request", { confirmedRequest: null }],
  [
    "about somebody who is another one each time",
    { format: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" },
  ],
  ["about an address", { format: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" }],
  ["about nobody", { nameId: "" }],
  ["about no sign-in", { isSignIn: false }],
  ["that says that nobody signed in", { status: "Responder" }, 403],
] as [string, Partial<Assertion>, number?][])
  test(`an answer ${what} is refused`, async () => {
    const { browser, back } = await signInAs(person("honest"), lie);
    assert.equal(back.status, status, back.text);
    assert.equal(locationOf(back), "");
    assert.equal(await signedInAs(browser), null);
  });

/** Changes an answer that was signed, in a way that must not make somebody else of its person. */
const TWISTS: Record<string, (xml: string, evil: string) => string> = {
  "another name in the signed assertion": (xml) =>
    xml.replace(/(<saml:NameID[^>]*>)[^<]+/, "$1evil"),
  "a comment in the name": (xml) => xml.replace(/(<saml:NameID[^>]*>\w{4})/, "$1<!-- -->"),
  "an instruction in the name": (xml) => xml.replace(/(<saml:NameID[^>]*>\w{4})/, "$1<?x y?>"),
  "a type that declares entities": (xml) =>
    `<!DOCTYPE x [<!ENTITY a "evil"><!ENTITY b "&a;&a;&a;&a;">]>${xml.replace(/(<saml:NameID[^>]*>)[^<]+/, "$1&b;")}`,
  "a type that is fetched": (xml) => `<!DOCTYPE x SYSTEM "${city.origin}/evil">${xml}`,
  "a second assertion before it": (xml, evil) =>
    xml.replace("<saml:Assertion", `${evil}<saml:Assertion`),
  "a second assertion after it": (xml, evil) =>
    xml.replace("</samlp:Response>", `${evil}</samlp:Response>`),
  "it within another one": (xml, evil) => {
    const inner = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0];
    return xml.replace(inner, evil.replace("</saml:Assertion>", `${inner}</saml:Assertion>`));
  },
  "it in the signature of another one": (xml, evil) => {
    const inner = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0];
    const [signature] = /<Signature [\s\S]*?<\/Signature>/.exec(inner)!;
    const bare = inner.replace(signature, "");
    const around = signature.replace("</Signature>", `<Object>${bare}</Object></Signature>`);
    return xml.replace(inner, evil.replace("</saml:Issuer>", `</saml:Issuer>${around}`));
  },
  "it beside one of the same ID": (xml, evil) => {
    const id = / ID="([^"]+)"/.exec(/<saml:Assertion[^>]*>/.exec(xml)![0])![1]!;
    return xml.replace(
      "<samlp:Status>",
      `<samlp:Extensions>${evil.replace(/ ID="[^"]+"/, ` ID="${id}"`)}</samlp:Extensions><samlp:Status>`,
    );
  },
  "it in the extensions, and another one in its place": (xml, evil) => {
    const inner = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0];
    return xml
      .replace(inner, evil)
      .replace("<samlp:Status>", `<samlp:Extensions>${inner}</samlp:Extensions><samlp:Status>`);
  },
};

for (const [what, twist] of Object.entries(TWISTS))
  test(`an answer is refused that has ${what}`, async () => {
    const browser = visitor();
    const said = city.honest(await begin(browser), person("honest"));
    const evil = assertionXml({ ...said, id: "_evil", nameId: "evil" });
    const xml = answerXml(said);
    const twisted = twist(xml, evil);
    assert.notEqual(twisted, xml);
    const back = await bring(browser, twisted);
    assert.equal(back.status, 502, back.text);
    assert.equal(await signedInAs(browser), null);
  });

test("an answer counts in the browser that asked alone, and once", async () => {
  const { back } = await signInAs(person("hal"));
  assert.equal(locationOf(back), NEW);
  const browser = visitor();
  const said = city.honest(await begin(browser), "hal");
  const victim = visitor();
  await begin(victim);
  assert.equal((await bring(victim, answerXml(said))).status, 400);
  assert.equal((await bring(visitor(), answerXml(said))).status, 400);
  const kept = new Map(browser.cookies);
  assert.equal(locationOf(await bring(browser, answerXml(said))), NEW);
  for (const [name, value] of kept) browser.cookies.set(name, value);
  assert.equal((await bring(browser, answerXml(said))).status, 400);
});

test("an assertion counts once, whatever it answers, and is forgotten when it has expired", async () => {
  const id = "_the-same";
  const first = await signInAs(person("ivy"), { id });
  assert.equal(locationOf(first.back), NEW);
  assert.equal((await signInAs("ivy", { id })).back.status, 400);
  const count = async () => (await t.app.sql`SELECT FROM sso_assertions`).length;
  const before = await count();
  assert.ok(before > 0);
  await retention["sso_assertions"]!(t.app, new Date());
  assert.equal(await count(), before);
  await retention["sso_assertions"]!(t.app, new Date(Date.now() + 3_600_000));
  assert.equal(await count(), 0);
});

test("what an answer was kept under is worth something in the browser that asked alone, and once", async () => {
  const browser = visitor();
  const said = city.honest(await begin(browser), person("jo"));
  const taken = await visitor().post(BACK, { SAMLResponse: encoded(answerXml(said)) });
  const path = locationOf(taken).replace(t.url, "");
  const other = visitor();
  assert.equal((await other.get(path)).status, 400);
  await begin(other);
  const kept = new Map(browser.cookies);
  assert.equal(locationOf(await browser.get(path)), NEW);
  assert.equal((await other.get(path)).status, 400);
  for (const [name, value] of kept) browser.cookies.set(name, value);
  for (const again of [path, BACK]) assert.equal((await browser.get(again)).status, 400);
});

test("an answer that is too long is not kept", async () => {
  const answer = await visitor().post(BACK, { SAMLResponse: "a".repeat(300_000) });
  assert.equal(answer.status, 502);
});
