// Members of a shared account by the API: the same commands as the pages', for the account's own tokens alone.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";
import { assertEntity } from "../../../../../test/schema.ts";
import type { CurrentUser } from "../../../../platform/http/credentials.ts";
import { finishLog, logRequest } from "./request-log.ts";

type Json = Record<string, any>;

const PASSWORD = "correct horse";
const MEMBERS = "/api/v1/sharing/members";
const ACCOUNTS = "/api/v1/sharing/accounts";

let t: TestApp;
let club: Person;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  const scopes = ["read", "write", "sharing"];
  [club, alice, bob] = [
    await t.person("club", { scopes }),
    await t.person("alice", { scopes }),
    await t.person("bob", { scopes }),
  ];
});
after(() => t?.close());
beforeEach(async () => {
  await t.write`DELETE FROM account_access`;
  await t.write`DELETE FROM shared_acts`;
});

const invite = (username: string, more: Json = {}) =>
  club.post(MEMBERS, { username, password: PASSWORD, ...more });

const named = (rows: Json[]) =>
  rows.map(({ account, role, accepted_at: at }) => [account.username, role, at !== null]);

test("somebody is invited, told, accepts, gets another role and leaves; all of it is in the log", async () => {
  const answer = await invite("@alice").ok();
  const members = ["id", "account", "role", "created_at", "accepted_at"];
  assert.deepEqual(Object.keys(answer), members);
  const { id } = answer;
  assert.deepEqual(named([answer]), [["alice", "author", false]]);
  await t.runJobs();
  assert.match(JSON.stringify(await mailsOf(t)), /club/);
  const [invitation] = await alice.get(ACCOUNTS).ok();
  assertEntity("Account", invitation.account);
  assert.equal(invitation.id, id);
  assert.deepEqual(named([invitation]), [["club", "author", false]]);
  const accepted = await alice.post(`${ACCOUNTS}/${id}/accept`).ok();
  assert.deepEqual(await alice.post(`${ACCOUNTS}/${id}/accept`).ok(), accepted);
  const changed = await club.patch(`${MEMBERS}/${id}`, { role: "owner" }).ok();
  assert.deepEqual(named([changed]), [["alice", "owner", true]]);
  assert.deepEqual(await club.get(MEMBERS).ok(), [changed]);
  assert.deepEqual(await alice.delete(`${ACCOUNTS}/${id}`).ok(), {});
  assert.deepEqual(await club.get(MEMBERS).ok(), []);
  const acts = await t.app.sql<{ act: string }[]>`SELECT act FROM shared_acts ORDER BY id`;
  assert.deepEqual(
    acts.map(({ act }) => act),
    ["invite", "join", "owner", "leave"],
  );
});

test("what was refused leaves the log; what failed stays there, since it may have been carried out", async () => {
  const viewer = { userId: club.userId, by: null } as CurrentUser;
  const route = { method: "POST", url: "/api/v1/statuses/:id/pin", id: "1" };
  for (const status of [200, 422, 404, 500, 503]) {
    const request = { logEntry: null };
    await logRequest(t.app, request, { viewer, route: { ...route, id: String(status) } });
    await finishLog(t.app, request, { route, status, body: "" });
  }
  const acts = await t.app.sql<
    { status_id: string }[]
  >`SELECT status_id FROM shared_acts ORDER BY id`;
  assert.deepEqual(
    acts.map(({ status_id }) => status_id),
    ["200", "500", "503"],
  );
});

test("an invitation is declined, or taken back; a member is removed, and their tokens end", async () => {
  const first = (await invite("alice")).json;
  await alice.delete(`${ACCOUNTS}/${first.id}`).ok();
  const second = (await invite("alice")).json;
  await club.delete(`${MEMBERS}/${second.id}`).ok();
  assert.deepEqual(await alice.get(ACCOUNTS).ok(), []);
  const third = (await invite("alice", { role: "owner" })).json;
  await alice.post(`${ACCOUNTS}/${third.id}/accept`).ok();
  const token = await memberToken(third.id);
  await t.as(token).get("/api/v1/lists").ok();
  for (const [method, path] of [
    ["GET", MEMBERS],
    ["GET", ACCOUNTS],
    ["DELETE", `${MEMBERS}/${third.id}`],
  ] as const)
    assert.equal((await t.as(token).send(method, path)).status, 403, `${method} ${path}`);
  await club.delete(`${MEMBERS}/${third.id}`).ok();
  assert.equal((await t.as(token).get("/api/v1/lists")).status, 401);
});

/** That a member got for the club. */
const memberToken = async (accessId: string): Promise<string> => {
  const token = await t.token(club.userId, ["read", "sharing"]);
  await t.write`
    UPDATE oauth_tokens SET access_id = ${accessId}
    WHERE id = (SELECT max(id) FROM oauth_tokens WHERE user_id = ${club.userId})`;
  return token;
};

test("what cannot be is refused with the reason, and changes nothing", async () => {
  for (const [username, more, field, why] of [
    ["nobody", {}, "username", /Username is nobody on this server/],
    ["club", {}, "username", /Username cannot be invited/],
    ["alice", { role: "king" }, "role", /Role must be author or owner/],
    ["alice", { password: "wrong" }, "password", /Password is wrong/],
    ["alice", { password: undefined }, "password", /Password can.t be blank/],
  ] as const) {
    const answer = await invite(username, more);
    assert.equal(answer.status, 422, `${username} ${JSON.stringify(more)}`);
    assert.match(answer.json.error, why);
    assert.deepEqual(Object.keys(answer.json.details), [field]);
  }
  assert.deepEqual(await club.get(MEMBERS).ok(), []);
  const { id } = (await invite("alice")).json;
  assert.equal((await invite("alice")).status, 422, "already");
  assert.equal((await club.patch(`${MEMBERS}/${id}`, { role: "king" })).status, 422);
  for (const [by, method, path] of [
    [bob, "PATCH", `${MEMBERS}/${id}`],
    [bob, "DELETE", `${MEMBERS}/${id}`],
    [bob, "POST", `${ACCOUNTS}/${id}/accept`],
    [bob, "DELETE", `${ACCOUNTS}/${id}`],
    [club, "POST", `${ACCOUNTS}/${id}/accept`],
    [club, "DELETE", `${MEMBERS}/abc`],
  ] as const) {
    const json = method === "PATCH" ? { role: "owner" } : undefined;
    assert.equal((await by.send(method, path, json)).status, 404, `${method} ${path}`);
  }
  assert.deepEqual(named(await club.get(MEMBERS).ok()), [["alice", "author", false]]);
  const reader = await t.token(club.userId, ["read", "write", "identities"]);
  assert.equal((await t.as(reader).get(MEMBERS)).status, 403);
  assert.equal((await t.visitor.get(ACCOUNTS)).status, 401);
});
