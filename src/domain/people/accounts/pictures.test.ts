// The avatar and the header of one's own profile: set, removed and refused, in every form that clients use.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, RequestOptions, TestApp } from "../../../../test/harness.ts";
import sharp from "sharp";
import { formOf, movingGif, picture, picturedPlace } from "../../../../test/files.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { uploadFolder } from "../../../platform/storage/uploads.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
});
after(() => server?.close());

let people = 0;
beforeEach(async () => {
  alice = await server.person(`alice${(people += 1)}`);
});

const PROFILE = "/api/v1/profile";
const UPDATE = "/api/v1/accounts/update_credentials";

const sendPictures = (pictures: Record<string, Buffer>) =>
  alice.patch(UPDATE, formOf(null, pictures));

const shapeOf = async (url: string) => {
  const served = await fetch(url);
  const { width, height, pages = 1, exif } = await sharp(await served.arrayBuffer()).metadata();
  return { type: served.headers.get("content-type"), width, height, pages, exif };
};

test("pictures are set in the size that is shown, still ones where they move, and removed", async () => {
  server.enqueued.length = 0;
  const first = await sendPictures({
    avatar: await movingGif(),
    header: await picturedPlace(),
  }).ok();
  assertEntity("CredentialAccount", first);
  const { avatar, avatar_static, header, header_static } = first;
  const square = { width: 400, height: 400, exif: undefined };
  assert.deepEqual(await shapeOf(avatar), { type: "image/gif", pages: 5, ...square });
  assert.deepEqual(await shapeOf(avatar_static), { type: "image/png", pages: 1, ...square });
  assert.equal(header_static, header);
  const wide = { type: "image/jpeg", width: 1500, height: 500, pages: 1, exif: undefined };
  assert.deepEqual(await shapeOf(header), wide);
  const own = await alice.get(PROFILE);
  assert.deepEqual([own.json.avatar, own.json.header], [avatar, header]);
  const actor = await server.visitor.get(`/users/${alice.username}`, {
    accept: "application/activity+json",
  });
  assert.deepEqual(actor.json.icon, { type: "Image", mediaType: "image/gif", url: avatar });
  assert.deepEqual(actor.json.image, { type: "Image", mediaType: "image/jpeg", url: header });

  const removed = await alice.delete(`${PROFILE}/avatar`);
  assert.match(removed.json.avatar, /missing\.png$/);
  assert.equal(removed.json.header, header);
  await sendPictures({ header: await picture("png") });
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  for (const url of [avatar, avatar_static, header]) {
    assert.equal((await fetch(url)).status, 404);
  }
  const last = await alice.delete(`${PROFILE}/header`);
  assert.match(last.json.header, /missing\.png$/);
  await alice.delete(`${PROFILE}/header`).ok();
  assert.equal(server.enqueued.filter(({ name }) => name === "account.updated").length, 5);
});

/** As many bytes as a picture of its size can have. */
const noise = (width: number, height: number): Promise<Buffer> => {
  const gaussian = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "#000", noise: gaussian } })
    .png()
    .toBuffer();
};

const bytesOf = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;

const filesDeleted = async () => {
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
};

test("an avatar has a small still one, which goes with it", async () => {
  const small = { type: "image/webp", width: 120, height: 120, pages: 1, exif: undefined };
  const noisy = await sendPictures({ avatar: await noise(500, 500) });
  assertEntity("CredentialAccount", noisy.json);
  assert.deepEqual(await shapeOf(noisy.json.avatar_small), small);
  const [large, less] = [await bytesOf(noisy.json.avatar), await bytesOf(noisy.json.avatar_small)];
  assert.ok(less * 10 < large, `${less} bytes of ${large}`);
  const moving = await sendPictures({ avatar: await movingGif() });
  assert.deepEqual(await shapeOf(moving.json.avatar_small), small);
  await filesDeleted();
  assert.equal((await fetch(noisy.json.avatar_small)).status, 404);
  const removed = await alice.delete(`${PROFILE}/avatar`);
  assert.match(removed.json.avatar, /missing\.png$/);
  const { json } = await alice.get("/api/v1/accounts/verify_credentials");
  assert.equal("avatar_small" in json, false);
  await filesDeleted();
  assert.equal((await fetch(moving.json.avatar_small)).status, 404);
});

test("avatars of before get small ones later, or keep to the large one", async () => {
  const own = async () => (await alice.get("/api/v1/accounts/verify_credentials")).json;
  const { json: first } = await sendPictures({ avatar: await movingGif() });
  const before = (changed: object) =>
    server.fixture(
      (sql) => sql`UPDATE accounts SET ${sql(changed as never)} WHERE id = ${alice.accountId}`,
    );
  const shrink = async () => {
    await server.app.jobs.add(server.app.sql, "avatars.shrink", {});
    await server.runJobs();
  };
  await before({ avatar_small_key: null });
  assert.equal("avatar_small" in (await own()), false);
  await shrink();
  const { avatar, avatar_small } = await own();
  assert.deepEqual([avatar, avatar_small === first.avatar_small], [first.avatar, false]);
  assert.equal((await shapeOf(avatar_small)).width, 120);
  const lost = "avatars/00/00000000000000000000.png";
  await before({ avatar_key: lost, avatar_static_key: null, avatar_small_key: null });
  await shrink();
  assert.match((await own()).avatar_small, new RegExp(`${lost}$`));
});

