// Bodies that are sent to the inbox, the API and the pages: what is being received at once is bounded, and large or
// slow ones of strangers leave room for ordinary activities.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { IN_FLIGHT, inFlightOf } from "../../src/federation/inbox/in-flight.ts";
import { BODY_ROOM, bodyRoomOf, createInFlight } from "../../src/platform/http/overload.ts";
import { MAX_DOCUMENT_BYTES } from "../../src/platform/remote-limits.ts";
import * as world from "../inbox-world.ts";
import { eventually } from "../journeys/eventually.ts";

before(() => world.openWorld());
after(() => world.closeWorld());

const SIGNATURE =
  'keyId="http://127.0.0.1:1/users/x#main-key",headers="(request-target) host date digest",signature="eA=="';

/** Announces a body and sends nothing of it. */
const announce = async (
  address: string,
  lengthHeader: string,
  { path = "/inbox", type = "application/activity+json" } = {},
) => {
  const { hostname, port, host } = new URL(world.test.url);
  const socket: Socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n` +
      `Content-Type: ${type}\r\nSignature: ${SIGNATURE}\r\n${lengthHeader}\r\n\r\n`,
  );
  return { socket, text: () => Buffer.concat(chunks).toString("latin1") };
};

const long = `Content-Length: ${MAX_DOCUMENT_BYTES}`;

describe("bodies of a megabyte that are never sent", () => {
  it("are refused beyond the bound, and hold up no ordinary activity", async () => {
    const inFlight = inFlightOf(world.test.app);
    const addresses = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];
    const opened = await Promise.all(
      addresses.flatMap((address) => Array.from({ length: 6 }, () => announce(address, long))),
    );
    const isRefused = ({ text }: { text: () => string }) => text().startsWith("HTTP/1.1 503 ");
    const most = IN_FLIGHT.largeTotal / MAX_DOCUMENT_BYTES;
    await eventually("refusals", () => opened.filter(isRefused).length === opened.length - most);
    assert.ok(inFlight.bytes() <= IN_FLIGHT.largeTotal);
    const refused = opened.filter(isRefused);
    for (const { text } of refused) {
      assert.match(text(), /\r\nretry-after: \d+\r\n/i);
      assert.match(text(), /\r\nconnection: close\r\n/i);
    }
    await Promise.all(refused.map(({ socket }) => socket.destroyed || once(socket, "close")));
    const own = await world.post(world.alice, "like me");
    await world.peer
      .post(world.inbox(), world.eve, {
        id: world.nextId(world.eve),
        type: "Like",
        actor: world.eve.uri,
        object: own.uri,
      })
      .then(({ status }) => assert.equal(status, 202));
    for (const { socket } of opened) socket.destroy();
    await eventually("room again", () => inFlight.bytes() === 0);
  });

  it("count as the longest when they have no length", async () => {
    const upload = await announce("203.0.113.9", "Transfer-Encoding: chunked");
    await eventually("room taken", () => inFlightOf(world.test.app).bytes() === MAX_DOCUMENT_BYTES);
    upload.socket.destroy();
    await eventually("room again", () => inFlightOf(world.test.app).bytes() === 0);
  });
});

describe("bodies of a megabyte for the API and the pages", () => {
  const forms = [
    { path: "/api/v1/apps", type: "application/json" },
    { path: "/auth/sign_in", type: "application/x-www-form-urlencoded" },
    { path: "/api/v2/media", type: "multipart/form-data; boundary=x" },
    { path: "/nowhere", type: "text/plain" },
  ];

  it("are refused beyond the bound of an address, and hold up nobody else", async () => {
    const room = bodyRoomOf(world.test.app);
    const most = BODY_ROOM.perAddress / MAX_DOCUMENT_BYTES;
    const opened = await Promise.all(
      Array.from({ length: most + 8 }, (_, n) => announce("203.0.113.20", long, forms[n % 4])),
    );
    const isRefused = ({ text }: { text: () => string }) => text().startsWith("HTTP/1.1 503 ");
    await eventually("refusals", () => opened.filter(isRefused).length === 8);
    assert.equal(room.bytes(), BODY_ROOM.perAddress);
    for (const { text } of opened.filter(isRefused)) {
      assert.match(text(), /\r\nretry-after: \d+\r\n/i);
      assert.match(text(), /\r\nconnection: close\r\n/i);
    }
    await world.post(world.alice, "while they wait");
    for (const { socket } of opened) socket.destroy();
    await eventually("room again", () => room.bytes() === 0);
  });

  it("count as the longest when they have no length, and not at all where files go to the disk", async () => {
    const room = bodyRoomOf(world.test.app);
    const begun = await announce("203.0.113.21", "Transfer-Encoding: chunked", forms[0]);
    await eventually("room taken", () => room.bytes() === MAX_DOCUMENT_BYTES);
    const upload = await announce(
      "203.0.113.21",
      `Content-Length: 20000000\r\nAuthorization: Bearer ${world.alice.token}`,
      forms[2],
    );
    upload.socket.write("--x\r\n");
    await world.post(world.alice, "while it is uploaded");
    assert.equal(room.bytes(), MAX_DOCUMENT_BYTES);
    for (const { socket } of [begun, upload]) socket.destroy();
    await eventually("room again", () => room.bytes() === 0);
  });
});

describe("room for bodies", () => {
  const limits = { total: 1000, large: 100, largeTotal: 600, perAddress: 400 };

  it("is shared by addresses, and large ones leave some to the others", () => {
    const room = createInFlight(limits);
    const free = room.take("a", 300);
    assert.throws(() => room.take("a", 200), { status: 503 });
    room.take("a", 100);
    room.take("b", 300);
    assert.throws(() => room.take("c", 101), { status: 503 });
    for (const address of ["c", "d", "e"]) room.take(address, 100);
    assert.throws(() => room.take("f", 1), { status: 503 });
    free();
    room.take("f", 300);
    assert.deepEqual([room.bytes(), room.entries()], [1000, 6]);
  });

  it("is free again when all is done, however often", () => {
    const room = createInFlight(limits);
    for (let n = 0; n < 1000; n++) room.take(`${n}`, n % 300)();
    assert.deepEqual([room.bytes(), room.entries()], [0, 0]);
  });
});
