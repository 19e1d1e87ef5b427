// Pictures of alice@a, whom bob@b follows; then what is lost when both servers are killed: nothing.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { before, describe } from "node:test";
import sharp from "sharp";
import { formOf, picture, plainPicture } from "../../files.ts";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import type { Someone } from "../server.ts";
import { a, b } from "./pair.ts";

let alice: Someone;
let bob: Someone;
const step = journey(() => [a, b]);

before(async () => {
  [alice, bob] = await Promise.all([a.person("painting_alice"), b.person("looking_bob")]);
});

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

describe("kill -9 of both servers, while one is down and the other works", () => {
  const accepted = new Set<string>();
  let home: string[] = [];
  let posts: any[] = [];

  const uploadUnsure = async (file: Buffer): Promise<void> => {
    const { token } = alice;
    // Whether the answer comes before the end or not.
    const answer = await a
      .request("POST", "/api/v2/media", { token, multipart: formOf(file) })
      .catch(() => null);
    if (answer?.status === 200 || answer?.status === 202) accepted.add(answer.json.id);
  };

  const homeOfBob = async (): Promise<any[]> => {
    const path = "/api/v1/timelines/home?limit=40";
    const { status, json } = await b.request("GET", path, { token: bob.token });
    // It is being made anew.
    return status === 200 ? json : [];
  };

  step("alice posts to a server that is down, and uploads", async () => {
    home = (await homeOfBob()).map(({ id }) => id);
    await b.kill();
    posts = [await alice.post("/api/v1/statuses", { status: "are you there?" })];
    await eventually("the failed attempt", () => a.log().includes("delivery put off"));
    const large = await plainPicture(5000, 4000);
    const uploads = [1, 2].map(() => uploadUnsure(large));
    const folder = join(a.dataDir, "uploads");
    await eventually("uploads on the disk", async () => readdirSync(folder).length > 0);
    assert.ok(Array.isArray(await alice.get("/api/v1/timelines/home")));
    await sleep(300);
    posts.push(await alice.post("/api/v1/statuses", { status: "famous last words" }));
    await a.kill();
    await Promise.all(uploads);
    await Promise.all([a.start(), b.start()]);
  });

  step("the home is there again, and both posts arrive", async (context) => {
    const began = performance.now();
    // Where b is not up for the attempt after five seconds, the next one is half a minute later.
    const arrived = async (): Promise<any> => {
      const now = await homeOfBob();
      return posts.every(({ uri }) => now.some((status) => status.uri === uri)) && now;
    };
    const now: any[] = await eventually("both posts", arrived, 90_000);
    context.diagnostic(`${Math.round(performance.now() - began)} ms after the start`);
    const uris = posts.map(({ uri }) => uri);
    const before = now.filter(({ uri }) => !uris.includes(uri)).map(({ id }) => id);
    assert.deepEqual(before, home);
  });

  step("what was accepted is processed, and more is", async () => {
    for (const id of accepted) await processed(id);
    const id = await upload(await picture("png"), "after the crash");
    const posted = await alice.post("/api/v1/statuses", { media_ids: [id] });
    assert.equal((await fetch(posted.media_attachments[0].url)).status, 200);
  });
});
