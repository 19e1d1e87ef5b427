// Connections: who sends requests and does not read the answers, or sends more than a route takes, costs
// little and is disconnected.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, it } from "node:test";
import { CONNECTION_LIMITS, createHttpServer } from "../../src/platform/http/connections.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";

let test: TestApp;
let alice: Person;
before(async () => {
  test = await startTestApp();
  alice = await test.person("alice");
});
after(() => test.close());

type Connection = { socket: Socket; text: () => string; closed: Promise<unknown> };

const open = async (port: number): Promise<Connection> => {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  return { socket, text: () => Buffer.concat(chunks).toString("latin1"), closed };
};

const portOf = (url: string): number => Number(new URL(url).port);
const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(test.url).host}\r\n\r\n`;
const answers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

const until = async (isSo: () => boolean, ms = 10_000): Promise<void> => {
  for (const end = performance.now() + ms; !isSo(); await sleep(10)) {
    assert.ok(performance.now() < end, `not within ${ms} ms`);
  }
};

/** A server that counts what it handles at once, with answers of 16 MB, which no socket takes at once. */
const countingServer = async (silentMs: number) => {
  const seen = { handled: 0, open: 0, most: 0 };
  const answer = Buffer.alloc(16 * 1024 * 1024);
  const server: Server = createHttpServer(
    (request, response) => {
      seen.handled += 1;
      seen.most = Math.max(seen.most, ++seen.open);
      response.on("close", () => (seen.open -= 1));
      response.end(request.url === "/small" ? "small" : answer);
    },
    {},
    { ...CONNECTION_LIMITS, silentMs },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { seen, port, close };
};

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;

describe("headers that come slowly", () => {
  it("are given up when their time is over, however often something comes", async () => {
    assert.ok(CONNECTION_LIMITS.lookMs <= CONNECTION_LIMITS.requestMs / 10);
    const server = createHttpServer(
      () => assert.fail("it never came"),
      {},
      {
        ...CONNECTION_LIMITS,
        requestMs: 300,
        lookMs: 50,
      },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { socket, text, closed } = await open((server.address() as AddressInfo).port);
    socket.write("GET / HTTP/1.1\r\nHost: h\r\n");
    const timer = setInterval(() => socket.write("X-Slow: 1\r\n"), 20);
    // What is sent while the server closes resets the connection, and the client may never read the answer.
    const isReset = await closed
      .then(() => false)
      .catch((error: NodeJS.ErrnoException) => error.code === "ECONNRESET")
      .finally(() => clearInterval(timer));
    assert.match(text(), isReset ? /^(?:HTTP\/1\.1 408 |$)/ : /^HTTP\/1\.1 408 /);
    server.close();
  });
});

describe("requests on one connection that come before the answer to an earlier one", () => {
  it("are answered one after the other, in order", async () => {
    const { socket, text } = await open(portOf(test.url));
    const paths = ["/api/v2/instance", "/health", "/api/v1/instance/rules", "/health", "/nowhere"];
    socket.write(paths.map(get).join(""));
    await until(() => answers(text()) === paths.length);
    const statuses = [...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    assert.deepEqual(statuses, ["200", "200", "200", "200", "404"]);
    assert.ok(text().indexOf('"domain"') < text().indexOf("[]"));
    // And it goes on.
    socket.write(get("/health"));
    await until(() => answers(text()) === paths.length + 1);
    socket.destroy();
  });

  it("are handled one at a time", async () => {
    const { seen, port, close } = await countingServer(60_000);
    const { socket, text } = await open(port);
    socket.write(request("/small").repeat(8));
    await until(() => answers(text()) === 8);
    assert.deepEqual(seen, { handled: 8, open: 0, most: 1 });
    socket.destroy();
    await close();
  });

  it("end the connection when there are too many: sixty, on a hundred connections", async () => {
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(portOf(test.url))));
    for (const { socket } of opened) {
      socket.pause();
      socket.write(get("/about").repeat(60));
    }
    const [first] = opened;
    for (const { socket } of opened) socket.resume();
    await Promise.all(opened.map(({ closed }) => closed));
    assert.ok(answers(first!.text()) < 60);
    await test.visitor.get("/health").ok();
  });
});

describe("answers that are not read", () => {
  it("are one for each connection, and its end after a while", async () => {
    const { seen, port, close } = await countingServer(1000);
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(port)));
    for (const { socket } of opened) {
      socket.pause();
      socket.write(request("/").repeat(CONNECTION_LIMITS.waiting));
    }
    await until(() => seen.handled === 10);
    await until(() => seen.open === 0, 20_000);
    assert.equal(seen.handled, 10);
    for (const { socket } of opened) socket.destroy();
    await close();
  });

  it("are sent to the end where they are read slowly", async () => {
    const { port, close } = await countingServer(1000);
    const { socket } = await open(port);
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    socket.write(request("/"));
    await until(() => bytes > 16 * 1024 * 1024, 60_000);
    socket.destroy();
    await close();
  });
});

describe("multipart of a signed-in person", () => {
  const head = (path: string, more: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(test.url).host}\r\nAuthorization: Bearer ${alice.token}\r\n` +
    `Content-Type: multipart/form-data; boundary=x\r\n${more}\r\n\r\n`;
  const MB = 1024 * 1024;

  it("is refused before it is read where it says that it is too long", async () => {
    const { socket, text, closed } = await open(portOf(test.url));
    socket.write(head("/api/v1/statuses", `Content-Length: ${100 * MB}`));
    await until(() => text().includes("\r\n\r\n"));
    assert.match(text(), /^HTTP\/1\.1 413 /);
    await closed;
  });

  it("is refused at the limit where it does not say how long it is", async () => {
    const { socket, text } = await open(portOf(test.url));
    socket.write(head("/api/v1/statuses", "Transfer-Encoding: chunked"));
    const part = `--x\r\nContent-Disposition: form-data; name="status"\r\n\r\n`;
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
    let sent = 0;
    while (!text().includes("\r\n\r\n") && !socket.destroyed && sent < 100 * MB) {
      sent += chunk.length;
      // The connection may end meanwhile.
      const drained = () => once(socket, "drain").catch(() => undefined);
      if (!socket.write(chunk)) await Promise.race([drained(), sleep(1000)]);
      await sleep(0);
    }
    assert.ok(sent < 20 * MB, `${sent} bytes were taken`);
    assert.match(text(), /^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("is read where the route takes files", async () => {
    const multipart = new FormData();
    multipart.append("display_name", "Alice A.");
    multipart.append("other", new File(["x".repeat(2 * MB)], "a.png", { type: "image/png" }));
    const json = await alice.patch("/api/v1/accounts/update_credentials", multipart).ok();
    assert.equal(json.display_name, "Alice A.");
  });
});

describe("bodies in pieces of one byte", () => {
  it("end the connection, before they are complete", async () => {
    const connection = await open(portOf(test.url));
    connection.socket.write(
      `POST /api/v1/apps HTTP/1.1\r\nHost: ${new URL(test.url).host}\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const pieces = "1\r\nx\r\n".repeat(1000);
    let sent = 0;
    for (; sent < 30_000 && !connection.socket.destroyed; sent += 1000) {
      connection.socket.write(pieces);
      await sleep(1);
    }
    await connection.closed;
    assert.ok(sent < 30_000, "it took all of them");
  });

  it("are taken where there are few of them", async () => {
    const connection = await open(portOf(test.url));
    connection.socket.write(
      `POST /api/v1/apps HTTP/1.1\r\nHost: ${new URL(test.url).host}\r\nConnection: close\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const body = JSON.stringify({ client_name: "x".repeat(500), redirect_uris: "app:/" });
    for (const letter of body) connection.socket.write(`1\r\n${letter}\r\n`);
    connection.socket.write("0\r\n\r\n");
    await connection.closed;
    assert.match(connection.text(), /^HTTP\/1\.1 (?:200|422) /);
  });
});

describe("an upgrade that is refused", () => {
  it("leaves no connection behind, also where the client keeps its side open", async () => {
    for (const path of ["/nowhere", "/api/v1/streaming?access_token=guess"]) {
      const { hostname, port } = new URL(test.url);
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on("error", () => undefined).resume();
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      await once(socket, "end");
      // What is sent to a connection that is no more is answered with a reset.
      const isReset = () => socket.destroyed || (socket.write("x"), false);
      await until(isReset, 3000).finally(() => socket.destroy());
    }
  });
});
