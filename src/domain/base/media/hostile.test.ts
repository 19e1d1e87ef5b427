// Files that are made to harm whoever decodes them, uploaded through the API; and other servers that send them badly.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import {
  formOf,
  longGif,
  picture,
  plainPicture,
  silentVideo,
  WITHOUT_FFMPEG,
} from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { pngChunk } from "../../../platform/pictures/png-chunk.ts";

let server: TestApp;
let peer: FakePeer;
let author: PeerActor;
let alice: Person;
let files: Server;
let origin: string;
const served = new Map<string, (response: ServerResponse) => void>();

before(async () => {
  files = createServer((request, response) => served.get(request.url!)!(response));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  [server, peer] = await Promise.all([startTestApp(), startPeer()]);
  alice = await server.person("alice");
  author = peer.actor("author");
});
after(async () => {
  await Promise.all([server.close(), peer.close()]);
  files.closeAllConnections();
  files.close();
});

const upload = (file: Buffer, name?: string) => alice.post("/api/v1/media", formOf(file, {}, name));

const storedOf = async (answer: Answer): Promise<Buffer> => {
  assert.equal(answer.status, 200, answer.text);
  return Buffer.from(await (await fetch(answer.json.url)).arrayBuffer());
};

const uploadsLeft = (): string[] => readdirSync(join(server.app.config.dataDir, "uploads"));

const nothingLeft = () => eventually("the uploads go", async () => uploadsLeft().length === 0);

/** A black PNG of this size, with these chunks before its pixels. */
const png = (width: number, height: number, more: Buffer[] = []): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", head),
    ...more,
    pngChunk("IDAT", deflateSync(Buffer.alloc(height * (1 + width)))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

const keyed = (key: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${key}\0\0`), deflateSync(data)]);

test("texts and profiles that unpack to 20 MB are not unpacked into what is stored", async () => {
  const large = Buffer.alloc(20 * 1024 * 1024, "secret");
  const bombs = [
    pngChunk("iCCP", keyed("profile", large)),
    pngChunk("zTXt", keyed("Comment", large)),
    ...Array.from({ length: 2000 }, (_, n) => pngChunk("tEXt", Buffer.from(`secret ${n}\0words`))),
  ];
  for (const more of [bombs.slice(0, 1), bombs.slice(1, 2), bombs.slice(2)]) {
    const stored = await storedOf(await upload(png(8, 8, more)));
    assert.ok(stored.length < 1000);
    assert.ok(!stored.includes("secret"));
    assert.equal((await sharp(stored).metadata()).icc, undefined);
  }
});

test("a JPEG that is nearly all profile is stored without it", async () => {
  const jpeg = await picture("jpeg");
  const parts = Array.from({ length: 100 }, (_, n) => {
    const head = Buffer.from([0xff, 0xe2, 0xff, 0xff]);
    const name = Buffer.concat([Buffer.from("ICC_PROFILE\0"), Buffer.from([n + 1, 100])]);
    return Buffer.concat([head, name, Buffer.alloc(65_535 - 2 - name.length, "A")]);
  });
  const stored = await storedOf(
    await upload(Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])),
  );
  assert.ok(stored.length < 5000);
});

test("a side of a million pixels is refused before anything is decoded", async () => {
  for (const file of [png(1_000_000, 1), png(1, 1_000_000)]) {
    const answer = await upload(file);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.error, /65500 pixels/);
  }
});

test("a PNG with 16 bits a channel is stored with eight", async () => {
  const deep = await sharp(await picture("png"))
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  assert.equal((await sharp(deep).metadata()).depth, "ushort");
  const stored = await storedOf(await upload(deep));
  assert.equal((await sharp(stored).metadata()).depth, "uchar");
});

const riff = (name: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
};

/** Small pictures on a canvas of this side. */
const movingWebp = async (side: number, frames: number): Promise<Buffer> => {
  const single = (await picture("webp", 8, 8)).subarray(12);
  const canvas = Buffer.alloc(10);
  canvas[0] = 2;
  canvas.writeUIntLE(side - 1, 4, 3);
  canvas.writeUIntLE(side - 1, 7, 3);
  const frame = Buffer.alloc(16);
  frame.writeUIntLE(7, 6, 3);
  frame.writeUIntLE(7, 9, 3);
  frame.writeUIntLE(100, 12, 3);
  const frameChunk = riff("ANMF", Buffer.concat([frame, single]));
  const all = [riff("VP8X", canvas), riff("ANIM", Buffer.alloc(6))];
  return riff(
    "RIFF",
    Buffer.concat([Buffer.from("WEBP"), ...all, ...Array<Buffer>(frames).fill(frameChunk)]),
  );
};

test("of an animation on a giant canvas the first frames are stored, or nothing", async () => {
  const stored = await storedOf(await upload(await movingWebp(3000, 200)));
  assert.ok(((await sharp(stored).metadata()).pages ?? 1) <= 5);
  const answer = await upload(await movingWebp(16_383, 2));
  assert.equal(answer.status, 422, answer.text);
});

test("a GIF of a thousand frames is refused where its canvas is too large", async () => {
  assert.equal((await upload(longGif(6000, 1000))).status, 422);
});

test("what a container names is not opened", { skip: WITHOUT_FFMPEG }, async () => {
  const box = (type: string, ...data: Buffer[]): Buffer => {
    const whole = Buffer.concat(data);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(whole.length + 8);
    return Buffer.concat([length, Buffer.from(type), whole]);
  };
  const address = Buffer.from(`${origin}/named\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(address.length);
  let isAsked = false;
  served.set("/named", (response) => {
    isAsked = true;
    response.end();
  });
  const named = box("rdrf", Buffer.alloc(4), Buffer.from("url "), length, address);
  const movie = [
    box("ftyp", Buffer.from("qt  \0\0\0\0qt  ")),
    box("moov", box("rmra", box("rmda", named))),
  ];
  assert.equal((await upload(Buffer.concat(movie))).status, 422);
  const film = silentVideo();
  const at = film.indexOf("url ");
  // No longer "in this file".
  film[at + 7] = 0;
  await upload(film);
  assert.equal(isAsked, false);
});

