// What providers tell by SCIM, in requests as Entra's and Okta's documents have them: somebody is announced, comes, is
// put out and back, is in groups that give roles, and is deleted.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { LIAR, startLyingProvider } from "../../../../test/lying-provider.ts";
import { COMMAND_LINE } from "../../../../src/domain/base/roles/permissions.ts";
import { liftLimit, limitAccount } from "../../../../src/domain/people/accounts/standing.ts";
import { addProvider, endScimToken, makeScimToken } from "../index.ts";

let t: TestApp;
let liar: Awaited<ReturnType<typeof startLyingProvider>>;
let id: string;
let token: string;
let visitors = 0;
const VERIFY = "/api/v1/accounts/verify_credentials";
const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

before(async () => {
  liar = await startLyingProvider();
  t = await startTestApp({ env: { RATE_LIMITS: "true" } });
  const provider = { name: "City", issuer: liar.issuer, clientId: LIAR.id, secret: LIAR.secret };
  const rules = { signsUp: false, roles: [{ group: "Desk", role: "Moderator" }] };
  ({ id } = await addProvider(t.app, COMMAND_LINE, { ...provider, ...rules }));
  token = await makeScimToken(t.app, COMMAND_LINE, id);
});
after(async () => {
  await t.close();
  await liar.close();
});

