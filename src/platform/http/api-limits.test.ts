// Rate limits of the API over real HTTP: what counts against which limit, headers, answers over a limit.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { nextNoon } from "../../../test/clocks/noon.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { API_LIMITS } from "../../rate-limits.ts";

let t: TestApp;
let alice: Person;
const MINUTE = 60_000;
/** Not at the edge of a window. */
let now = new Date(nextNoon().getTime() + MINUTE);

before(async () => {
  t = await startTestApp({ clock: { now: () => now }, env: { RATE_LIMITS: "true" } });
  alice = await t.person("alice");
});
after(() => t.close());
// Each test has time windows of its own.
beforeEach(() => void (now = new Date(now.getTime() + 24 * 60 * MINUTE)));

const VERIFY = "/api/v1/accounts/verify_credentials";
const from = (ip: string) => ({ headers: { "x-forwarded-for": ip } });

const times = async (count: number, ask: () => Promise<{ status: number }>) => {
  const statuses = new Map<number, number>();
  for (let done = 0; done < count; done += 20) {
    const batch = Array.from({ length: Math.min(20, count - done) }, ask);
    for (const { status } of await Promise.all(batch)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  return Object.fromEntries(statuses);
};

const headersOf = ({ headers }: { headers: Headers }) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

test("every answer of the API has headers with the tightest limit", async () => {
  const first = await alice.get(VERIFY);
  const reset = new Date(Math.ceil(now.getTime() / (5 * MINUTE)) * 5 * MINUTE).toISOString();
  assert.deepEqual(headersOf(first), ["300", "299", reset]);
  const second = await alice.get(VERIFY);
  assert.deepEqual(headersOf(second), ["300", "298", reset]);
  // Refused and unknown requests count too.
  const refused = await t.request("GET", VERIFY, from("203.0.113.1"));
  assert.equal(refused.status, 401);
  assert.deepEqual(headersOf(refused), ["300", "299", reset]);
  const unknown = await t.request("GET", "/api/v1/nothing/there", from("203.0.113.1"));
  assert.deepEqual([unknown.status, ...headersOf(unknown)], [404, "300", "298", reset]);
  const exposed = first.headers.get("access-control-expose-headers") ?? "";
  for (const name of ["Link", "X-RateLimit-Limit", "X-RateLimit-Reset", "Mastodon-Async-Refresh"]) {
    assert.match(exposed, new RegExp(`\\b${name}\\b`));
  }
});

test("pages, documents for peers and the inbox are not counted", async () => {
  for (const path of ["/about", "/users/alice", "/.well-known/nodeinfo", "/auth/sign_in"]) {
    const answer = await t.request("GET", path, from("203.0.113.1"));
    assert.equal(answer.headers.get("x-ratelimit-limit"), null, path);
  }
});

test("300 in five minutes without login, by address; the next window starts at zero", async () => {
  const headers = { ...from("203.0.113.2").headers, "accept-language": "*" };
  const ask = () => t.request("GET", "/api/v1/instance", { headers });
  assert.deepEqual(await times(302, ask), { 200: 300, 429: 2 });
  const over = await ask();
  assert.deepEqual(over.json, { error: "Too many requests" });
  assert.equal(over.headers.get("x-ratelimit-remaining"), "0");
  assert.ok(Date.parse(over.headers.get("x-ratelimit-reset")!) > now.getTime());
  assert.equal(over.headers.get("access-control-allow-origin"), "*");
  assert.equal((await t.request("GET", "/api/v1/instance", from("203.0.113.3"))).status, 200);
  // A person who is signed in at the same address is not affected.
  const signedIn = { ...from("203.0.113.2"), token: alice.token };
  assert.equal((await t.request("GET", VERIFY, signedIn)).status, 200);
  now = new Date(now.getTime() + 5 * MINUTE);
  assert.equal((await ask()).status, 200);
});

test("forged headers are ignored: the address is the one that the proxy saw", async () => {
  let n = 0;
  const ask = () => {
    n += 1;
    return t.request("GET", "/api/v1/instance", from(`198.51.100.${n % 250}, 203.0.113.4`));
  };
  assert.deepEqual(await times(301, ask), { 200: 300, 429: 1 });
});

test("300 by token, 1,500 by account over all its tokens", async () => {
  const bob = await t.person("bob");
  const tokens = [bob.token];
  for (let n = 0; n < 5; n += 1) tokens.push(await t.token(bob.userId, ["read"]));
  const ask = (token: string) => () => t.as(token).get(VERIFY);
  for (const token of tokens.slice(0, 5)) {
    assert.deepEqual(await times(300, ask(token)), { 200: 300 });
  }
  const sixth = await ask(tokens[5]!)();
  assert.equal(sixth.status, 429);
  assert.equal(sixth.headers.get("x-ratelimit-limit"), "1500");
  await ask(alice.token)().ok();
});

test("30 deletes in half an hour, and undoing a boost counts as one", async () => {
  const carol = await t.person("carol");
  const path = (n: number) => (n % 2 ? "/api/v1/statuses/1" : "/api/v1/statuses/1/unreblog");
  let n = 0;
  const ask = () => {
    n += 1;
    return carol.send(n % 2 ? "DELETE" : "POST", path(n));
  };
  const first = await ask();
  assert.deepEqual(headersOf(first).slice(0, 2), ["30", "29"]);
  assert.deepEqual(await times(30, ask), { 404: 29, 429: 1 });
  // The limit belongs to the account: another token does not help; other requests still work.
  const other = await t.token(carol.userId, ["write", "read"]);
  const again = await t.as(other).delete("/api/v1/statuses/1");
  assert.equal(again.status, 429);
  await t.as(other).get(VERIFY).ok();
  now = new Date(now.getTime() + 30 * MINUTE);
  assert.equal((await ask()).status, 404);
});

test("300 further pages in a quarter of an hour without login", async () => {
  const ask = (query: string) =>
    t.request("GET", `/api/v1/timelines/public?limit=1&${query}`, from("203.0.113.5"));
  now = new Date(Math.ceil(now.getTime() / (15 * MINUTE)) * 15 * MINUTE);
  assert.deepEqual(await times(200, () => ask("max_id=1")), { 200: 200 });
  now = new Date(now.getTime() + 5 * MINUTE);
  assert.deepEqual(await times(101, () => ask("min_id=1")), { 200: 100, 429: 1 });
  assert.equal((await ask("")).status, 200);
});

test("apps and sign-ups show their own limit", async () => {
  const json = { client_name: "A", redirect_uris: "a:/b" };
  const answer = await t.request("POST", "/api/v1/apps", { json, ...from("203.0.113.6") });
  assert.deepEqual(headersOf(answer).slice(0, 2), ["5", "4"]);
});

test("the requests whose limits the contract names have them", async () => {
  const { default: limits } = await import("../../../test/contract/limits.json", {
    with: { type: "json" },
  });
  const routes = await listRoutes(t.app);
  const counted = limits.rate_limits.rules.flatMap(({ key, scope, count, seconds }) =>
    key === "account" && !scope.includes("emails")
      ? [...scope.matchAll(/(POST|DELETE) ([^,]+)/g)].map(([, method, path]) => {
          const url = path!.replace(/\{(\w+)\}/g, ":$1");
          const route = routes.find((each) => each.method === method && each.url === url);
          assert.ok(route?.limit, scope);
          const limit = API_LIMITS.routes[route.limit];
          assert.deepEqual([limit.count, limit.seconds], [count, seconds], scope);
          return route.limit;
        })
      : [],
  );
  assert.deepEqual(counted, ["media", "media", "delete", "delete"]);
});

test("RATE_LIMITS=false: the API is not counted, apps neither; sign-in, sign-up and mails are", async () => {
  const free = await startTestApp({ clock: { now: () => now } });
  const answer = await free.visitor.get("/api/v1/instance");
  assert.equal(answer.headers.get("x-ratelimit-limit"), null);
  const app = { client_name: "A", redirect_uris: "a:/b" };
  const register = () => free.visitor.post("/api/v1/apps", app);
  assert.deepEqual(await times(20, register), { 200: 20 });
  const waiting = async (name: string) => {
    const { token } = await free.person(name, { confirmed: false });
    const resend = () => free.as(token).post("/api/v1/emails/confirmations");
    return (await times(6, resend))[200] ?? 0;
  };
  const sent: number[] = [];
  for (const name of ["una", "vera", "willa", "xenia", "yara", "zoe"])
    sent.push(await waiting(name));
  assert.deepEqual(sent, [5, 5, 5, 5, 1, 0], "5 mails to one person, 25 attempts from one address");
  await free.close();
});
