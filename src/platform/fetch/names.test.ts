// Finding the addresses of names, with a name server that answers for some and is silent for others.

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import type { Socket } from "node:dgram";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FetchFailed, FetchRefused } from "./errors.ts";
import { createFetch } from "./index.ts";
import { createNames } from "./names.ts";

const A = 1;
const AAAA = 28;

type Question = { name: string; type: number; bytes: Buffer };

const questionOf = (packet: Buffer): Question => {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at]!; length > 0; length = packet[at]!) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join("."),
    type: packet.readUInt16BE(at + 1),
    bytes: packet.subarray(12, at + 5),
  };
};

/** The answer with these addresses; null: there is no such name. RFC 1035, 4.1. */
const answerOf = (packet: Buffer, question: Buffer, type: number, data: Buffer[] | null) => {
  const head = Buffer.alloc(12);
  packet.copy(head, 0, 0, 2);
  head.writeUInt16BE(data ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data?.length ?? 0, 6);
  const records = (data ?? []).map((data) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, question, ...records]);
};

const four = (text: string): Buffer => Buffer.from(text.split(".").map(Number));

const ZONE: Record<string, { four?: string[]; six?: Buffer[] | "silent" }> = {
  "good.example": { four: ["127.0.0.1"] },
  "both.example": { four: ["127.0.0.1"], six: [Buffer.from(`${"00".repeat(15)}01`, "hex")] },
  "six.example": { six: [Buffer.from(`${"00".repeat(15)}01`, "hex")] },
  "half.example": { four: ["127.0.0.1"], six: "silent" },
  "mixed.example": { four: ["127.0.0.1", "10.0.0.1"] },
};

let server: Socket;
let questions: string[] = [];
/** Answers that a silent name server holds back; null once it speaks. */
let held: (() => Promise<void>)[] | null = [];
const speak = async (): Promise<void> => {
  const late = held ?? [];
  held = null;
  await Promise.all(late.map((answer) => answer()));
};
const folder = mkdtempSync(join(tmpdir(), "rookery-names-"));
const hostsFile = join(folder, "hosts");

before(async () => {
  writeFileSync(
    hostsFile,
    "127.0.0.1 localhost # not.this.example\n127.0.0.1 localhost. LOCALHOST\n",
  );
  server = createSocket("udp4");
  server.on("message", (packet, { port, address }) => {
    const { name, type, bytes } = questionOf(packet);
    questions.push(`${name} ${type}`);
    const entry = ZONE[name];
    const sixes = entry?.six === "silent" ? [] : (entry?.six ?? []);
    const records = type === A ? (entry?.four ?? []).map(four) : sixes;
    const answer = () =>
      new Promise<void>((resolve) => {
        const reply = answerOf(packet, bytes, type, entry ? records : null);
        server.send(reply, port, address, () => resolve());
      });
    const isSilent = name.endsWith("silent.example") || (type === AAAA && entry?.six === "silent");
    if (isSilent && held) held.push(answer);
    else void answer();
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
});
after(async () => {
  await speak();
  server.close();
  rmSync(folder, { recursive: true });
});

/** So long that no test waits for it, and a busy machine asks for nothing twice. */
const PATIENT = { timeout: 30_000, maxTimeout: 30_000, tries: 2 };

const make = (tries = PATIENT) => {
  const servers = [`127.0.0.1:${server.address().port}`];
  questions = [];
  held ??= [];
  return createNames({ maxBytes: 64 * 1024, servers, hostsFile, tries });
};

const code = (expected: string) => (error: NodeJS.ErrnoException) => error.code === expected;

test("all addresses of a name, of both families", async () => {
  const { lookup } = make();
  assert.deepEqual(await lookup("good.example"), [{ address: "127.0.0.1", family: 4 }]);
  assert.deepEqual(
    (await lookup("both.example")).map(({ family }) => family),
    [4, 6],
  );
  assert.deepEqual(await lookup("six.example"), [{ address: "::1", family: 6 }]);
  assert.deepEqual(
    (await lookup("mixed.example")).map(({ address }) => address),
    ["127.0.0.1", "10.0.0.1"],
  );
  await assert.rejects(lookup("missing.example"), code("ENOTFOUND"));
});

test("a name server that is silent about IPv6 alone is not waited for", async () => {
  const { lookup } = make();
  assert.deepEqual(await lookup("half.example"), [{ address: "127.0.0.1", family: 4 }]);
});

test("a name is asked for once: at the same time, and while its answer is known", async () => {
  const { lookup, cache } = make();
  await Promise.all(Array.from({ length: 20 }, () => lookup("good.example")));
  await lookup("GOOD.example.");
  await assert.rejects(lookup("missing.example"));
  await assert.rejects(lookup("missing.example"));
  const count = (name: string) => questions.filter((question) => question === name).length;
  assert.deepEqual([count(`good.example ${A}`), count(`missing.example ${A}`)], [1, 1]);
  assert.equal(cache.entries(), 2);
});

test("what is known is bounded", async () => {
  const { lookup, cache } = make();
  for (let n = 0; n < 500; n++) await assert.rejects(lookup(`missing${n}.example`));
  assert.ok(cache.bytes!() <= 64 * 1024);
});

test("names of this machine are not asked of name servers", async () => {
  const { lookup } = make();
  const [first] = await lookup("localhost");
  assert.ok(first!.address === "127.0.0.1" || first!.address === "::1");
  await assert.rejects(lookup("printer.local"));
  await assert.rejects(lookup("nobody.internal"));
  assert.deepEqual(questions, []);
});

test("a hundred names whose servers are silent hold up no other, nor the thread pool", async () => {
  const { lookup } = make();
  let ended = 0;
  const silent = Array.from({ length: 100 }, (_, n) =>
    assert.rejects(lookup(`n${n}.silent.example`), code("ENOTFOUND")).finally(() => (ended += 1)),
  );
  await lookup("good.example");
  await new Promise<void>((resolve, reject) => {
    pbkdf2("a", "b", 1, 32, "sha256", (error) => (error ? reject(error) : resolve()));
  });
  assert.equal(ended, 0);
  await speak();
  await Promise.all(silent);
});

test("a name whose servers are silent is given up", async () => {
  const { lookup } = make({ timeout: 50, maxTimeout: 50, tries: 1 });
  await assert.rejects(lookup("silent.example"), code("ETIMEOUT"));
});

test("the client checks every address that was found, and connects to those", async () => {
  const site = createServer((_, response) => void response.end("hello"));
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const { lookup } = make();
  const client = createFetch({
    allowedPrivateAddresses: ["127.0.0.1"],
    userAgent: "test",
    allowHttp: true,
    lookup,
  });
  const { body } = await client.request(`http://good.example:${port}/`);
  assert.equal(body.toString(), "hello");
  await assert.rejects(
    client.request(`http://mixed.example:${port}/`),
    (error) => error instanceof FetchRefused && error.reason === "address",
  );
  await assert.rejects(
    client.request(`http://missing.example:${port}/`),
    (error) => error instanceof FetchFailed && error.reason === "network",
  );
  await client.close();
  site.close();
});
