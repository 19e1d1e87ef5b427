// Who may call which route: the contract's auth_matrix on small routes of each kind.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallServer } from "../../../test/small-server.ts";
import { anyToken, covers, open, user, viewerId, viewerOf } from "./auth.ts";
import type { Credentials, Standing, CurrentUser } from "./credentials.ts";
import type { Server } from "./server.ts";
import { asPerson } from "../viewer.ts";

const viewer = (standing: Standing): CurrentUser => ({
  userId: "1",
  accountId: "10",
  person: asPerson("10"),
  username: "alice",
  permissions: 0n,
  locale: "en",
  settings: {},
  standing,
  by: null,
  isShared: false,
});

const token = (fields: Partial<Credentials>): Credentials => ({
  tokenId: "5",
  appId: "6",
  scopes: ["read", "write"],
  revoked: false,
  sessionId: null,
  expiresAt: null,
  viewer: viewer("active"),
  ...fields,
});

const STANDINGS: Standing[] = ["unconfirmed", "unapproved", "disabled", "moved", "suspended"];

const TOKENS: Record<string, Credentials> = {
  good: token({}),
  revoked: token({ revoked: true }),
  app: token({ viewer: null }),
  unscoped: token({ scopes: ["push"] }),
  ...Object.fromEntries(STANDINGS.map((name) => [name, token({ viewer: viewer(name) })])),
};

const routes = (server: Server): void => {
  const show = async (request: Parameters<typeof viewerId>[0]) => ({ viewer: viewerId(request) });
  server.get("/user", { config: user("read:statuses") }, async (request) => ({
    viewer: viewerOf(request).accountId,
  }));
  server.get("/open", { config: open("read:statuses") }, show);
  server.get("/open/unscoped", { config: open() }, show);
  server.get("/app", { config: anyToken() }, show);
  server.get("/none", show);
  server.get("/none/wants", async (request) => ({ viewer: viewerOf(request).accountId }));
  server.post("/user", { config: user("write:statuses") }, show);
};

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes, { tokens: TOKENS });
});
after(() => server.close());

const get = (path: string, name?: string) =>
  server.call("GET", path, name ? { headers: { authorization: `Bearer ${name}` } } : {});

/** The columns of auth_matrix, each with its tokens. */
const COLUMNS: Record<string, (string | undefined)[]> = {
  "no token": [undefined],
  "unknown token": ["never-seen"],
  "revoked or expired token": ["revoked"],
  "app token": ["app"],
  "scope missing": ["unscoped"],
  "user unconfirmed, unapproved, disabled or moved away": STANDINGS.slice(0, 4),
  "user suspended": ["suspended"],
};

const ROWS: Record<string, string> = {
  "user rows": "/user",
  "public rows with scopes": "/open",
  "public rows without scopes": "/open/unscoped",
  "instance, peers, rules, extended_description": "/none",
  "apps/verify_credentials": "/app",
};

const contract = new URL("../../../test/contract/errors.json", import.meta.url);
const { auth_matrix: matrix } = JSON.parse(readFileSync(contract, "utf8"));

for (const [row, path] of Object.entries(ROWS)) {
  test(`auth_matrix: ${row}`, async () => {
    for (const [index, column] of (matrix.columns as string[]).entries()) {
      const expected = matrix[row][index] === "ok" ? 200 : matrix[row][index];
      assert.ok(COLUMNS[column], `${column} is not known here`);
      for (const name of COLUMNS[column]) {
        const answer = await get(path, name);
        assert.equal(answer.status, expected, `${column}: ${name}`);
        if (expected !== 200) assert.equal(typeof answer.json.error, "string");
      }
    }
  });
}

test("the handler knows the person, on public routes only with a valid token", async () => {
  assert.deepEqual((await get("/user", "good")).json, { viewer: "10" });
  assert.deepEqual((await get("/open", "good")).json, { viewer: "10" });
  assert.deepEqual((await get("/open", "never-seen")).json, { viewer: null });
  assert.deepEqual((await get("/open", "app")).json, { viewer: null });
  assert.deepEqual((await get("/open/unscoped", "revoked")).json, { viewer: null });
  assert.deepEqual((await get("/none", "good")).json, { viewer: null });
  assert.equal((await get("/none/wants", "good")).status, 401);
});

test("a 401 says what is wrong with the token", async () => {
  const unknown = await get("/user");
  assert.deepEqual(unknown.json, { error: "The access token is invalid" });
  assert.match(unknown.headers["www-authenticate"]!, /^Bearer realm=".+", error="invalid_token"/);
  const revoked = await get("/user", "revoked");
  assert.deepEqual(revoked.json, { error: "The access token was revoked" });
  assert.match(revoked.headers["www-authenticate"]!, /error_description=".*revoked"$/);
});

test("each standing has its own error", async () => {
  const text = async (name: string) => (await get("/user", name)).json.error;
  assert.match(await text("unconfirmed"), /confirmed e-mail/);
  assert.match(await text("unapproved"), /pending approval/);
  for (const name of ["disabled", "moved", "suspended"]) assert.match(await text(name), /disabled/);
});