test("a name is no path", async () => {
  for (const name of ["../../../evil.jpg", "/tmp/evil.jpg", "..\\evil.jpg", "a\0.html"]) {
    const { json } = await upload(await picture("jpeg"), name);
    assert.match(json.url, /\/media\/attachments\/[0-9a-f]{2}\/[0-9a-f]{30}\.jpg$/);
  }
  assert.ok(!existsSync(join(server.app.config.dataDir, "evil.jpg")));
  assert.ok(!existsSync(join(server.app.config.dataDir, "../evil.jpg")));
});

test("the same file ten times at once is stored ten times", async () => {
  const file = await picture("png", 20, 20);
  const all = await Promise.all(Array.from({ length: 10 }, () => upload(file)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  assert.equal(new Set(all.map(({ json }) => json.url)).size, 10);
});

test("thousands of parts are refused, and nothing is left", async () => {
  const many = new FormData();
  const file = await picture("jpeg");
  for (let n = 0; n < 2000; n++) many.append("file", new Blob([new Uint8Array(file)]), `${n}.jpg`);
  const answer = await alice.post("/api/v2/media", many);
  assert.equal(answer.status, 413, answer.text);
  await nothingLeft();
});

let notes = 0;

/** How this server answers for a file of another. */
const lookAt = async (url: string): Promise<number> => {
  const path = `/notes/${(notes += 1)}`;
  peer.note(author, path, { attachment: [{ type: "Document", mediaType: "image/jpeg", url }] });
  const q = encodeURIComponent(peer.origin + path);
  const { json } = await alice.get(`/api/v2/search?resolve=true&q=${q}`);
  return (await fetch(json.statuses[0].media_attachments[0].url)).status;
};

test("a remote file that never ends, is shorter than it says, or is elsewhere is not stored", async () => {
  const jpeg = await plainPicture(300, 300);
  served.set("/endless", (response) => {
    response.write(jpeg);
    const block = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", more);
    more();
  });
  served.set("/short", (response) => {
    response.setHeader("content-length", jpeg.length);
    response.write(jpeg.subarray(0, 100), () => response.destroy());
  });
  let isAsked = false;
  const elsewhere = createServer((_request, response) => {
    isAsked = true;
    response.end(jpeg);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "::1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  served.set("/redirect", (response) => {
    response.writeHead(302, { location: `http://[::1]:${port}/` }).end();
  });
  try {
    const [before] = await server.app.sql`SELECT count(key)::int AS count FROM remote_files`;
    for (const path of ["/endless", "/short", "/redirect"]) {
      assert.equal(await lookAt(origin + path), 404, path);
    }
    const [later] = await server.app.sql`SELECT count(key)::int AS count FROM remote_files`;
    assert.deepEqual(later, before);
    assert.equal(isAsked, false);
    await nothingLeft();
  } finally {
    elsewhere.close();
  }
});
