// Accounts that several people use: invitations and consent, roles, what members may do, the log, and that a member who
// is removed is out at once.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";
import { openStream } from "../../../../../test/stream-client.ts";
import { connect } from "../../../../platform/db/index.ts";
import { removeAccountIn } from "../../accounts/remove.ts";
import { EVERYONE_ID, OWNER_ID } from "../../../base/roles/roles.ts";
import { hashPassword } from "../passwords.ts";
import { retention } from "../../../../retention.ts";
import { ACTS_SHOWN } from "../identities/acts.ts";

const PATH = "/settings/sharing";
const LOG = `${PATH}/log`;
const IDENTITIES = "/settings/identities";
const PASSWORD = "correct horse";

let t: TestApp;
let now = Date.now();
let club: Person;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(now) } });
  [club, alice, bob] = [await t.person("club"), await t.person("alice"), await t.person("bob")];
});
after(() => t.close());
beforeEach(async () => {
  await t.write`DELETE FROM account_access`;
  await t.write`DELETE FROM shared_acts`;
});

/** At a time when tries before count little, and tokens of the client have not expired. */
const signedIn = async (login: string): Promise<Browser> => {
  now += 20_000;
  const browser = openBrowser(t);
  const page = await browser.get("/auth/sign_in?force=1");
  await browser.submit(page, "/auth/sign_in", { login, password: PASSWORD });
  return browser;
};

const tokenIn = (html: string): string => /name="form_token" value="([^"]+)"/.exec(html)![1]!;

/** A form of our pages from the page of the accounts, which everybody has. */
const send = async (browser: Browser, path: string, fields: Record<string, string> = {}) => {
  const page = await browser.get("/settings/accounts");
  return browser.post(path, { form_token: tokenIn(page.text), ...fields });
};

const invite = (browser: Browser, name: string, more: Record<string, string> = {}) => {
  now += 7_200_000;
  return send(browser, PATH, { name, role: "author", current_password: PASSWORD, ...more });
};

/** The id of what makes somebody a member of the club. */
const accessOf = async ({ userId }: Person): Promise<string> => {
  const [row] = await t.app.sql`
    SELECT id FROM account_access WHERE user_id = ${club.userId} AND person_id = ${userId}
  `;
  return row?.["id"] ?? "0";
};

const switchTo = (browser: Browser, { accountId }: Person) =>
  send(browser, `/auth/accounts/${accountId}/switch`);

/** A browser of a member who was invited, accepted, and uses the club. */
const memberIn = async (person: Person, role: "author" | "owner"): Promise<Browser> => {
  await invite(await signedIn("club"), `@${person.username}`, { role });
  const browser = await signedIn(person.username);
  await send(browser, `${IDENTITIES}/accept`, { id: await accessOf(person) });
  await switchTo(browser, club);
  return browser;
};

const clientToken = async (browser: Browser): Promise<string> =>
  (await send(browser, "/web/session")).json.access_token;

const me = (token: string) => t.as(token).get("/api/v1/accounts/verify_credentials");

const inUse = async (browser: Browser): Promise<string | null> => {
  const { status, text } = await browser.get("/settings");
  return status === 200 ? /<strong>@(\w+)@/.exec(text)![1]! : null;
};

const post = (token: string, status: string) => t.as(token).post("/api/v1/statuses", { status });

type Entry = { by_name: string | null; act: string; detail: string | null; status_id: string };
const entries = async (): Promise<Entry[]> => [
  ...(await t.app.sql<Entry[]>`
    SELECT by_name, act, detail, status_id FROM shared_acts WHERE user_id = ${club.userId}
    ORDER BY id
  `),
];
const actsIn = async (): Promise<string[]> =>
  (await entries()).map(({ by_name, act }) => `${by_name ?? "-"} ${act}`);

