// The guarded client against a real server on loopback; only DNS is fake.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Lookup } from "./connect.ts";
import { FetchFailed, FetchRefused } from "./errors.ts";
import { createFetch, type FetchSettings } from "./index.ts";
import { createNames } from "./names.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
let seen: Seen[] = [];
let origin = "";
let port = 0;

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/hello": (_, response) => response.setHeader("x-a", ["1", "2"]).end("hello"),
  "/missing": (_, response) => response.writeHead(410).end("x".repeat(200_000)),
  "/long": (_, response) => response.end("x".repeat(100_000)),
  "/endless": (_, response) => {
    // A flood without pauses would let neither side's timers run in time, since both are in this process.
    const timer = setInterval(() => response.write("x".repeat(100_000)), 1);
    response.on("close", () => clearInterval(timer));
  },
  "/drip": (_, response) => {
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  },
  "/silent": () => {},
  "/fine": (_, response) => {
    response.writeHead(200).flushHeaders();
    response.socket!.write(`${"1\r\nx\r\n".repeat(60_000)}0\r\n\r\n`);
  },
  "/gzip": (_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(1e6))),
  "/loop": (_, response) => response.writeHead(302, { location: "/loop" }).end(),
  "/once": (_, response) => response.writeHead(301, { location: "/hello" }).end("moved"),
  "/keep": (_, response) => response.writeHead(308, { location: "/hello" }).end(),
  "/other": (_, response) =>
    response.writeHead(302, { location: `http://two.test:${port}/hello` }).end(),
  "/private": (_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  "/rebound": (_, response) => response.writeHead(302, { location: "http://inside.test/" }).end(),
  "/decimal": (_, response) =>
    response.writeHead(302, { location: `//2130706433:${port}/hello` }).end(),
};

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, headers, body });
  const route = routes[url];
  if (route) route(request, response);
  else response.writeHead(404).end();
});