const send = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(`${t.url}/scim/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/scim+json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    json: text === "" ? null : JSON.parse(text),
    headers: answer.headers,
  };
};

const patch = (path: string, ...operations: object[]) =>
  send("PATCH", path, { schemas: [PATCH_OP], Operations: operations });

const idOf = async (userName: string): Promise<string> => {
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  return (await send("GET", `Users?filter=${filter}`)).json.Resources[0].id;
};

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

/** Comes by the provider as this subject, and chooses a handle where that is asked. */
const come = async (sub: string) => {
  const browser = openBrowser(t, `203.0.113.${++visitors}`);
  const begin = `/auth/sso/${id}`;
  const begun = await browser.submit(await browser.get("/auth/sign_in"), begin, {});
  const sent = new URL(locationOf(begun)).searchParams;
  const email = `${sub}@city.example`;
  liar.state.claims = { sub, email, email_verified: true, nonce: sent.get("nonce") };
  const query = new URLSearchParams({ code: `code-${++visitors}`, state: sent.get("state")! });
  const back = await browser.get(`${begin}/callback?${query}`);
  if (locationOf(back) !== "/auth/sso/new") return { browser, back };
  const form = { username: sub, agreement: "1" };
  await browser.submit(await browser.get("/auth/sso/new"), "/auth/sso/new", form);
  return { browser, back };
};

const userOf = async (sub: string) => {
  const [row] = await t.app.sql`
    SELECT u.id, u.account_id, u.role_id FROM users u JOIN sso_identities i ON i.user_id = u.id
    WHERE i.subject = ${sub}
  `;
  return row as { id: string; account_id: string; role_id: string };
};

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/settings")).status === 200;

/** As Entra creates somebody. */
const ENTRA = {
  schemas: [USER, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  externalId: "ada",
  userName: "Ada@city.example",
  active: true,
  displayName: "Ada Lovelace",
  emails: [{ primary: true, type: "work", value: "ada@city.example" }],
  meta: { resourceType: "User" },
  name: { formatted: "Ada Lovelace", familyName: "Lovelace", givenName: "Ada" },
  roles: [],
};

test("nobody without the token, or with a former one, is told anything", async () => {
  for (const authorization of ["", "Bearer x", "Basic x"]) {
    const { status, json } = await send("GET", "Users", undefined, { authorization });
    assert.equal(status, 401);
    assert.equal(json.status, "401");
  }
  const former = token;
  token = await makeScimToken(t.app, COMMAND_LINE, id);
  const headers = { authorization: `Bearer ${former}` };
  assert.equal((await send("GET", "Users", undefined, headers)).status, 401);
  const [row] = await t.app.sql`SELECT token_hash FROM scim_tokens`;
  assert.ok(!row!["token_hash"].toString("latin1").includes(token));
});

test("a client reads first what there is", async () => {
  const config = (await send("GET", "ServiceProviderConfig")).json;
  assert.deepEqual([config.patch.supported, config.bulk.supported], [true, false]);
  const types = (await send("GET", "ResourceTypes")).json;
  assert.deepEqual(
    types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint),
    ["/Users", "/Groups"],
  );
  assert.equal((await send("GET", "ResourceTypes/User")).json.schema, USER);
  assert.equal((await send("GET", `Schemas/${GROUP}`)).json.name, "Group");
  // Entra tests a connection by asking for somebody who cannot be.
  const filter = encodeURIComponent('userName eq "7f0f0a9c-non-existing"');
  const none = await send("GET", `Users?filter=${filter}`);
  assert.deepEqual([none.status, none.json.totalResults, none.json.Resources], [200, 0, []]);
});

test("somebody is announced once, and found by name and by externalId", async () => {
  const made = await send("POST", "Users", ENTRA);
  assert.equal(made.status, 201, JSON.stringify(made.json));
  assert.match(made.headers.get("content-type")!, /^application\/scim\+json/);
  assert.equal(made.headers.get("location"), `${t.url}/scim/v2/Users/${made.json.id}`);
  const { name, emails, active } = made.json;
  assert.deepEqual(
    { name, emails, active },
    { name: ENTRA.name, emails: ENTRA.emails, active: true },
  );
  const again = await send("POST", "Users", ENTRA);
  assert.deepEqual([again.status, again.json.scimType], [409, "uniqueness"]);
  for (const filter of [
    'userName eq "ada@CITY.example"',
    'externalId eq "ada"',
    `id eq "${made.json.id}"`,
  ]) {
    const { json } = await send("GET", `Users?filter=${encodeURIComponent(filter)}`);
    assert.equal(json.Resources[0]?.id, made.json.id, filter);
  }
  assert.equal(await idOf("ada@city.example"), made.json.id);
  // Okta pages by startIndex and count.
  await send("POST", "Users", {
    schemas: [USER],
    userName: "okta@city.example",
    externalId: "00u1",
  });
  const page = (await send("GET", "Users?startIndex=2&count=1")).json;
  assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage], [2, 2, 1]);
  assert.equal(page.Resources[0].userName, "okta@city.example");
});

test("who was announced gets an account, nobody else does; then is put out at once, and back", async () => {
  const stranger = await come("stranger");
  assert.equal(stranger.back.status, 403);
  const { browser } = await come("ada");
  assert.ok(await isSignedIn(browser));
  const app = t.as(await t.token((await userOf("ada")).id, ["read"]));
  assert.equal((await app.get(VERIFY)).status, 200);
  const path = `Users/${await idOf("ada@city.example")}`;
  // Entra's spelling.
  const out = await patch(path, { op: "Replace", path: "active", value: "False" });
  assert.deepEqual([out.status, out.json.active], [200, false]);
  const [entry] = await t.app.sql`
    SELECT account_id, details FROM audit_log WHERE action = 'account.end_sessions'
  `;
  assert.deepEqual({ ...entry }, { account_id: null, details: { provider: "City" } });
  assert.equal(await isSignedIn(browser), false);
  assert.equal((await app.get(VERIFY)).status, 401);
  assert.equal((await come("ada")).back.status, 403);
  assert.ok((await t.visitor.get("/api/v1/accounts/lookup?acct=ada")).status === 200);
  const back = await patch(path, { op: "replace", value: { active: true } });
  assert.equal(back.json.active, true);
  assert.ok(await isSignedIn((await come("ada")).browser));
});

test("a password is no way around the provider", async () => {
  await t.person("pia");
  const { id: ada } = await userOf("ada");
  await t.write`
    UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'pia@example.com')
    WHERE id = ${ada}
  `;
  const before = openBrowser(t);
  assert.equal((await before.signIn("ada")).status, 302);
  const path = `Users/${await idOf("ada@city.example")}`;
  // Okta's spelling.
  await patch(path, { op: "replace", value: { active: false } });
  assert.equal(await isSignedIn(before), false);
  assert.equal((await openBrowser(t).signIn("ada")).status, 403);
  await patch(path, { op: "replace", value: { active: true } });
});

test("changes come by PATCH and PUT, and only onto the version that was read", async () => {
  const path = `Users/${await idOf("ada@city.example")}`;
  const changed = await patch(
    path,
    { op: "Add", path: 'emails[type eq "home"].value', value: "ada@home.example" },
    { op: "Replace", path: "name.familyName", value: "King" },
    { op: "Replace", value: { displayName: "Ada King", "name.givenName": "Augusta" } },
    {
      op: "Add",
      path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
      value: "Mathematics",
    },
    { op: "Remove", path: "name.formatted" },
  );
  assert.equal(changed.status, 200, JSON.stringify(changed.json));
  assert.deepEqual(changed.json.name, { familyName: "King", givenName: "Augusta" });
  assert.equal(changed.json.displayName, "Ada King");
  assert.equal(changed.json.emails.length, 2);
  const etag = changed.headers.get("etag")!;
  const whole = { ...ENTRA, displayName: "Ada" };
  const put = await send("PUT", path, whole, { "if-match": etag });
  assert.deepEqual([put.status, put.json.displayName], [200, "Ada"]);
  assert.equal((await send("PUT", path, whole, { "if-match": etag })).status, 412);
});

test("groups give roles as claims do, and members come and go", async () => {
  const ada = await idOf("ada@city.example");
  const made = await send("POST", "Groups", {
    schemas: [GROUP],
    externalId: "8aa1a0c0",
    displayName: "Desk",
    members: [],
  });
  assert.equal(made.status, 201, JSON.stringify(made.json));
  const path = `Groups/${made.json.id}`;
  const { Resources: listed } = (await send("GET", "Groups")).json;
  assert.deepEqual(
    listed.map((group: { id: string }) => group.id),
    [made.json.id],
  );
  const added = await patch(path, { op: "Add", path: "members", value: [{ value: ada }] });
  assert.equal(added.json.members[0].display, ENTRA.userName);
  assert.equal((await send("GET", `Users/${ada}`)).json.groups[0].display, "Desk");
  await come("ada");
  assert.equal((await userOf("ada")).role_id, "1");
  const bare = await send("GET", `${path}?excludedAttributes=members`);
  assert.equal(bare.json.members, undefined);
  const members = `members[value eq "${ada}"]`;
  assert.deepEqual((await patch(path, { op: "remove", path: members })).json.members, []);
  await patch(path, { op: "replace", path: "members", value: [{ value: ada }] });
  const removed = await patch(path, { op: "Remove", path: "members", value: [{ value: ada }] });
  assert.deepEqual(removed.json.members, []);
  await come("ada");
  assert.equal((await userOf("ada")).role_id, "-99");
  const unknown = await patch(path, { op: "add", path: "members", value: [{ value: "1" }] });
  assert.deepEqual([unknown.status, unknown.json.scimType], [400, "invalidValue"]);
  const twin = await send("POST", "Groups", { schemas: [GROUP], displayName: "desk" });
  assert.deepEqual([twin.status, twin.json.scimType], [409, "uniqueness"]);
  const found = await send("GET", `Groups?filter=${encodeURIComponent('displayName eq "DESK"')}`);
  assert.equal(found.json.totalResults, 1);
  const renamed = await send("PUT", path, { displayName: "Office" });
  assert.equal(renamed.json.displayName, "Office");
  assert.equal((await send("DELETE", path)).status, 204);
  assert.equal((await send("GET", path)).status, 404);
});

test("an address that is none is refused, but one that was told before is no reason to keep somebody in", async () => {
  const path = `Users/${await idOf("ada@city.example")}`;
  const emails = [{ type: "work", value: "ada at city" }];
  for (const answer of [
    await send("POST", "Users", { ...ENTRA, externalId: "new", userName: "new", emails }),
    await send("PUT", path, { ...ENTRA, emails }),
    await patch(path, { op: "replace", path: "emails", value: emails }),
  ])
    assert.deepEqual([answer.status, answer.json.scimType], [400, "invalidValue"]);
  await t.write`
    UPDATE scim_users SET attributes = jsonb_build_object('emails', ${t.app.sql.json(emails)}::jsonb)
    WHERE external_id = 'ada'
  `;
  for (const active of [false, true])
    assert.equal((await patch(path, { op: "replace", value: { active } })).json.active, active);
  await send("PUT", path, ENTRA);
});

test("an owner is ended by no provider", async () => {
  const path = `Users/${await idOf("ada@city.example")}`;
  const { browser } = await come("ada");
  await t.write`UPDATE users SET role_id = 3 WHERE email = 'ada@city.example'`;
  const out = await patch(path, { op: "replace", value: { active: false } });
  assert.deepEqual([out.status, out.json.schemas[0].split(":").at(-1)], [403, "Error"]);
  assert.equal((await send("DELETE", path)).status, 403);
  assert.ok(await isSignedIn(browser));
  assert.equal((await send("GET", path)).json.active, true);
  await t.write`UPDATE users SET role_id = -99 WHERE email = 'ada@city.example'`;
});

test("who is deleted there is out here, loses nothing, and is back once told of again", async () => {
  const path = `Users/${await idOf("ada@city.example")}`;
  const { browser } = await come("ada");
  const { id: ada, account_id } = await userOf("ada");
  assert.equal((await send("DELETE", path)).status, 204);
  assert.equal((await send("GET", path)).status, 404);
  assert.equal(await isSignedIn(browser), false);
  const OUT = /The directory that you belong to has ended your access to this server/;
  const { back } = await come("ada");
  assert.equal(back.status, 403);
  assert.match(back.text, OUT);
  const byPassword = await openBrowser(t).signIn("ada");
  assert.match(byPassword.text, OUT);
  await t.person("owner", { role: "Owner" });
  const staff = openBrowser(t);
  await staff.signIn("owner");
  const page = await staff.get(`/admin/accounts/${account_id}`);
  assert.match(page.text, /The directory that this person belongs to has ended their access/);
  const due = t.app.sql`SELECT FROM account_deletions WHERE account_id = ${account_id}`;
  assert.equal((await due).length, 0);
  assert.equal((await t.visitor.get("/api/v1/accounts/lookup?acct=ada")).status, 200);

  const again = await send("POST", "Users", ENTRA);
  assert.deepEqual([again.status, again.json.active], [201, true]);
  assert.ok(await isSignedIn((await come("ada")).browser));
  assert.equal((await userOf("ada")).id, ada);
});

test("whom the staff suspended is shown as inactive, whatever the provider says", async () => {
  const path = `Users/${await idOf("ada@city.example")}`;
  const { account_id } = await userOf("ada");
  await t.app.sql.begin((tx) => limitAccount(t.app, tx, account_id, "suspend"));
  assert.equal((await patch(path, { op: "replace", value: { active: true } })).json.active, false);
  await send("DELETE", path);
  const again = await send("POST", "Users", ENTRA);
  assert.deepEqual([again.status, again.json.active], [201, false]);
  const { Resources: all } = (await send("GET", "Users")).json;
  const of = all.find(({ id }: { id: string }) => id === again.json.id);
  assert.equal(of.active, false);
  await t.app.sql.begin((tx) => liftLimit(tx, account_id, "suspend"));
  assert.equal((await send("GET", `Users/${again.json.id}`)).json.active, true);
});

test("what cannot be is refused in the shape of the protocol", async () => {
  const user = { schemas: [USER], userName: "x" };
  for (const [status, method, path, body] of [
    [400, "POST", "Users", "{"],
    [400, "POST", "Users", []],
    [400, "POST", "Users", { schemas: [USER] }],
    [400, "POST", "Users", { ...user, active: "maybe" }],
    [400, "POST", "Users", { ...user, emails: "ada@city.example" }],
    [400, "POST", "Users", { ...user, emails: ["ada@city.example"] }],
    [400, "POST", "Users", { ...user, name: "Ada" }],
    [400, "POST", "Groups", { displayName: "x", members: "1" }],
    [400, "GET", `Users?filter=${encodeURIComponent('userName eq "\\x"')}`, undefined],
    [400, "POST", "Users", { ...user, userName: "x".repeat(501) }],
    [400, "POST", "Users", { ...user, userName: " " }],
    [400, "GET", `Users?filter=${encodeURIComponent('userName co "a"')}`, undefined],
    [400, "GET", `Users?filter=${encodeURIComponent('userName eq "a\0"')}`, undefined],
    [400, "GET", "Users?filter[a]=b", undefined],
    [400, "GET", `Users?filter=${encodeURIComponent('password eq "a"')}`, undefined],
    [404, "GET", "Users/1", undefined],
    [404, "GET", "Users/x", undefined],
    [404, "GET", "Nothing", undefined],
    [404, "GET", "constructor", undefined],
    [405, "POST", "ServiceProviderConfig", {}],
    [405, "PUT", "Users", {}],
    [413, "POST", "Users", { ...user, displayName: "x".repeat(600_000) }],
  ] as const) {
    const answer = await send(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.json.status, String(status), `${method} ${path}`);
  }
  for (const body of ["{", "null", "[]"]) {
    const { json } = await send("POST", "Users", body);
    assert.equal(json.scimType, "invalidSyntax", body);
  }
  // Without what cannot be stored a name would be somebody else's.
  const asking = (name: string) => `Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`;
  for (const answer of [
    await send("POST", "Users", { ...user, userName: "a\0b" }),
    await send("GET", asking(String.raw`a\u0000b`)),
  ])
    assert.deepEqual([answer.status, answer.json.scimType], [400, "invalidValue"]);
  const odd = { ...user, userName: String.raw`a\u0000b` + "\ud800" };
  const { id: made } = (await send("POST", "Users", odd)).json;
  const found = await send("GET", asking(String.raw`a\\u0000b\ud800`));
  assert.equal(found.json.Resources[0].id, made);
  const again = { ...user, userName: String.raw`A\u0000B` + "\ufffd" };
  assert.equal((await send("POST", "Users", again)).status, 409);
  const { json } = await send("PATCH", `Users/${made}`, { schemas: [PATCH_OP] });
  assert.equal(json.scimType, "invalidSyntax");
  await endScimToken(t.app, COMMAND_LINE, id);
  assert.equal((await send("GET", "Users")).status, 401);
});

test("wrong tokens are bounded, and keep nobody out who has the right one", async () => {
  token = await makeScimToken(t.app, COMMAND_LINE, id);
  const headers = { authorization: "Bearer wrong" };
  const statuses = new Set<number>();
  for (let n = 0; n < 25; n++)
    statuses.add((await send("GET", "Users", undefined, headers)).status);
  assert.deepEqual([...statuses], [401, 429]);
  assert.equal((await send("GET", "Users")).status, 200);
});