test("who is invited uses the account after consenting, not before", async () => {
  const owner = await signedIn("club");
  assert.equal(
    (await invite(owner, "@alice")).headers.get("location"),
    `${PATH}?done=sharing.done_invited`,
  );
  await t.runJobs();
  assert.ok(mailsOf(t).some((text) => /To: alice@/.test(text) && text.includes("@club")));
  const browser = await signedIn("alice");
  assert.match((await browser.get(IDENTITIES)).text, /Invited you to use it/);
  assert.match((await switchTo(browser, club)).headers.get("location")!, /sign_in/);

  const id = await accessOf(alice);
  const stranger = await signedIn("bob");
  assert.equal((await send(stranger, `${IDENTITIES}/accept`, { id })).status, 404);
  assert.equal((await send(browser, `${IDENTITIES}/accept`, { id: "1" })).status, 404);
  await send(browser, `${IDENTITIES}/accept`, { id });
  assert.equal((await send(browser, `${IDENTITIES}/accept`, { id })).status, 302, "once more");
  await switchTo(browser, club);
  assert.equal(await inUse(browser), "club");
  assert.match((await owner.get(PATH)).text, /@alice<\/a>\s*<span class="badge good">Author/);
});

test("the page of the shared account has what is shared with who reads it, and not with a member", async () => {
  const [owner, browser] = [await signedIn("club"), await signedIn("alice")];
  await invite(owner, "alice", { role: "owner" });
  assert.doesNotMatch((await owner.get(PATH)).text, /Shared with you/);
  const invited = await browser.get(PATH);
  assert.match(invited.text, /Shared with you[^]*@club[^]*This account/);
  await browser.submit(invited, `${IDENTITIES}/accept`, {});
  assert.match((await browser.get(PATH)).text, /Leave[^]*This account/);
});

test("an invitation is declined, and nobody is invited who cannot be", async () => {
  const owner = await signedIn("club");
  const refusals: [name: string, more: Record<string, string>, text: RegExp][] = [
    ["alice", { current_password: "wrong" }, /password/],
    ["alice", { role: "king" }, /./],
    ["nobody", {}, /No account on this server/],
    ["club", {}, /can’t be invited/],
  ];
  for (const [name, more, text] of refusals) {
    const { status, text: page } = await invite(owner, name, more);
    assert.equal(status, 422, name);
    assert.match(page, text);
  }
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${bob.accountId}`;
  assert.match((await invite(owner, "bob")).text, /can’t be invited/);
  await t.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${bob.accountId}`;
  assert.deepEqual(await entries().then((rows) => rows.filter(({ act }) => act === "invite")), []);

  await invite(owner, "alice");
  assert.match((await invite(owner, "alice")).text, /already/);
  const browser = await signedIn("alice");
  await send(browser, `${IDENTITIES}/leave`, { id: await accessOf(alice) });
  assert.equal(await accessOf(alice), "0");
});

test("members act as the account, and only its log says who", async () => {
  const browser = await memberIn(alice, "author");
  const token = await clientToken(browser);
  const { json } = await post(token, "We are open on Sunday");
  assert.equal(json.account.acct, "club");
  assert.doesNotMatch(JSON.stringify(json), /alice/);
  const seen = await bob.get(`/api/v1/statuses/${json.id}`);
  assert.doesNotMatch(seen.text, /alice/);
  const note = await t.visitor.get(`/users/club/statuses/${json.id}`, {
    accept: "application/activity+json",
  });
  assert.deepEqual([note.status, note.text.includes("alice")], [200, false]);

  await t.as(token).put(`/api/v1/statuses/${json.id}`, { status: "Or not" });
  const path = "/api/v1/accounts/update_credentials";
  await t.as(token).patch(path, { display_name: "The club" });
  await t.as(token).post("/api/v1/lists", { title: "Friends" });
  await post(club.token, "By the password");
  await t.as(token).delete(`/api/v1/statuses/${json.id}`);
  const rows = await entries();
  assert.deepEqual(
    rows.slice(-6).map(({ by_name, act }) => [by_name, act]),
    [
      ["alice", "post"],
      ["alice", "edit"],
      ["alice", "profile"],
      ["alice", "other"],
      [null, "post"],
      ["alice", "delete"],
    ],
  );
  assert.equal(rows.at(-6)!.status_id, json.id);
  assert.equal(rows.at(-3)!.detail, "POST /api/v1/lists");
  const log = (await (await signedIn("club")).get(LOG)).text;
  assert.match(log, /@alice<\/strong>/);
  assert.match(log, /Signed in with the account’s password/);
});

