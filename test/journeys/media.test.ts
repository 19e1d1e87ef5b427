// Media between two real servers, and what a kill -9 does to an upload.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe } from "node:test";
import sharp from "sharp";
import { formOf, picture, plainPicture } from "../files.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { startServer } from "./server.ts";
import type { RealServer, Someone } from "./server.ts";

let a: RealServer;
let b: RealServer;
let alice: Someone;
let bob: Someone;
const step = journey(() => [a, b]);

before(async () => {
  [a, b] = await Promise.all([startServer(), startServer()]);
  [alice, bob] = await Promise.all([a.person("alice"), b.person("bob")]);
});
after(() => Promise.all([a?.remove(), b?.remove()]));

const upload = async (file: Buffer, description = ""): Promise<string> => {
  const { token } = alice;
  const multipart = formOf(file, { description });
  const answer = await a.request("POST", "/api/v2/media", { token, multipart });
  assert.ok(answer.status === 200 || answer.status === 202, answer.text);
  const { id } = answer.json;
  if (answer.status === 202) await processed(id);
  return id;
};

const processed = (id: string): Promise<boolean> =>
  eventually(`upload ${id}`, async () => {
    const { status: code } = await a.request("GET", `/api/v1/media/${id}`, { token: alice.token });
    return code === 200;
  });

const ALTS = ["a red half", "a flag", "two colours", "the fourth"];
let status: any;

/** bob's copy of the post. */
const atB = (check: (status: any) => boolean): Promise<any> =>
  eventually("the post in bob's home", async () => {
    const home: any[] = await bob.get("/api/v1/timelines/home");
    return home.find((copy) => copy.uri === status.uri && check(copy));
  });

const altsOf = (status: any): string[] =>
  status.media_attachments.map((media: any) => media.description);

describe("four pictures between two servers", () => {
  step("bob follows alice", async () => {
    const search = await bob.get(`/api/v2/search?q=@${alice.acct}&resolve=true&type=accounts`);
    const { id } = search.accounts[0];
    await bob.post(`/api/v1/accounts/${id}/follow`);
    await eventually("the follow", async () => {
      const [relation] = await bob.get(`/api/v1/accounts/relationships?id[]=${id}`);
      return relation.following;
    });
  });

  step("a post with four pictures arrives with their descriptions and sizes", async () => {
    const ids: string[] = [];
    for (const alt of ALTS) ids.push(await upload(await picture("jpeg", 900, 600), alt));
    status = await alice.post("/api/v1/statuses", { status: "look", media_ids: ids });
    const copy = await atB(() => true);
    assert.deepEqual(altsOf(copy), ALTS);
    for (const { type, meta, blurhash, url } of copy.media_attachments) {
      assert.equal(type, "image");
      assert.deepEqual([meta.original.width, meta.original.height], [900, 600]);
      assert.ok(blurhash);
      assert.ok(url.startsWith(`${b.url}/media/remote/`), url);
    }
  });

  step("bob looks at them by his own server", async () => {
    const copy = await atB(() => true);
    for (const { url, preview_url: small } of copy.media_attachments) {
      const whole = await sharp(await (await fetch(url)).arrayBuffer()).metadata();
      assert.deepEqual([whole.width, whole.height], [900, 600]);
      assert.equal((await fetch(small)).status, 200);
    }
    const usage = await b.cli(["media", "usage"]);
    assert.match(usage.out, /copies of remote files\t8\t/);
  });

  step("an edit of one description arrives", async () => {
    const ids = status.media_attachments.map((media: any) => media.id);
    const answer = await a.request("PUT", `/api/v1/statuses/${status.id}`, {
      token: alice.token,
      json: {
        status: "look",
        media_ids: ids,
        media_attributes: [{ id: ids[1], description: "the flag of nowhere" }],
      },
    });
    assert.equal(answer.status, 200, answer.text);
    const copy = await atB((status) => status.edited_at !== null);
    assert.deepEqual(altsOf(copy), [ALTS[0], "the flag of nowhere", ALTS[2], ALTS[3]]);
  });
});

describe("while pictures are processed", () => {
  step("home answers", async () => {
    const large = await plainPicture(5000, 3000);
    let isDone = false;
    const uploads = Promise.all([1, 2, 3, 4].map(() => upload(large)));
    const finished = uploads.finally(() => (isDone = true));
    while (!isDone) {
      assert.ok(Array.isArray(await alice.get("/api/v1/timelines/home")));
      await sleep(50);
    }
    await finished;
  });

  step("a kill -9 loses nothing that was accepted", async () => {
    const large = await plainPicture(6000, 5000);
    const token = { token: alice.token };
    const accepted = new Set<string>();
    const tries = [1, 2, 3].map(async () => {
      // Whether the answer comes before the end or not.
      const multipart = formOf(large);
      const answer = await a
        .request("POST", "/api/v2/media", { ...token, multipart })
        .catch(() => null);
      if (answer?.status === 200 || answer?.status === 202) accepted.add(answer.json.id);
    });
    const folder = join(a.dataDir, "uploads");
    await eventually("uploads on the disk", async () => readdirSync(folder).length > 0);
    await sleep(300);
    await a.kill();
    await Promise.all(tries);
    await a.start();
    for (const id of accepted) await processed(id);
    // Those whose answer was lost were processed too: what is left is at most what had not arrived as a whole.
    const id = await upload(await picture("png"), "after the crash");
    const posted = await alice.post("/api/v1/statuses", { media_ids: [id] });
    assert.equal((await fetch(posted.media_attachments[0].url)).status, 200);
  });
});
