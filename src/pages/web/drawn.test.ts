// Pages for visitors are drawn once while the API responds the same, and never show what has changed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "undici";
import { openBrowser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let bob: Person;

before(async () => {
  server = await startTestApp();
  bob = await server.person("bob");
});
after(() => server.close());

const kept = () => server.app.caches.figures().find(({ name }) => name === "drawn pages")!;

const post = async (status: string): Promise<string> => {
  const json = { status };
  const answer = await bob.post("/api/v1/statuses", json);
  return answer.json.id;
};

const page = async (headers: Record<string, string> = {}): Promise<string> => {
  const { status, text } = await server.visitor.get("/@bob", headers);
  assert.equal(status, 200);
  return text;
};

test("what people change is on the next page", async () => {
  const id = await post("the first");
  assert.match(await page(), /the first/);
  assert.equal(kept().entries, 1);
  assert.equal(await page(), await page());
  assert.equal(kept().entries, 1);

  await post("the second");
  assert.match(await page(), /the second/);
  await bob.patch("/api/v1/accounts/update_credentials", { display_name: "Robert" });
  assert.match(await page(), /Robert/);
  await bob.delete(`/api/v1/statuses/${id}`);
  assert.doesNotMatch(await page(), /the first/);
});

const DECODE = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (data: Buffer) => data,
};

const sentFrom = async (path: string, accepted: string) => {
  const { headers, body } = await request(`${server.url}${path}`, {
    headers: { "accept-encoding": accepted },
  });
  assert.match(String(headers["vary"]), /Accept-Encoding/);
  const encoding = (headers["content-encoding"] ?? "identity") as keyof typeof DECODE;
  const data = Buffer.from(await body.arrayBuffer());
  return { encoding, length: data.length, text: String(DECODE[encoding](data)) };
};

test("a file of the client is the same in every encoding", async () => {
  const [plain, ...others] = await Promise.all(
    ["", "gzip, br", "gzip"].map((accepted) => sentFrom("/sw.js", accepted)),
  );
  assert.match(plain!.text, /addEventListener/);
  assert.deepEqual(
    [plain!, ...others].map(({ encoding, text }) => [encoding, text]),
    ["identity", "br", "gzip"].map((encoding) => [encoding, plain!.text]),
  );
});

test("is sent as the browser takes it, and compressed once", async () => {
  const sent = (accepted: string) => sentFrom("/@bob", accepted);
  const plain = await sent("");
  assert.equal(plain.encoding, "identity");
  const { bytes, entries } = kept();
  const brotli = await sent("gzip, deflate, br, zstd");
  const withBrotli = kept().bytes;
  const gzip = await sent("gzip");
  assert.deepEqual([brotli.encoding, gzip.encoding], ["br", "gzip"]);
  for (const { text, length } of [brotli, gzip]) {
    assert.equal(text, plain.text);
    assert.ok(length < plain.length / 2);
  }
  assert.equal(withBrotli - bytes!, brotli.length);
  assert.equal((await sent("br")).length, brotli.length);
  assert.equal(kept().bytes! - withBrotli!, gzip.length);
  assert.equal(kept().entries, entries);
});

test("each language has its own, members none", async () => {
  await page({ "accept-language": "en" });
  const { entries } = kept();
  assert.match(await page({ "accept-language": "eo" }), /<html lang="eo"/);
  assert.match(await page({ "accept-language": "en" }), /<html lang="en"/);
  assert.equal(kept().entries, entries + 1);
  const browser = openBrowser(server);
  await browser.signIn("bob");
  assert.match((await browser.get("/@bob")).text, /name="form_token" value="[^"]/);
  assert.doesNotMatch(await page(), /name="form_token" value="[^"]/);
  assert.equal(kept().entries, entries + 1);
  await server.visitor.get("/@nobody");
  assert.equal(kept().entries, entries + 1);
});