test("the token is found in the header, in any case, or in the query; the header wins", async () => {
  const status = async (path: string, authorization?: string) =>
    (await server.call("GET", path, authorization ? { headers: { authorization } } : {})).status;
  for (const header of ["Bearer good", "bearer good", "BEARER   good", "Bearer\tgood "]) {
    assert.equal(await status("/user", header), 200, header);
  }
  for (const header of [
    "Bearer",
    "Bearer ",
    "good",
    "Basic good",
    "Bearer good more",
    "Bearergood",
  ]) {
    assert.equal(await status("/user", header), 401, header);
  }
  assert.equal(await status("/user?access_token=good"), 200);
  assert.equal(await status("/user?access_token=never-seen"), 401);
  assert.equal(await status("/user?access_token="), 401);
  assert.equal(await status("/user?access_token[]=good"), 401);
  assert.equal(await status("/user?access_token=good&access_token=good"), 401);
  assert.equal(await status("/user?access_token=%00"), 401);
  assert.equal(await status("/user?access_token=good", "Bearer never-seen"), 401);
  assert.equal(await status("/user?access_token=never-seen", "Bearer good"), 200);
});

test("the token may be in the body, where neither the header nor the query has one", async () => {
  const asForm = "application/x-www-form-urlencoded";
  const send = async (body: string, type: string, path = "/user", more = {}) =>
    (await server.call("POST", path, { body, headers: { "content-type": type, ...more } })).status;
  assert.equal(await send("status=x&access_token=good", asForm), 200);
  assert.equal(await send("access_token=never-seen", asForm), 401);
  assert.equal(await send("access_token=unscoped", asForm), 403);
  assert.equal(await send("access_token[]=good", asForm), 401);
  assert.equal(await send("access_token=", asForm), 401);
  assert.equal(await send('{"access_token":"good"}', "application/json; charset=utf-8"), 200);
  assert.equal(await send('{"access_token":["good"]}', "application/json"), 401);
  assert.equal(await send("[]", "application/json"), 401);
  assert.equal(await send("null", "application/json"), 401);
  const part = "Content-Disposition: form-data; name=";
  const parts = `--x\r\n${part}"access_token"\r\n\r\ngood\r\n--x--\r\n`;
  assert.equal(await send(parts, "multipart/form-data; boundary=x"), 200);
  assert.equal(await send("access_token=good", "text/plain"), 401);
  const header = { authorization: "Bearer never-seen" };
  assert.equal(await send("access_token=good", asForm, "/user", header), 401);
  assert.equal(await send("access_token=good", asForm, "/user?access_token=never-seen"), 401);
});

test("the token may be in a body that arrives in chunks, whose length is not known before", async () => {
  const send = async (body: string, type: string) =>
    (
      await server.call("POST", "/user", {
        body,
        headers: { "content-type": type, "transfer-encoding": "chunked" },
      })
    ).status;
  const asForm = "application/x-www-form-urlencoded";
  assert.equal(await send("status=x&access_token=good", asForm), 200);
  assert.equal(await send("access_token=never-seen", asForm), 401);
  assert.equal(await send('{"access_token":"good"}', "application/json"), 200);
  const part = "--x\r\nContent-Disposition: form-data; name=";
  const token = `${part}"access_token"\r\n\r\ngood\r\n--x--\r\n`;
  const multipart = "multipart/form-data; boundary=x";
  assert.equal(await send(token, multipart), 200);
  // Without a token before it, no more is read than of a body that says its length.
  const file = `${part}"file"; filename="a"\r\n\r\n${"x".repeat(1024 * 1024)}\r\n`;
  const answer = await send(file + token, multipart).catch(() => 413);
  assert.equal(answer, 413);
});

test("names of Object.prototype are not tokens", async () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.equal((await get("/user", name)).status >= 400, true, name);
  }
});

test("a refused request is refused before its body is read", async () => {
  const body = "x".repeat(3 * 1024 * 1024);
  const headers = { "content-type": "application/json" };
  const answer = await server.call("POST", "/user", { body, headers }).catch(() => null);
  if (answer) assert.equal(answer.status, 401); // or the connection was closed while sending
});

test("answers that depend on the person are never cached by others", async () => {
  for (const [path, name] of [
    ["/user", "good"],
    ["/open", undefined],
  ] as const) {
    const { headers } = await get(path, name);
    assert.equal(headers["cache-control"], "private, no-store");
    assert.equal(headers["vary"], "Authorization, Origin");
  }
  assert.equal((await get("/user")).headers["cache-control"], "private, no-store");
});

test("scopes: the whole covers its parts, follow its six, never the other way", () => {
  const table: [granted: string, wanted: string, covered: boolean][] = [
    ["read", "read:statuses", true],
    ["read", "read", true],
    ["read:statuses", "read:statuses", true],
    ["read:statuses", "read", false],
    ["read:statuses", "read:accounts", false],
    ["read", "write:statuses", false],
    ["write", "write:media", true],
    ["read", "readx:statuses", false],
    ["rea", "read:statuses", false],
    ["", "read:statuses", false],
    ["", "push", false],
    ["", "profile", false],
    ["push", "push", true],
    ["push", "read", false],
    ["profile", "read:accounts", false],
    ["read", "profile", false],
    ["admin:read", "admin:read:accounts", true],
    ["admin:write", "admin:read:accounts", false],
    ["admin:read:accounts", "admin:read", false],
    ["read", "admin:read", false],
    ["read", "admin:read:accounts", false],
    ["follow", "read:blocks", true],
    ["follow", "read:follows", true],
    ["follow", "read:mutes", true],
    ["follow", "write:blocks", true],
    ["follow", "write:follows", true],
    ["follow", "write:mutes", true],
    ["follow", "read:statuses", false],
    ["follow", "read", false],
    ["follow", "follow", true],
    ["read write", "follow", true],
    ["read", "follow", false],
    ["write", "follow", false],
    ["read:follows write:follows", "follow", false],
  ];
  for (const [granted, scope, covered] of table) {
    assert.equal(covers(granted.split(" "), scope), covered, `${granted} for ${scope}`);
  }
});