test("what is refused, and what apps do by themselves, is not in the log; others have none", async () => {
  const token = await clientToken(await memberIn(alice, "author"));
  const before = await actsIn();
  assert.equal((await post(token, "")).status, 422);
  assert.equal((await t.as(token).delete("/api/v1/statuses/1")).status, 404);
  const json = { home: { last_read_id: "1" } };
  await t.as(token).post("/api/v1/markers", json).ok();
  assert.deepEqual(await actsIn(), before);
  await post(bob.token, "Nobody shares my account");
  const rows = await t.app.sql`SELECT FROM shared_acts WHERE user_id = ${bob.userId}`;
  assert.equal(rows.length, 0);
});

test("a form without scripts is in the log, too", async () => {
  const browser = await memberIn(alice, "author");
  await send(browser, "/web/act/statuses", { status: "Without scripts" });
  assert.equal((await actsIn()).at(-1), "alice post");
});

test("the settings are the owners', what takes the password its own", async () => {
  const author = await memberIn(alice, "author");
  const closed = [
    PATH,
    LOG,
    "/settings/password",
    "/settings/email",
    "/settings/two_factor",
    "/settings/passkeys",
  ];
  closed.push(
    "/settings/sessions",
    "/settings/apps",
    "/settings/export",
    "/settings/delete",
    IDENTITIES,
  );
  for (const path of closed) assert.equal((await author.get(path)).status, 403, path);
  assert.equal((await invite(author, "bob")).status, 403);
  for (const act of ["remove", "role"])
    assert.equal((await send(author, `${PATH}/${act}`, { id: "1", role: "owner" })).status, 403);
  assert.equal((await author.get("/settings/accounts")).status, 200);

  const owner = await memberIn(bob, "owner");
  for (const path of [PATH, LOG, "/settings/sessions"])
    assert.equal((await owner.get(path)).status, 200, path);
  await t.write`UPDATE users SET password_hash = ${await hashPassword("another horse")} WHERE id = ${club.userId}`;
  const [hash] = await t.app.sql`SELECT password_hash FROM users WHERE id = ${alice.userId}`;
  try {
    const fields = { password: "another battery", current_password: PASSWORD };
    assert.equal((await send(owner, "/settings/password", fields)).status, 422);
    const answer = await send(owner, `${PATH}/role`, { id: await accessOf(alice), role: "owner" });
    assert.equal(answer.status, 302);
    assert.equal((await author.get(PATH)).status, 200, "is an owner now");
    assert.ok(!(await actsIn()).includes("bob settings"), "was refused");
    await send(owner, "/settings/sessions/end", { id: "1" });
    assert.equal((await actsIn()).at(-1), "bob settings");
  } finally {
    await t.write`UPDATE users SET password_hash = ${hash!["password_hash"]} WHERE id = ${club.userId}`;
  }
});

test("menus and lists offer authors what they may open, and owners everything", async () => {
  const offered = async (browser: Browser): Promise<string[]> => {
    const pages = ["/settings", "/settings/accounts", "/settings/profile", "/settings?q=a"];
    const texts = await Promise.all(pages.map(async (path) => (await browser.get(path)).text));
    const links = texts.flatMap((text) => [
      ...text.matchAll(
        /href="(\/(?:settings|disputes|lists|followed_tags|notifications)[^"?#]*)"/g,
      ),
    ]);
    return [...new Set(links.map(([, path]) => path!))].toSorted();
  };
  const author = await memberIn(alice, "author");
  const theirs = await offered(author);
  assert.ok(theirs.includes("/settings/filters") && theirs.length > 8, theirs.join());
  for (const path of theirs) assert.equal((await author.get(path)).status, 200, path);
  const owner = await memberIn(bob, "owner");
  const all = await offered(owner);
  assert.ok(all.length > theirs.length + 15, all.join());
  for (const path of all.filter((each) => !theirs.includes(each))) {
    assert.equal((await owner.get(path)).status, 200, path);
    assert.equal((await author.get(path)).status, 403, path);
  }
});

