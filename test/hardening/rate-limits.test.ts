// How many requests may come from an address or a host: to the inbox, of pages and of documents for peers.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it, mock } from "node:test";
import type { Rate } from "../../src/platform/buckets.ts";
import { takeRequest } from "../../src/platform/http/request-rates.ts";
import { API_LIMITS, INBOX_RATES } from "../../src/rate-limits.ts";
import { REFUSED_SOCKETS } from "../../src/roles/streaming.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, Person, TestApp } from "../harness.ts";
import { openStream } from "../stream-client.ts";
import { ICON_PATH } from "../../src/platform/http/icons.ts";

let t: TestApp;
let peer: FakePeer;
let other: FakePeer;
let bob: PeerActor;
let mallory: PeerActor;
let alice: Person;

before(async () => {
  // Its clock stands still, which the check of invalidation does not expect.
  t = await startTestApp({ checked: false, env: { RATE_LIMITS: "true" } });
  [peer, other] = await Promise.all([startPeer(), startPeer("127.0.0.2")]);
  bob = peer.actor("bob", 0);
  mallory = other.actor("mallory", 1);
  alice = await t.person("alice");
});
after(async () => {
  await t.runJobs();
  await t.close();
  await Promise.all([peer.close(), other.close()]);
});

// Nothing is refilled during a test, however slow the machine is.
beforeEach(() => {
  const now = performance.now();
  mock.method(performance, "now", () => now);
});
afterEach(() => mock.restoreAll());

const from = (ip: string, headers: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": ip, ...headers },
});
/** As a program: without a language of its own. */
const get = (path: string, ip: string): Promise<Answer> =>
  t.request("GET", path, from(ip, { "accept-language": "*" }));

/** Sends until one is refused, twenty at a time; how many were not. */
const untilRefused = async (most: number, ask: () => Promise<Answer>) => {
  for (let count = 0; count < most; count += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) return { count: count + answers.indexOf(refused), refused };
  }
  throw new Error(`none of ${most} was refused`);
};

/** Leaves nothing of a limit, without the time of so many requests. */
const drain = (what: string, rate: Rate, who: string): void => {
  try {
    for (let n = 0; n < 2 * rate.burst; n++) takeRequest(t.app, what, rate, who);
  } catch {}
};

const like = (by: PeerActor) => ({
  "@context": "https://www.w3.org/ns/activitystreams",
  id: `${by.uri}#likes/${Math.random()}`,
  type: "Like",
  actor: by.uri,
  object: `${t.url}/users/alice/statuses/1`,
});

describe("pages and documents for peers", () => {
  it("are limited by address, together, with the time to come again", async () => {
    const paths = ["/about", "/users/alice", "/.well-known/nodeinfo", "/@alice", "/nowhere"];
    let n = 0;
    const ask = () => get(paths[n++ % paths.length]!, "203.0.113.1");
    const { count, refused } = await untilRefused(3000, ask);
    assert.ok(count >= API_LIMITS.others.burst - 20, `refused after ${count}`);
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
    assert.deepEqual(refused.json, { error: "Too many requests" });
    const browser = from("203.0.113.1", { accept: "text/html" });
    drain("pages", API_LIMITS.others, "203.0.113.1");
    const page = await t.request("GET", "/about", browser);
    assert.equal(page.status, 429);
    assert.match(page.text, /Try again in a few minutes/);
  });

  it("of others are not affected, nor the API, probes and files", async () => {
    drain("pages", API_LIMITS.others, "203.0.113.2");
    assert.equal((await get("/users/alice", "203.0.113.2")).status, 429);
    assert.equal((await get("/users/alice", "203.0.113.3")).status, 200);
    for (const path of ["/api/v1/instance", "/health", ICON_PATH, "/favicon.ico"]) {
      assert.equal((await get(path, "203.0.113.2")).status, 200, path);
    }
    const inbox = await t.request("POST", "/inbox", { ...from("203.0.113.2"), json: {} });
    assert.equal(inbox.status, 401);
  });

  it("of a household (/64) count together", async () => {
    drain("pages", API_LIMITS.others, "2001:db8:1:2::/64");
    assert.equal((await get("/about", "2001:db8:1:2::77")).status, 429);
    assert.equal((await get("/about", "2001:db8:1:3::77")).status, 200);
  });
});

