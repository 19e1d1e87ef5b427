// A body that arrives too slowly is given up; an upload has more time.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { text } from "node:stream/consumers";
import Fastify from "fastify";
import { registerBodyParsers, uploads } from "./body.ts";
import type { Server } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-slow-"));
let server: Server;
let port: number;

before(async () => {
  server = Fastify() as unknown as Server;
  registerBodyParsers(server, folder, {
    usual: 100,
    upload: 60_000,
    pace: 300,
    bytesPerSecond: 100,
  });
  server.post("/plain", async () => ({ done: true }));
  server.post("/upload", { config: uploads(1) }, async () => ({ done: true }));
  await server.listen({ port: 0, host: "127.0.0.1" });
  port = (server.server.address() as AddressInfo).port;
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Begins an upload; `send` sends more of its body. */
const upload = (length: number) => {
  const socket = connect(port, "127.0.0.1");
  const head = "POST /upload HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: text/plain";
  socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n`);
  let isOver = false;
  const answer = text(socket).finally(() => (isOver = true));
  socket.on("error", () => {});
  return { answer, send: (bytes: number) => isOver || socket.write("x".repeat(bytes)) };
};

/** Sends the head and half of the body; the rest with `finish`. */
const half = (path: string) => {
  const socket = connect(port, "127.0.0.1");
  const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: 8\r\n\r\n{"a"`);
  return { answer: text(socket), finish: () => socket.write(": 1}") };
};

test("408 for a body that does not come", async () => {
  assert.match(await half("/plain").answer, /^HTTP\/1\.1 408 [^]*took too long/);
});

test("an upload may take longer, while another request is given up", async () => {
  const upload = half("/upload");
  await half("/plain").answer;
  upload.finish();
  assert.match(await upload.answer, /^HTTP\/1\.1 200 /);
});

test("an upload at a byte at a time is given up, long before its time is over", async () => {
  const { answer, send } = upload(100_000);
  const timer = setInterval(() => send(1), 20);
  try {
    assert.match(await answer, /^HTTP\/1\.1 408 [^]*took too long/);
  } finally {
    clearInterval(timer);
  }
});

test("one that keeps pace on average arrives, with pauses", async () => {
  const { answer, send } = upload(2000);
  send(1900);
  // Looked at several times meanwhile.
  setTimeout(() => send(100), 1000);
  assert.match(await answer, /^HTTP\/1\.1 200 /);
});