test("members have none of the account's powers as staff", async () => {
  await t.write`UPDATE users SET role_id = ${OWNER_ID} WHERE id = ${club.userId}`;
  try {
    const browser = await memberIn(alice, "owner");
    assert.equal((await browser.get("/admin")).status, 403);
    const token = await clientToken(browser);
    assert.equal((await t.as(token).get("/api/v1/admin/accounts")).status, 403);
    assert.equal((await (await signedIn("club")).get("/admin")).status, 200);
    const refused = await consent(browser, "read admin:read");
    assert.equal(refused.answer.status, 403);
  } finally {
    await t.write`UPDATE users SET role_id = ${EVERYONE_ID} WHERE id = ${club.userId}`;
  }
});

const REDIRECT = "https://app.example/";

const consent = async (browser: Browser, scopes: string) => {
  const json = { client_name: "App", redirect_uris: REDIRECT, scopes };
  const client = (await t.visitor.post("/api/v1/apps", json)).json;
  const { client_id } = client;
  const query = { response_type: "code", client_id, redirect_uri: REDIRECT, scope: scopes };
  const page = await browser.get(`/oauth/authorize?${new URLSearchParams(query)}`);
  const answer = await browser.submit(page, "/oauth/authorize", {
    decision: "allow",
    as: club.accountId,
  });
  return { answer, client };
};

const exchange = ({ answer, client }: Awaited<ReturnType<typeof consent>>) => {
  const code = new URL(answer.headers.get("location")!).searchParams.get("code")!;
  const { client_id, client_secret } = client;
  const grant = { grant_type: "authorization_code", client_id, client_secret, code };
  return t.visitor.post("/oauth/token", new URLSearchParams({ ...grant, redirect_uri: REDIRECT }));
};

/** All that a member may have open. */
const everything = async () => {
  const browser = await memberIn(alice, "author");
  const own = await signedIn("alice");
  const token = await clientToken(browser);
  const appToken = (await exchange(await consent(own, "read write"))).json.access_token as string;
  const code = await consent(own, "read write");
  const stream = await openStream(t.url, { query: { access_token: appToken, stream: "user" } });
  await post(appToken, "By an app");
  for (const each of [token, appToken]) assert.equal((await me(each)).json.acct, "club");
  return { browser, tokens: [token, appToken], code, stream };
};

const assertOut = async ({
  browser,
  tokens,
  code,
  stream,
}: Awaited<ReturnType<typeof everything>>) => {
  for (const token of tokens) {
    assert.equal((await me(token)).status, 401);
    assert.equal((await post(token, "Still here?")).status, 401);
  }
  assert.equal(await inUse(browser), null);
  assert.equal((await exchange(code)).status, 400);
  await stream.closed();
};

test("an app of a member acts in the member's name, and everything ends when the member is removed", async () => {
  const open = await everything();
  assert.equal((await actsIn()).at(-1), "alice post");
  await send(await signedIn("club"), `${PATH}/remove`, { id: await accessOf(alice) });
  await assertOut(open);
  assert.equal((await me(club.token)).status, 200, "the account's own token goes on");
  await me(alice.token).ok();
});

test("everything ends when the member leaves", async () => {
  const open = await everything();
  await send(await signedIn("alice"), `${IDENTITIES}/leave`, { id: await accessOf(alice) });
  await assertOut(open);
  assert.ok((await actsIn()).includes("alice leave"));
});

test("everything ends when the member's own account is deleted", async () => {
  const carol = await t.person("carol");
  const token = await clientToken(await memberIn(carol, "author"));
  const stream = await openStream(t.url, { query: { access_token: token, stream: "user" } });
  await me(token).ok();
  await t.app.sql.begin((tx) => removeAccountIn(t.app, tx, carol.accountId));
  assert.equal((await me(token)).status, 401);
  await t.runJobs();
  await stream.closed();
});

