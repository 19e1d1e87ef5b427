// The look of the server: pictures that are uploaded in the browser and are then everywhere, and its colour.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { removeSitePicture, setSitePicture } from "../../domain/staff/moderation/look.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";

const LOOK = "/admin/settings/look";

let t: TestApp;
let owner: Browser;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await t.person("mia", { role: "Moderator" });
  owner = openBrowser(t);
  await owner.signIn("boss");
});
after(() => t.close());

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#0a5c36" } })
    .png()
    .toBuffer();

const upload = async (who: Browser, kind: string, bytes: Buffer | null) => {
  const page = await owner.get(LOOK);
  const multipart = new FormData();
  multipart.set("form_token", hiddenFields(page.text, `${LOOK}/${kind}`)["form_token"]!);
  if (bytes) multipart.set("picture", new Blob([new Uint8Array(bytes)]), "picture.png");
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, accept: "text/html" };
  return t.visitor.post(`${LOOK}/${kind}`, multipart, headers);
};

const instance = async () => (await t.visitor.get("/api/v2/instance")).json;

const bytesOf = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(new URL(path, t.url))).arrayBuffer());

const sizeOf = async (path: string) => {
  const { width, height } = await sharp(await bytesOf(path)).metadata();
  return [width, height];
};

describe("pictures", () => {
  test("an icon is there in every size, for apps, browsers and home screens, until it is removed", async () => {
    const before = await bytesOf("/icons/96.png");
    assert.equal((await upload(owner, "icon", await picture(600, 500))).status, 302);
    const { icon } = await instance();
    assert.deepEqual(
      icon.map(({ size }: { size: string }) => size),
      ["48x48", "96x96", "192x192", "512x512"],
    );
    for (const { src, size } of icon) assert.equal((await sizeOf(src)).join("x"), size);
    const { json: manifest } = await t.visitor.get("/manifest.json");
    assert.deepEqual(
      manifest.icons.map(({ src, purpose }: Record<string, string>) => [src, purpose]),
      icon.map(({ src }: { src: string }) => [src, "any"]),
    );
    assert.deepEqual(await sizeOf("/icons/96.png"), [96, 96]);
    assert.notDeepEqual(await bytesOf("/icons/96.png"), before);
    assert.deepEqual(await sizeOf("/favicon.ico"), [48, 48]);
    for (const path of ["/assets/icon.svg", "/assets/logo.svg"])
      assert.match((await t.visitor.get(path)).text, /data:image\/png;base64/);
    const page = await owner.get(LOOK);
    await owner.submit(page, `${LOOK}/icon/remove`, {});
    assert.match((await instance()).icon[0].src, /\/icons\/48\.png$/);
    assert.deepEqual(await bytesOf("/icons/96.png"), before);
    assert.doesNotMatch((await t.visitor.get("/assets/icon.svg")).text, /base64/);
    const [{ count }] = await t.app.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM files_to_delete WHERE key LIKE 'site/%'`;
    assert.equal(count, 4);
  });

  test("a banner is the thumbnail of the instance, in two sizes, with what it shows", async () => {
    await owner.submit(await owner.get(LOOK), LOOK, { thumbnail_description: "A harbour" });
    assert.equal((await upload(owner, "banner", await picture(2400, 1260))).status, 302);
    const { thumbnail } = await instance();
    assert.equal(thumbnail.description, "A harbour");
    assert.ok(thumbnail.blurhash);
    assert.equal(thumbnail.url, thumbnail.versions["@1x"]);
    assert.deepEqual(await sizeOf(thumbnail.versions["@1x"]), [1200, 630]);
    assert.deepEqual(await sizeOf(thumbnail.versions["@2x"]), [2400, 1260]);
    assert.deepEqual(await sizeOf("/preview.png"), [1200, 630]);
    assert.equal((await t.visitor.get("/api/v1/instance")).json.thumbnail, thumbnail.url);
  });

  test("a logo is beside the name, in place of the icon", async () => {
    const before = (await t.visitor.get("/assets/logo.svg")).text;
    await setSitePicture(t.app, COMMAND_LINE, "logo", await picture(300, 300));
    assert.notEqual((await t.visitor.get("/assets/logo.svg")).text, before);
    assert.match((await owner.get("/home")).text, /<img src="\/assets\/logo\.svg"/);
    await removeSitePicture(t.app, COMMAND_LINE, "logo");
    await assert.rejects(removeSitePicture(t.app, COMMAND_LINE, "logo"), /image doesn’t exist/);
  });

  test("what is no picture is refused, and those who may not change settings", async () => {
    for (const bytes of [null, Buffer.from("no picture")])
      assert.equal((await upload(owner, "logo", bytes)).status, 422);
    const mod = openBrowser(t);
    await mod.signIn("mia");
    const { status } = await mod.post(`${LOOK}/logo/remove`, {});
    assert.ok(status === 403 || status === 422, String(status));
    assert.equal((await mod.get(LOOK)).status, 403);
    assert.equal((await instance()).icon.length, 4);
  });

  test("each change is in the audit log", async () => {
    const rows = await t.app.sql`
      SELECT target_label, details FROM audit_log WHERE target_label LIKE '%_picture' ORDER BY id`;
    assert.deepEqual(
      rows.map((row) => [row["target_label"], row["details"].to]),
      [
        ["icon_picture", "uploaded"],
        ["icon_picture", "removed"],
        ["banner_picture", "uploaded"],
        ["logo_picture", "uploaded"],
        ["logo_picture", "removed"],
      ],
    );
  });
});

describe("the colour", () => {
  test("one that cannot be read is refused, with the nearest that can", async () => {
    for (const [colour, sentence] of [
      ["#ffee00", /too light[^]*The nearest colour that works is #[0-9a-f]{6}/],
      ["red", /Enter a colour such as #5b3fc4/],
    ] as const) {
      const answer = await owner.submit(await owner.get(LOOK), LOOK, { accent_color: colour });
      assert.equal(answer.status, 422);
      assert.match(answer.text, sentence);
      assert.ok(answer.text.includes(`value="${colour}"`));
    }
  });

  test("it is in the client, on pages, in the manifest and for apps", async () => {
    await owner.submit(await owner.get(LOOK), LOOK, { accent_color: "#0A5C36" });
    const style = "/assets/accent/0a5c36.css";
    assert.equal((await instance()).accent_color, "#0a5c36");
    assert.equal((await t.visitor.get("/manifest.json")).json.theme_color, "#0a5c36");
    for (const path of ["/home", "/admin", LOOK])
      assert.ok((await owner.get(path)).text.includes(style), path);
    assert.ok((await openBrowser(t).get("/auth/sign_in")).text.includes(style));
    const { text, headers } = await t.visitor.get(style);
    assert.match(text, /--accent: light-dark\(#0a5c36, #[0-9a-f]{6}\)/);
    assert.match(headers.get("content-type")!, /text\/css/);
    assert.equal((await t.visitor.get("/assets/accent/zzz.css")).status, 404);
    await owner.submit(await owner.get(LOOK), LOOK, { reset: "accent_color" });
    assert.equal((await instance()).accent_color, undefined);
  });
});