describe("sockets of streams", () => {
  const ask = (token: string, address: string) =>
    openStream(t.url, { query: { access_token: token }, headers: from(address).headers });

  it("are not asked for without end with tokens that are guessed", async () => {
    let guessed = 0;
    const isUnauthorized = async () => {
      const refused = await ask(`guess ${guessed}`, "203.0.113.5").catch(String);
      if (/401/.test(String(refused))) return true;
      assert.match(String(refused), /refused with 429/);
      return false;
    };
    while (await isUnauthorized()) assert.ok(++guessed < 2 * REFUSED_SOCKETS.burst);
    assert.ok(guessed >= REFUSED_SOCKETS.burst - 1, `refused after ${guessed}`);
    const { token } = await t.person("bob");
    const other = await ask(token, "203.0.113.6");
    other.socket.terminate();
  });

  it("of people with a good token are not counted", async () => {
    const { token } = await t.person("carol");
    for (let n = 0; n < REFUSED_SOCKETS.burst + 20; n++) {
      (await ask(token, "203.0.113.7")).socket.terminate();
    }
  });
});

describe("the inbox", () => {
  it("is limited by address before the signature is looked at", async () => {
    const ask = () => t.request("POST", "/inbox", { ...from("203.0.113.10"), json: {} });
    assert.equal((await ask()).status, 401);
    drain("inbox address", INBOX_RATES.address, "203.0.113.10");
    const { refused } = await untilRefused(400, ask);
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
    const elsewhere = await t.request("POST", "/inbox", { ...from("203.0.113.11"), json: {} });
    assert.equal(elsewhere.status, 401);
  });

  it("is limited by host of the key, which only that host can use up", async () => {
    const accepted = async (by: FakePeer, actor: PeerActor) =>
      (await by.post(`${t.url}/inbox`, actor, like(actor))).status;
    assert.equal(await accepted(peer, bob), 202);
    assert.equal(await accepted(other, mallory), 202);
    // Forged signatures in the name of a host count for the address alone.
    const forged = await peer.post(`${t.url}/inbox`, bob, {}, { signedBody: "{}", rawBody: "{ }" });
    assert.equal(forged.status, 401);
    drain("inbox host", INBOX_RATES.host, new URL(bob.uri).host);
    const statuses = new Set<number>();
    for (let n = 0; n < 3; n++) {
      drain("inbox host", INBOX_RATES.host, new URL(bob.uri).host);
      statuses.add(await accepted(peer, bob));
    }
    assert.ok(statuses.has(429), [...statuses].join());
    assert.equal(await accepted(other, mallory), 202);
  });

  it("takes what a large server sends: 50 activities a second from one address", () => {
    for (const rate of Object.values(INBOX_RATES)) assert.ok(rate.perMinute >= 50 * 60);
  });
});

describe("the limits themselves", () => {
  it("take a bounded memory, however many addresses there are", () => {
    for (let n = 0; n < 100_000; n++) takeRequest(t.app, "pages", API_LIMITS.others, `a${n}`);
    const { bytes, maxBytes } = t.app.caches
      .figures()
      .find((figure) => figure.name === "request rates")!;
    assert.ok(bytes > 0 && bytes <= maxBytes, `${bytes} of ${maxBytes}`);
  });

  it("are off with RATE_LIMITS=false", async () => {
    const free = await startTestApp();
    const ask = () => free.request("GET", "/.well-known/nodeinfo", from("203.0.113.1"));
    await assert.rejects(
      untilRefused(API_LIMITS.others.burst + 200, ask),
      /none of 800 was refused/,
    );
    for (let n = 0; n < 9000; n++) takeRequest(free.app, "inbox host", INBOX_RATES.host, "a");
    await free.close();
  });

  it("do not hold up who is signed in at the API", async () => {
    drain("pages", API_LIMITS.others, "203.0.113.30");
    const options = { ...from("203.0.113.30"), token: alice.token };
    const path = "/api/v1/accounts/verify_credentials";
    assert.equal((await t.request("GET", path, options)).status, 200);
  });
});