test("a member whose own account is suspended is out until it is not", async () => {
  const browser = await memberIn(alice, "author");
  const token = await clientToken(browser);
  await me(token).ok();
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${alice.accountId}`;
  try {
    assert.equal((await me(token)).status, 403);
    assert.equal(await inUse(browser), null);
  } finally {
    await t.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${alice.accountId}`;
  }
});

test("what another process removes is out of the cache here", async () => {
  const token = await clientToken(await memberIn(alice, "author"));
  await me(token).ok();
  const sql = connect(t.databaseUrl, { max: 1, application: "other" });
  await sql`DELETE FROM account_access WHERE id = ${await accessOf(alice)}`;
  await sql.end();
  // The notification of the database takes a moment.
  for (let i = 0; i < 200 && (await me(token)).status !== 401; i++) await sleep(10);
  assert.equal((await me(token)).status, 401);
});

test("a second factor of the account is asked of its members", async () => {
  await t.write`INSERT INTO totp_secrets (user_id, sealed, confirmed_at) VALUES (${club.userId}, '\\x00', now())`;
  try {
    await t.write`INSERT INTO account_access (user_id, person_id, kind) VALUES (${club.userId}, ${alice.userId}, 'author')`;
    const browser = await signedIn("alice");
    assert.match((await browser.get(IDENTITIES)).text, /needs two-factor/);
    assert.match((await switchTo(browser, club)).headers.get("location")!, /sign_in/);
    assert.equal(await inUse(browser), "alice");
  } finally {
    await t.write`DELETE FROM totp_secrets WHERE user_id = ${club.userId}`;
  }
});

test("a member who proves the account's own password is linked with it instead", async () => {
  const token = await clientToken(await memberIn(alice, "author"));
  await me(token).ok();
  const fields = { login: "club", password: PASSWORD, current_password: PASSWORD };
  const answer = await send(await signedIn("alice"), IDENTITIES, fields);
  assert.equal(answer.headers.get("location"), `${IDENTITIES}?done=identities.done_linked`);
  const [row] = await t.app.sql`
    SELECT kind FROM account_access WHERE id = ${await accessOf(alice)}
  `;
  assert.equal(row!["kind"], "identity");
  assert.doesNotMatch((await (await signedIn("club")).get(PATH)).text, /@alice <span/);
});

test("the log has pages, and what is old is deleted", async () => {
  await t.write`INSERT INTO account_access (user_id, person_id, kind) VALUES (${club.userId}, ${alice.userId}, 'author')`;
  await t.write`INSERT INTO shared_acts (user_id, by_name, act, created_at)
    SELECT ${club.userId}::bigint, 'alice', 'post', to_timestamp(${now / 1000}::float8)
    FROM generate_series(1, 45) n`;
  const browser = await signedIn("club");
  const first = (await browser.get(LOG)).text;
  assert.equal(first.match(/@alice<\/strong>/g)!.length, ACTS_SHOWN);
  const older = /href="([^"]*max_id=\d+)"/.exec(first)![1]!;
  assert.equal((await browser.get(older)).text.match(/@alice<\/strong>/g)!.length, 45 - ACTS_SHOWN);
  now += 181 * 86_400_000;
  await retention["shared_acts"]!(t.app, new Date(now));
  assert.deepEqual(await entries(), []);
});

test("GET /api/v1/identities names the accounts that are shared with one, without invitations", async () => {
  await invite(await signedIn("club"), "alice");
  const token = await t.token(alice.userId, ["identities"]);
  const list = async () =>
    (await t.as(token).get("/api/v1/identities")).json.map(
      ({ account, kind }: { account: { acct: string }; kind: string }) => [account.acct, kind],
    );
  assert.deepEqual(await list(), []);
  await send(await signedIn("alice"), `${IDENTITIES}/accept`, { id: await accessOf(alice) });
  assert.deepEqual(await list(), [["club", "author"]]);
});