/** A part of a form without a file name is text; a file input that nobody used sends an empty file. */
const partsOf = (avatar: string | Blob, header: string | Blob): FormData => {
  const form = new FormData();
  form.append("display_name", "A");
  for (const [name, value] of Object.entries({ avatar, header })) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "");
  }
  return form;
};

const empty = () => new Blob([], { type: "application/octet-stream" });

const EMPTY_PICTURES: [string, RequestOptions & { query?: string }, "removed" | "kept"][] = [
  ["JSON null", { json: { avatar: null, header: null } }, "removed"],
  ["an empty text in JSON", { json: { avatar: "", header: "" } }, "removed"],
  ["an empty text in a form", { form: { avatar: "", header: "" } }, "removed"],
  ["an empty text in the address", { query: "?avatar=&header=" }, "removed"],
  ["an empty text in a multipart form", { multipart: partsOf("", "") }, "removed"],
  ["the word that FormData makes of null", { multipart: partsOf("null", "null") }, "removed"],
  ["empty files in a multipart form", { multipart: partsOf(empty(), empty()) }, "kept"],
  ["JSON without them", { json: { display_name: "A" } }, "kept"],
  ["a form without them", { form: { display_name: "A" } }, "kept"],
  ["nothing", {}, "kept"],
];

test("null or empty pictures are removed with their descriptions; empty files change nothing", async () => {
  const file = await picture("png");
  let before = "removed";
  for (const path of [UPDATE, PROFILE]) {
    for (const [form, { query = "", ...body }, fate] of EMPTY_PICTURES) {
      if (before === "removed") await sendPictures({ avatar: file, header: file });
      before = fate;
      await alice.patch(PROFILE, { avatar_description: "a", header_description: "h" });
      const answer = await server.request("PATCH", path + query, { token: alice.token, ...body });
      assert.equal(answer.status, 200, `${form}: ${answer.text}`);
      const { json: profile } = await alice.get(PROFILE);
      const members = ["avatar", "avatar_static", "header", "header_static"] as const;
      const kept = members.filter((name) => profile[name] !== null);
      assert.deepEqual(kept, fate === "kept" ? members : [], `${path}: ${form}`);
      const described = [profile.avatar_description, profile.header_description];
      assert.deepEqual(described, fate === "kept" ? ["a", "h"] : ["", ""], `${path}: ${form}`);
    }
  }
});

test("one picture is removed while the other is set, and the files of the old go", async () => {
  const first = await sendPictures({ avatar: await picture("png"), header: await picture("png") });
  const form = formOf(null, { avatar: await picture("png", 80, 80) });
  form.append("header", "");
  const json = await alice.patch(UPDATE, form).ok();
  assert.notEqual(json.avatar, first.json.avatar);
  assert.match(json.header, /missing\.png$/);
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  for (const { avatar, header } of [first.json]) {
    assert.deepEqual([(await fetch(avatar)).status, (await fetch(header)).status], [404, 404]);
  }
});

test("pictures may come as data: addresses in JSON and forms", async () => {
  const uri = async (format: "png" | "jpeg", type: string) =>
    `data:${type};base64,${(await picture(format)).toString("base64")}`;
  const body = { avatar: await uri("png", "image/png"), header: await uri("jpeg", "image/jpg") };
  for (const options of [{ json: body }, { form: body }]) {
    const { status, json, text } = await server.request("PATCH", UPDATE, {
      token: alice.token,
      ...options,
    });
    assert.equal(status, 200, text);
    assert.equal((await shapeOf(json.avatar)).type, "image/png");
    assert.equal((await shapeOf(json.header)).type, "image/jpeg");
  }
  for (const avatar of ["data:,x", "data:image/png;base64,", "data:text/html;base64,PGI+", "x"]) {
    const { status, json } = await alice.patch(UPDATE, { avatar });
    assert.deepEqual([status, json.details?.avatar?.[0].error], [422, "ERR_INVALID"], avatar);
  }
  const left = () => readdirSync(uploadFolder(server.app.config.dataDir)).length;
  await eventually("the files of the requests to go", () => left() === 0);
});

test("what is no picture changes nothing, and leaves no file", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const damaged = (await picture("png", 300, 300)).subarray(0, 150);
  for (const bad of [svg, damaged]) {
    const answer = await sendPictures({ avatar: await picture("png"), header: bad });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.error, /^Validation failed: Header /);
    assert.ok(answer.json.details.header);
  }
  const { json } = await alice.get(PROFILE);
  assert.deepEqual([json.avatar, json.header], [null, null]);
});

test("an update that fails leaves no picture, and the profile as it was", async () => {
  const kept = async () => {
    const folder = `${server.app.config.dataDir}/media`;
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length;
  };
  await sendPictures({ avatar: await picture("png") });
  const { json: before } = await alice.get(PROFILE);
  const files = await kept();
  const { sql } = server.app;
  await sql.unsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse();
  `);
  const failed = await sendPictures({ avatar: await movingGif(), header: await picture("png") });
  await sql.unsafe("DROP TRIGGER refuse ON accounts; DROP FUNCTION refuse()");
  assert.equal(failed.status, 507, failed.text);
  assert.equal(await kept(), files);
  const long = formOf(null, { avatar: await picture("png"), display_name: "x".repeat(500) });
  assert.equal((await alice.patch(UPDATE, long)).status, 422);
  assert.equal(await kept(), files);
  assert.deepEqual((await alice.get(PROFILE)).json, before);
});
