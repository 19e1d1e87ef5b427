// Outbound requests: which requests remote servers and local people can cause, through search, keys, WebFinger,
// boosts, replies and redirects.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Lookup } from "../../src/platform/fetch/connect.ts";
import { createFetch } from "../../src/platform/fetch/index.ts";
import { ascii, maze } from "./maze.ts";
import { startRaw } from "./raw.ts";
import type { RawServer } from "./raw.ts";
import { PUBLIC, requestsOf, startStage, unchanged } from "./stage.ts";
import type { Stage } from "./stage.ts";

const TIMEOUT_MS = 1500;

let stage: Stage;
/** An address that may be requested. */
let raw: RawServer;
/** An address that must not be requested. */
let victim: RawServer;
let names: Record<string, string[]> = {};
let looked: string[] = [];

const lookup: Lookup = async (name) => {
  looked.push(name);
  const [first = [], ...later] = [names[name] ?? []];
  assert.equal(later.length, 0);
  return first.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

before(async () => {
  stage = await startStage();
  raw = await startRaw(maze);
  victim = await startRaw(maze, "127.0.0.9");
  const { app } = stage.server;
  await app.fetch.close();
  app.fetch = createFetch({
    allowedPrivateAddresses: ["127.0.0.1", "127.0.0.2", "127.0.0.5"],
    allowHttp: true,
    userAgent: "test",
    lookup,
    timeoutMs: TIMEOUT_MS,
  });
});
beforeEach(() => {
  raw.paths.length = 0;
  looked = [];
});
after(async () => {
  await Promise.all([raw.close(), victim.close()]);
  await stage.close();
});

const LITERALS = [
  "127.0.0.9",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "0.0.0.0",
  "192.0.0.1",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "[::1]",
  "[::]",
  "[fc00::1]",
  "[fd12::1]",
  "[fe80::1]",
  "[ff02::1]",
  "[::ffff:127.0.0.9]",
  "[::ffff:7f00:9]",
  "[::127.0.0.9]",
  "[64:ff9b::7f00:9]",
  "[64:ff9b:1::7f00:9]",
  "[2002:7f00:9::]",
  "[2001::1]",
  "[2001:db8::1]",
  "[100::1]",
  "[fec0::1]",
];
const DISGUISED = [
  "2130706441",
  "0x7f000009",
  "0177.0.0.9",
  "0x7f.9",
  "127.9",
  "127.0.9",
  "127.0.0.9.",
  "①②⑦.0.0.9",
  "127。0。0。9",
  "%31%32%37.0.0.9",
  "user@127.0.0.9",
  "127.0.0.1:80@127.0.0.9",
  "user:pass@[::1]",
];

const victimPort = () => `:${new URL(victim.origin).port}`;

/** Tries every way to make the server fetch a given host. None may reach it. */
const tryHost = async (host: string, port: string): Promise<void> => {
  const origin = `http://${host}${port}`;
  for (const q of [`${origin}/n/1`, `x@${host}${port}`, `${raw.origin}/to/${origin}/n/1`]) {
    const results = await stage.resolve(q);
    assert.deepEqual([results.accounts, results.statuses], [[], []], q);
  }
  const keyId = ascii(`${origin}/u/x#main-key`);
  const follow = { type: "Follow", actor: `${origin}/u/x`, object: stage.uriOf(stage.alice) };
  const { status } = await stage.post(stage.bob, follow, { keyId });
  assert.ok([400, 401].includes(status), `${keyId}: ${status}`);
  await stage.post(stage.bob, { type: "Announce", object: `${origin}/n/1`, to: [PUBLIC] });
};

const tryAll = async (hosts: string[], portOf: (host: string) => string): Promise<void> => {
  await unchanged(stage, async () => {
    for (const host of hosts) await tryHost(host, portOf(host));
  });
  assert.equal(victim.connections, 0);
};

describe("One guarded client for every outbound request: refused targets, at every entry", () => {
  test("addresses as such", async () => {
    await tryAll(LITERALS, (host) => (/127\.0\.0\.9|7f00/.test(host) ? victimPort() : ""));
  });
  test("user info, decimal and octal hosts are refused", async () => {
    await tryAll(DISGUISED, victimPort);
  });
  test("names by their addresses; one bad address among several refuses all", async () => {
    for (const [index, literal] of LITERALS.entries()) {
      const name = `n${index}.test`;
      const address = literal.replace(/^\[|\]$/g, "");
      names[name] = index % 2 === 0 ? [address] : ["93.184.216.34", address];
    }
    await tryAll(Object.keys(names), victimPort);
    assert.ok(looked.includes("n0.test"));
  });
  test("what a followed post answers is not fetched from there either", async () => {
    const object = await stage.create(stage.bob, { inReplyTo: `${victim.origin}/n/1` });
    assert.ok(await stage.statusId(object["id"]));
    assert.equal(victim.connections, 0);
  });
});

test("The address that was checked is the one connected to (DNS rebinding)", async () => {
  const port = new URL(raw.origin).port;
  names = { "rebind.test": ["127.0.0.5"] };
  const results = await stage.resolve(`x@rebind.test:${port}`);
  assert.equal(results.accounts.length, 1);
  // Each lookup is followed by one connection: after the name has changed no request gets through.
  names = { "rebind.test": ["127.0.0.9"] };
  await stage.server.app.fetch.close();
  stage.server.app.fetch = createFetch({
    allowedPrivateAddresses: ["127.0.0.1", "127.0.0.2", "127.0.0.5"],
    allowHttp: true,
    userAgent: "test",
    lookup,
    timeoutMs: TIMEOUT_MS,
  });
  assert.deepEqual((await stage.resolve(`http://rebind.test:${port}/n/900`)).statuses, []);
  const follow = `/api/v1/accounts/${results.accounts[0]!["id"]}/follow`;
  await stage.alice.post(follow).done();
  assert.equal(victim.connections, 0);
});

test("Bodies over the cap are cut while reading; a slow drip ends at the total time limit.", async () => {
  let sent = 0;
  const slow = await startRaw((request, response) => {
    response.writeHead(request.url === "/loop" ? 302 : 200, {
      "content-type": "application/activity+json",
      ...(request.url === "/loop" && { location: "/loop" }),
    });
    if (request.url === "/loop") return void response.end();
    const isBig = request.url === "/big";
    const chunk = isBig ? Buffer.alloc(256 * 1024, 0x20) : Buffer.from(" ");
    const timer = setInterval(
      () => {
        if (isBig) sent += chunk.length;
        response.write(chunk);
      },
      isBig ? 1 : 20,
    );
    response.on("close", () => clearInterval(timer));
  }, "127.0.0.5");
  await unchanged(stage, async () => {
    for (const path of ["/big", "/drip", "/loop"]) {
      const from = performance.now();
      assert.deepEqual((await stage.resolve(slow.origin + path)).statuses, []);
      assert.ok(performance.now() - from < TIMEOUT_MS + 1500, path);
    }
  });
  assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken`);
  assert.ok(slow.paths.length < 10, String(slow.paths.length));
  await slow.close();
});

describe("Deep reply and quote chains do not recurse", () => {
  test("a thousand parents, each by another author: a bounded number of requests", async () => {
    const object = await stage.create(stage.bob, { inReplyTo: `${raw.origin}/n/0` });
    const id = await stage.statusId(object["id"]);
    assert.ok(raw.paths.length <= 100, `${raw.paths.length} requests`);
    const { json: thread } = await stage.get(`/api/v1/statuses/${id}/context`, stage.alice);
    assert.ok(
      thread.ancestors.length > 5 && thread.ancestors.length <= 25,
      String(thread.ancestors.length),
    );
  });
  test("the same through search and boosts", async () => {
    await stage.resolve(`${raw.origin}/n/300`);
    assert.ok(raw.paths.length <= 100, `${raw.paths.length} requests`);
    await stage.send(stage.bob, { type: "Announce", object: `${raw.origin}/n/600`, to: [PUBLIC] });
    assert.ok(raw.paths.length <= 200, `${raw.paths.length} requests`);
  });
  test("posts that answer themselves or each other", async () => {
    const own = stage.note(stage.bob);
    await stage.send(stage.bob, { type: "Create", object: { ...own, inReplyTo: own["id"] } });
    const loop = await stage.create(stage.bob, { inReplyTo: `${raw.origin}/c/1` });
    assert.ok(raw.paths.length <= 10, `${raw.paths.length} requests`);
    for (const uri of [own["id"], loop["id"], `${raw.origin}/c/1`, `${raw.origin}/c/2`]) {
      const id = await stage.statusId(uri);
      const { status, json: thread } = await stage.get(
        `/api/v1/statuses/${id}/context`,
        stage.alice,
      );
      assert.equal(status, 200);
      assert.ok(thread.ancestors.length + thread.descendants.length < 10, String(uri));
    }
  });
  test("deeply nested HTML neither overflows nor takes long", async () => {
    const from = performance.now();
    const parts = [
      "<b>",
      "<ul><li>",
      "<blockquote>",
      "<a href='https://a.test'>",
      "<",
      "&",
      "<!--",
      "</p>",
      "<svg><style>",
      "@",
      "#",
      "https://",
      ":a:",
      "\u0301",
      "<a href='",
    ];
    for (const part of parts) {
      const object = await stage.create(stage.bob, {
        content: part.repeat(Math.floor(400_000 / part.length)),
        summary: part.repeat(10_000),
      });
      assert.ok(await stage.statusId(object["id"]), part);
    }
    assert.ok(performance.now() - from < 20_000);
  });
});

describe("Collections with endless pages, self-links, too many items, mentions, tags, attachments: a budget stops them.", () => {
  test("remote collections are not read page by page", async () => {
    await stage.resolve(`${raw.origin}/n/990`);
    await stage.resolve(`a@${raw.host}`);
    assert.ok(!raw.paths.some((path) => path.startsWith("/pages")), raw.paths.join(" "));
  });
  test("a note with thousands of everything", async () => {
    const many = <T>(make: (n: number) => T): T[] =>
      Array.from({ length: 2000 }, (_, n) => make(n));
    const before = requestsOf(stage.peer, stage.otherPeer);
    const object = stage.note(stage.bob, {
      tag: [
        ...many((n) => ({ type: "Mention", href: `${raw.origin}/u/m${n}`, name: "@x" })),
        ...many((n) => ({ type: "Hashtag", name: `#t${n}` })),
        ...many((n) => ({ type: "Emoji", name: `:e${n}:`, icon: { url: `${raw.origin}/e` } })),
      ],
      attachment: many((n) => ({
        type: "Image",
        mediaType: "image/png",
        url: `${raw.origin}/i/${n}`,
      })),
      to: [PUBLIC, ...many((n) => `${raw.origin}/u/t${n}`)],
      cc: many((n) => `${raw.origin}/u/c${n}`),
    });
    await stage.send(stage.bob, { type: "Create", object });
    const [tags] = await stage.server.app.sql`SELECT count(*)::int AS n FROM tags`;
    const id = await stage.statusId(object["id"]);
    const { json: status } = await stage.get(`/api/v1/statuses/${id}`, stage.alice);
    assert.ok(
      tags!["n"] <= 200 && status.media_attachments.length <= 16 && status.emojis.length <= 100,
    );
    assert.deepEqual([raw.paths.length, requestsOf(stage.peer, stage.otherPeer) - before], [0, 0]);
  });
  test("an actor with thousands of everything", async () => {
    const { bob } = stage;
    const many = (value: unknown) => Array.from({ length: 3000 }, () => value);
    Object.assign(bob.document, {
      attachment: many({ type: "PropertyValue", name: "n", value: "v" }),
      alsoKnownAs: many(bob.uri),
      tag: many({ type: "Emoji", name: ":a:", icon: { url: `${raw.origin}/e` } }),
      name: "n".repeat(100_000),
      summary: "s".repeat(400_000),
    });
    await stage.send(bob, { type: "Update", object: bob.uri });
    const { text, json: account } = await stage.get(
      `/api/v1/accounts/${await stage.accountId(bob)}`,
    );
    assert.ok(
      account.fields.length <= 50 && text.length < 60_000,
      `${account.fields.length} ${text.length}`,
    );
  });
  test("a local post with many unknown handles causes few lookups", async () => {
    // A host of its own, which has neither failed nor been asked too often.
    const host = await startRaw(maze, "127.0.0.2");
    const handles = Array.from({ length: 20 }, (_, n) => `@z${n}@${host.host}`).join(" ");
    await stage.write(stage.alice, handles);
    const fingers = host.paths.filter((path) => path.startsWith("/.well-known"));
    await host.close();
    assert.ok(fingers.length >= 1 && fingers.length <= 20, `${fingers.length} look-ups`);
  });
});

test("Regular expressions on remote input are bounded (links, usernames, previews).", async () => {
  const parts = [
    "<link ",
    "<link rel=",
    "<link rel=alternate type='",
    '<link href="',
    "<link\t",
    "&#38;",
    "<a",
    " rel='alternate' ",
  ];
  const pages = await startRaw((request, response) => {
    const part = parts[Number(request.url?.slice(1))]!;
    response.writeHead(200, {
      "content-type": "text/html",
      link: "<".repeat(4000) + "<a>; rel=".repeat(400),
    });
    response.end(part.repeat(Math.floor(900_000 / part.length)));
  }, "127.0.0.5");
  const from = performance.now();
  for (const index of parts.keys())
    assert.deepEqual((await stage.resolve(`${pages.origin}/${index}`)).statuses, []);
  for (const q of [
    "@".repeat(2000),
    "a@".repeat(1000),
    "#".repeat(2000),
    "%".repeat(2000),
    `${"a".repeat(1000)}@${"b.".repeat(400)}`,
    `http://${"a.".repeat(900)}`,
    "\\".repeat(2000),
    "_".repeat(2000),
  ]) {
    await stage.resolve(q);
  }
  assert.ok(performance.now() - from < 10_000);
  await pages.close();
});