const NAMES: Record<string, string[]> = {
  "one.test": ["127.0.0.1"],
  "two.test": ["127.0.0.1"],
  "inside.test": ["10.0.0.1"],
  "mixed.test": ["127.0.0.1", "10.0.0.1"],
  "public.test": ["203.0.113.7"],
  "six.test": ["::1"],
  "nowhere.test": [],
};
let questions: string[] = [];
const lookup: Lookup = async (name) => {
  questions.push(name);
  const addresses = NAMES[name];
  if (!addresses) throw new Error(`ENOTFOUND ${name}`);
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

const make = (settings: Partial<FetchSettings> = {}) =>
  createFetch({
    allowedPrivateAddresses: ["127.0.0.0/8"],
    userAgent: "Rookery test",
    allowHttp: true,
    timeoutMs: 2000,
    lookup,
    ...settings,
  });
const client = make();

before(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
  origin = `http://one.test:${port}`;
});
after(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const reset = () => {
  seen = [];
  questions = [];
};
const refused = (reason: string) => (error: unknown) =>
  error instanceof FetchRefused && error.reason === reason;
const failed = (reason: string) => (error: unknown) =>
  error instanceof FetchFailed && error.reason === reason;

test("a GET answers with status, headers, body and final address", async () => {
  reset();
  const answer = await client.request(`${origin}/hello`, { headers: { Accept: "text/plain" } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["x-a"], "1, 2");
  assert.equal(answer.url, `${origin}/hello`);
  assert.equal(answer.body.toString(), "hello");
  const { headers } = seen[0]!;
  assert.equal(headers["user-agent"], "Rookery test");
  assert.equal(headers["accept-encoding"], "identity");
  assert.equal(headers["accept"], "text/plain");
  assert.equal(headers["host"], `one.test:${port}`);
});

test("a bounded number of connections is kept, however many origins there are", async () => {
  const sockets = new Set<Socket>();
  let opened = 0;
  const hint = createServer((_, response) =>
    response.setHeader("keep-alive", "timeout=600").end("x"),
  );
  hint.on("connection", (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done) => hint.listen(0, "127.0.0.1", done));
  const to = (n: number) => `http://n${n}.test:${(hint.address() as AddressInfo).port}/`;
  const bounded = make({ lookup: async () => [{ address: "127.0.0.1", family: 4 }], maxKept: 3 });
  for (let n = 0; n < 12; n++) assert.equal((await bounded.request(to(n))).status, 200);
  for (let tries = 0; tries < 500 && sockets.size > 3; tries++) await sleep(10);
  assert.equal(sockets.size, 3);
  assert.equal(opened, 12);
  // The first ones are still there for the next request.
  await bounded.request(to(0));
  await bounded.request(to(2));
  assert.equal(opened, 12);
  await bounded.close();
  hint.closeAllConnections();
  hint.close();
});

test("a POST sends its body; the caller cannot set Host", async () => {
  reset();
  const headers = { "Content-Type": "application/json", Host: "evil.test" };
  await client.request(`${origin}/hello`, { method: "POST", headers, body: "{}" });
  assert.equal(seen[0]!.body, "{}");
  assert.equal(seen[0]!.headers["content-type"], "application/json");
  assert.equal(seen[0]!.headers["host"], `one.test:${port}`);
});

test("HEAD has no body, whatever its length says", async () => {
  const answer = await client.request(`${origin}/long`, { method: "HEAD", maxBytes: 10 });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.length, 0);
});

test("literal addresses are reached when they are listed", async () => {
  const answer = await client.request(`http://127.0.0.1:${port}/hello`);
  assert.equal(answer.body.toString(), "hello");
});

test("a body over the cap is cut while it is read", async () => {
  const cap = { maxBytes: 50_000 };
  await assert.rejects(client.request(`${origin}/long`, cap), failed("too_large"));
  await assert.rejects(client.request(`${origin}/endless`, cap), failed("too_large"));
  const whole = await client.request(`${origin}/long`, { maxBytes: 100_000 });
  assert.equal(whole.body.length, 100_000);
});

test("an open answer arrives as it is read, and fails over the cap and the time", async () => {
  const read = async (path: string, options = {}) => {
    const limits = { maxBytes: 200_000, bodyMs: 2000, ...options };
    const { status, body } = await client.open(`${origin}${path}`, limits);
    return { status, length: (await buffer(body)).length };
  };
  assert.deepEqual(await read("/long"), { status: 200, length: 100_000 });
  assert.deepEqual(await read("/missing"), { status: 410, length: 200_000 });
  await assert.rejects(read("/long", { maxBytes: 50_000 }), failed("too_large"));
  await assert.rejects(read("/endless"), failed("too_large"));
  await assert.rejects(read("/drip", { bodyMs: 100 }), failed("timeout"));
  await assert.rejects(read("/silent", { timeoutMs: 100 }), failed("timeout"));
  await assert.rejects(read("/gzip"), failed("encoding"));
  await assert.rejects(read("/private"), refused("address"));
});

test("a large error page does not hide its status", async () => {
  const answer = await client.request(`${origin}/missing`, { maxBytes: 1000 });
  assert.equal(answer.status, 410);
  assert.equal(answer.body.length, 1000);
});

/** Milliseconds that are far above the limits of these requests, and below that of their client. */
const LATE_MS = 10_000;

/** Both timers are this process's, so that the order in which they end is the same on a slow machine. */
const endsEarly = async (request: Promise<unknown>): Promise<void> => {
  const timer = new AbortController();
  const late = sleep(LATE_MS, "late", timer);
  await assert.rejects(Promise.race([request, late]), failed("timeout"));
  timer.abort();
  await late.catch(() => {});
};

for (const path of ["/drip", "/silent", "/endless"]) {
  test(`${path} ends at the total time limit`, async () => {
    const patient = make({ timeoutMs: 60_000 });
    const options = { timeoutMs: 200, maxBytes: 1e12 };
    await endsEarly(patient.request(`${origin}${path}`, options));
    await patient.close();
  });
}

test("a resolver that never answers ends at the time limit", async () => {
  const slow = make({ timeoutMs: 60_000, lookup: () => new Promise(() => {}) });
  await endsEarly(slow.request(`${origin}/hello`, { timeoutMs: 100 }));
  await slow.close();
});

test("a request that is over its limit is not sent when the connection comes late", async () => {
  reset();
  let answered = () => {};
  const answering = new Promise<void>((done) => (answered = done));
  const late = make({ lookup: () => answering.then(() => lookup("one.test")) });
  const post = { method: "POST", body: "x", timeoutMs: 50 };
  await assert.rejects(late.request(`${origin}/hello`, post), failed("timeout"));
  answered();
  assert.equal((await late.request(`${origin}/hello`)).status, 200);
  await late.close();
  assert.deepEqual(
    seen.map(({ method }) => method),
    ["GET"],
  );
});

test("the caller's signal ends a request", async () => {
  const controller = new AbortController();
  const pending = client.request(`${origin}/silent`, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(pending, failed("aborted"));
  const signal = AbortSignal.abort();
  await assert.rejects(client.request(`${origin}/hello`, { signal }), failed("aborted"));
});

test("a packed answer is a failure: the cap would not hold", async () => {
  await assert.rejects(client.request(`${origin}/gzip`), failed("encoding"));
});

test("names are refused by their addresses; one bad among several refuses all", async () => {
  reset();
  for (const name of ["inside.test", "mixed.test", "public.test", "six.test"]) {
    await assert.rejects(client.request(`http://${name}:${port}/hello`), refused("address"), name);
  }
  assert.deepEqual(seen, []);
});

test("localhost is a name like any other", async () => {
  const { lookup: own } = createNames({ maxBytes: 10_000 });
  const strict = make({ allowedPrivateAddresses: [], lookup: own });
  for (const name of ["localhost", "a.localhost"]) {
    const outcome = strict.request(`http://${name}:${port}/hello`);
    await assert.rejects(outcome, (error) => refused("address")(error) || failed("network")(error));
  }
  await assert.rejects(strict.request(`https://localhost:${port}/`), refused("address"));
  await strict.close();
});

test("unlisted loopback is refused, as a literal and as a name, before a connection", async () => {
  reset();
  const strict = make({ allowedPrivateAddresses: [] });
  await assert.rejects(strict.request(`http://127.0.0.1:${port}/hello`), refused("address"));
  await assert.rejects(strict.request(`http://one.test:${port}/hello`), refused("address"));
  await assert.rejects(strict.request(`https://one.test:${port}/hello`), refused("address"));
  assert.deepEqual(seen, []);
  await strict.close();
});

test("without allowHttp plain http goes to listed addresses only", async () => {
  reset();
  const none = make({ allowHttp: false, allowedPrivateAddresses: [] });
  await assert.rejects(none.request(`http://one.test:${port}/hello`), refused("scheme"));
  assert.deepEqual(questions, []);
  await none.close();
  const some = make({
    allowHttp: false,
    lookup: async (name) => [{ address: name === "one.test" ? "127.0.0.1" : "8.8.8.8", family: 4 }],
  });
  assert.equal((await some.request(`${origin}/hello`)).status, 200);
  await assert.rejects(some.request("http://far.test/"), refused("scheme"));
  await some.close();
});

test("the address that was checked is the one connected to", async () => {
  const answers = ["127.0.0.1", "10.0.0.1"];
  const rebinding = make({ lookup: async () => [{ address: answers.shift()!, family: 4 }] });
  const first = await rebinding.request(`${origin}/hello`, { headers: { connection: "close" } });
  assert.equal(first.status, 200);
  assert.deepEqual(answers, ["10.0.0.1"]);
  await assert.rejects(rebinding.request(`http://x.test:${port}/hello`), refused("address"));
  await rebinding.close();
});

test("connections are reused without another lookup", async () => {
  reset();
  const fresh = make();
  for (let i = 0; i < 5; i++) await fresh.request(`${origin}/hello`);
  // A pool may open a second connection while the first is still finishing its response.
  assert.ok(questions.length <= 2, `${questions.length} lookups`);
  await fresh.close();
});

test("headers can wait for the name: nothing is signed for a host without an address", async () => {
  let number = 0;
  const headersFor = () => {
    number += 1;
    return {};
  };
  const options = { headersFor, lookUpFirst: true };
  for (const name of ["unknown.test", "nowhere.test"]) {
    await assert.rejects(client.request(`http://${name}/`, options), failed("network"));
  }
  assert.equal(number, 0);
  assert.equal((await client.request(`${origin}/hello`, options)).status, 200);
  assert.equal((await client.request(`http://127.0.0.1:${port}/hello`, options)).status, 200);
  assert.equal(number, 2);
  await assert.rejects(client.request("http://inside.test/", options), refused("address"));
});

test("unknown names and closed ports are failures of the network", async () => {
  await assert.rejects(client.request("http://unknown.test/"), failed("network"));
  await assert.rejects(client.request("http://nowhere.test/"), failed("network"));
  await assert.rejects(client.request("http://one.test:1/"), failed("network"));
});

test("a GET follows redirects and says where it ended", async () => {
  const answer = await client.request(`${origin}/once`);
  assert.equal(answer.url, `${origin}/hello`);
  assert.equal(answer.body.toString(), "hello");
});

test("redirects into our network and odd ones are refused", async () => {
  reset();
  await assert.rejects(client.request(`${origin}/private`), refused("address"));
  await assert.rejects(client.request(`${origin}/rebound`), refused("address"));
  await assert.rejects(client.request(`${origin}/decimal`), refused("host"));
  assert.deepEqual(
    seen.map(({ url }) => url),
    ["/private", "/rebound", "/decimal"],
  );
});

test("redirects have a limit", async () => {
  reset();
  await assert.rejects(client.request(`${origin}/loop`), failed("redirects"));
  assert.equal(seen.length, 4);
  reset();
  await assert.rejects(client.request(`${origin}/loop`, { redirect: 1 }), failed("redirects"));
  assert.equal(seen.length, 2);
});

test("a POST is not redirected unless asked, nor a GET with 0", async () => {
  reset();
  const post = { method: "POST", body: "x" };
  assert.equal((await client.request(`${origin}/keep`, post)).status, 308);
  assert.equal((await client.request(`${origin}/once`, { redirect: 0 })).status, 301);
  assert.equal(seen.length, 2);
  assert.equal((await client.request(`${origin}/keep`, { ...post, redirect: 1 })).status, 200);
  assert.deepEqual([seen[3]!.method, seen[3]!.body], ["POST", "x"]);
  assert.equal((await client.request(`${origin}/once`, { ...post, redirect: 1 })).status, 200);
  assert.deepEqual([seen[5]!.method, seen[5]!.body], ["GET", ""]);
});

test("headers are computed for each hop, and secrets are sent only to their origin", async () => {
  reset();
  const answer = await client.request(`${origin}/other`, {
    headers: { Authorization: "secret", "X-Kept": "yes" },
    headersFor: (url) => ({ Signature: url.href }),
  });
  assert.equal(answer.status, 200);
  assert.equal(seen[0]!.headers["authorization"], "secret");
  assert.equal(seen[0]!.headers["signature"], `${origin}/other`);
  assert.equal(seen[1]!.headers["authorization"], undefined);
  assert.equal(seen[1]!.headers["x-kept"], "yes");
  assert.equal(seen[1]!.headers["signature"], `http://two.test:${port}/hello`);
});

test("onRedirect sees each hop and can end the request", async () => {
  reset();
  const blocked = new Error("blocked");
  const outcome = client.request(`${origin}/other`, {
    onRedirect: (from, to) => {
      assert.equal(from.hostname, "one.test");
      if (to.hostname === "two.test") throw blocked;
    },
  });
  await assert.rejects(outcome, (error) => error === blocked);
  assert.equal(seen.length, 1);
});

test("a body in tiny pieces is given up before it is complete, wherever it goes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-fine-"));
  const fine = `${origin}/fine`;
  await assert.rejects(client.request(fine), failed("too_large"));
  await assert.rejects(client.request(fine, { toFile: join(folder, "x") }), failed("too_large"));
  const { body } = await client.open(fine, { bodyMs: 5000 });
  await assert.rejects(buffer(body), failed("too_large"));
  rmSync(folder, { recursive: true });
});
