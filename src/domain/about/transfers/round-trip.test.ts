// Out of one server and into another: a person's archive is imported there, and what they have afterwards is compared
// with what they had.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { picture } from "../../../../test/files.ts";
import { carriedRows } from "../../../../test/carried-rows.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { folderSink } from "../../../../packages/export-server/src/sinks.ts";
import { plainText } from "../../../platform/text/plain.ts";
import { getArchive, requestArchive } from "./archive/request.ts";
import { writeContents } from "./archive/contents.ts";

const root = mkdtempSync(join(tmpdir(), "rookery-round-"));
let here: TestApp;
let there: TestApp;
let alice: Person;
let zoe: Person;

before(async () => {
  [here, there] = [await startTestApp(), await startTestApp()];
  alice = await here.person("alice");
  zoe = await there.person("zoe");
});
after(async () => {
  await here.close();
  await there.close();
  rmSync(root, { recursive: true, force: true });
});

/** Until all imports are over, and neither server has anything to do for the other: two run at once, the rest wait. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 200; round += 1) {
    await there.app
      .sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()`;
    await there.app.sql`UPDATE import_rows SET due_at = now() WHERE state = 'waiting'`;
    await there.runJobs();
    await here.runJobs();
    const rows = await there.app.sql`SELECT FROM imports WHERE state <> 'done'`;
    if (rows.length === 0 && round > 1) return;
  }
  assert.fail("the imports do not end");
};

/** The id of a picture that alice uploads. */
const uploaded = async (description: string): Promise<string> => {
  const multipart = new FormData();
  multipart.set("file", new Blob([new Uint8Array(await picture("png"))]), "a.png");
  multipart.set("description", description);
  multipart.set("focus", "0.5,-0.5");
  const { json } = await alice.post("/api/v2/media", multipart);
  await here.runJobs();
  return json.id;
};

const writeAll = async () => {
  const first = await alice
    .post("/api/v1/statuses", {
      status: "look #field",
      media_ids: [await uploaded("halves")],
      spoiler_text: "colours",
      language: "de",
    })
    .ok();
  await alice
    .post("/api/v1/statuses", {
      status: "more",
      in_reply_to_id: first.id,
      visibility: "private",
    })
    .ok();
  await alice.post("/api/v1/statuses", { status: "quiet", visibility: "unlisted" }).ok();
  await alice
    .post("/api/v1/statuses", {
      status: "which?",
      poll: { options: ["a", "b"], expires_in: 3600, multiple: true },
    })
    .ok();
  const place = "Barn";
  const event = { name: "Harvest", starts_at: "2031-05-01T18:00:00Z", place };
  await alice
    .post("/api/v1/statuses", { event: { ...event, ends_at: "2031-05-01T20:00:00Z" } })
    .ok();
  await alice
    .post("/api/v1/statuses", { status: "with a warning", spoiler_text: "food", event })
    .ok();
  await alice.post("/api/v1/statuses", { status: "@bob for you", visibility: "direct" }).ok();
};

const setUp = async () => {
  await alice
    .patch("/api/v1/accounts/update_credentials", {
      display_name: "Alice A.",
      note: "I like #moss\nand more",
      fields_attributes: [{ name: "web", value: "https://alice.example/" }],
      locked: true,
      discoverable: true,
      indexable: true,
      hide_collections: true,
      bot: true,
      show_media: false,
      show_media_replies: false,
      show_featured: false,
      attribution_domains: ["alice.example"],
      source: {
        privacy: "unlisted",
        sensitive: true,
        language: "de",
        quote_policy: "followers",
        expand_media: "hide_all",
        chosen_languages: ["de", "en"],
        locale: "de",
        time_zone: "Europe/Vienna",
      },
    })
    .ok();
  const multipart = new FormData();
  multipart.set("avatar", new Blob([new Uint8Array(await picture("png"))]), "a.png");
  multipart.set("avatar_description", "halves of me");
  multipart.set("header", new Blob([new Uint8Array(await picture("png"))]), "h.png");
  multipart.set("header_description", "a field");
  await alice.patch("/api/v1/accounts/update_credentials", multipart).ok();
  await alice
    .patch("/api/v2/notifications/policy", {
      for_not_following: "filter",
      for_not_followers: "filter",
      for_new_accounts: "drop",
      for_private_mentions: "accept",
      for_limited_accounts: "drop",
      for_bots: "drop",
    })
    .ok();
  await alice.post("/api/v1/featured_tags", { name: "moss" }).ok();
  await here.write`
    UPDATE users SET settings = settings || '{"mails": {"mention": false, "favourite": true}}'
    WHERE account_id = ${alice.accountId}`;
};

const inADay = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** For a circle, pinned, scheduled and begun. */
const writeForLater = async ({ listId, boostId }: { listId: string; boostId: string }) => {
  const circled = await alice
    .post("/api/v1/statuses", {
      status: "for friends",
      visibility: "circle",
      list_ids: [listId],
    })
    .ok();
  const open = await alice.post("/api/v1/statuses", { status: "read me first" }).ok();
  await alice.post(`/api/v1/statuses/${open.id}/pin`).ok();
  await alice
    .post("/api/v1/statuses", {
      status: "tomorrow",
      scheduled_at: inADay(),
      media_ids: [await uploaded("of tomorrow")],
    })
    .ok();
  await alice.post(`/api/v1/statuses/${boostId}/reblog`, { scheduled_at: inADay() }).ok();
  await alice
    .post("/api/v1/drafts", {
      statuses: [
        { status: "begun", media_ids: [await uploaded("of the draft")] },
        {
          status: "and more",
          in_reply_to_id: circled.id,
          visibility: "circle",
          list_ids: [listId],
        },
      ],
      scheduled_at: "2001-01-01T00:00:00.000Z",
    })
    .ok();
};

const useLists = async () => {
  const [bob, carol, dora] = [
    await here.person("bob"),
    await here.person("carol"),
    await here.person("dora"),
  ];
  await writeAll();
  const other = await bob.post("/api/v1/statuses", { status: "by bob" }).ok();
  await bob.post("/api/v1/statuses", { status: "@alice hush", visibility: "direct" }).ok();
  await setUp();
  for (const act of ["reblog", "favourite", "bookmark"]) {
    await alice.post(`/api/v1/statuses/${other.id}/${act}`).ok();
  }
  await alice
    .post(`/api/v1/accounts/${bob.accountId}/follow`, {
      reblogs: false,
      languages: ["de"],
      notify: true,
      replies: false,
      daily_limit: 3,
    })
    .ok();
  await alice.post(`/api/v1/accounts/${bob.accountId}/note`, { comment: "met,\nin Graz" }).ok();
  await alice.post(`/api/v1/accounts/${carol.accountId}/block`).ok();
  await alice
    .post(`/api/v1/accounts/${dora.accountId}/mute`, {
      notifications: false,
      duration: 86_400,
    })
    .ok();
  await alice.post("/api/v1/domain_blocks", { domain: "bad.example" }).ok();
  const list = await alice.post("/api/v1/lists", { title: "friends, old" }).ok();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }).ok();
  const filter = await alice
    .post("/api/v2/filters", {
      title: "no ads",
      context: ["home", "public"],
      filter_action: "hide",
      expires_in: 86_400,
      keywords_attributes: [{ keyword: "advert", whole_word: false, wildcards: true }],
    })
    .ok();
  await alice.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: other.id }).ok();
  await alice.post("/api/v1/tags/Gardening/follow").ok();
  await alice.post("/api/v1/tags/Rain/mute").ok();
  await alice.post("/api/v1/saved_searches", { q: 'moss from:bob "in Graz", -rain' }).ok();
  await alice.put(`/api/v1/lists/${list.id}`, { title: "friends, old", exclusive: true }).ok();
  await alice.post("/api/v1/lists", { title: "nobody yet", replies_policy: "none" }).ok();
  await bob.patch("/api/v1/accounts/update_credentials", { discoverable: true }).ok();
  await alice
    .post("/api/v1/collections", {
      name: "gardeners",
      description: "they know moss",
      tag_name: "Moss",
      language: "de",
      sensitive: true,
      discoverable: true,
      account_ids: [bob.accountId],
    })
    .ok();
  await alice.post("/api/v1/groups", { name: "moss", rules: ["Be kind."], holds_posts: true }).ok();
  const boosted = await bob.post("/api/v1/statuses", { status: "boost me later" }).ok();
  await writeForLater({ listId: list.id, boostId: boosted.id });
  await here.runJobs();
};

const archiveOf = async (server: TestApp, who: Person): Promise<Buffer> => {
  await requestArchive(server.app, who.accountId);
  await server.runJobs();
  const [row] = await server.app.sql<{ id: string }[]>`SELECT id FROM archives`;
  const { key } = await getArchive(server.app, who.accountId, row!.id);
  return buffer((await server.app.storage.open(key))!.stream);
};

type With = { lists?: boolean; settings?: boolean };

const upload = async (browser: Browser, archive: Buffer, { lists, settings }: With = {}) => {
  const page = await browser.get("/settings/import");
  const multipart = new FormData();
  multipart.set("form_token", hiddenFields(page.text, "/settings/import/posts")["form_token"]!);
  multipart.set("archive", new Blob([new Uint8Array(archive)]), "archive.tar.gz");
  if (lists) multipart.set("lists", "1");
  if (settings) multipart.set("settings", "1");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const answer = await there.visitor.post("/settings/import/posts", multipart, { cookie });
  assert.equal(answer.status, 302, answer.text);
  return answer.headers.get("location")!;
};

type Note = Record<string, any>;

/** An archive of these files. */
const packed = async (files: Record<string, object>): Promise<Buffer> => {
  const tar = pack();
  for (const [name, json] of Object.entries(files)) tar.entry({ name }, JSON.stringify(json));
  tar.finalize();
  return buffer(tar.pipe(createGzip()));
};

/** What must be the same of a post, whoever's it is. */
const comparable = ({ object }: { object: Note }, followers: string) => ({
  text: plainText(object["content"]),
  type: object["type"],
  published: object["published"],
  summary: object["summary"],
  sensitive: object["sensitive"],
  language: Object.keys(object["contentMap"] ?? {}),
  answers: object["inReplyTo"] !== null,
  to: object["to"].map((uri: string) => (uri === followers ? "followers" : uri)),
  event: object["startTime"] && [
    object["name"],
    object["startTime"],
    object["endTime"],
    object["location"],
  ],
  options: object["anyOf"]?.map(({ name }: Note) => name),
  tags: object["tag"].map(({ name }: Note) => name),
  files: object["attachment"].map(({ name, mediaType, width, height, focalPoint }: Note) => ({
    name,
    mediaType,
    width,
    height,
    focalPoint,
  })),
});

const outboxOf = (folder: string) => {
  const json = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { followers } = json("actor.json");
  return json("outbox.json")
    .orderedItems.filter(({ type }: Note) => type === "Create")
    .map((item: { object: Note }) => comparable(item, followers));
};

/** What is to end in so many seconds is taken over a moment later. */
const withTimesOf = (others: string[], rows: string[]): string[] =>
  rows.map((row, n) =>
    row.replace(/\d{4}-\d\d-\d\dT[\d:]{8}\+00:00/g, (time, at: number) => {
      const other = String(others[n]).slice(at, at + time.length);
      return Math.abs(Date.parse(time) - Date.parse(other)) <= 3000 ? other : time;
    }),
  );

test("what a person takes along is what they have on the other server", async () => {
  await useLists();
  const [before, afterwards] = [join(root, "before"), join(root, "afterwards")];
  await writeContents(here.app, folderSink(before), alice.accountId);
  const archive = await archiveOf(here, alice);
  const browser = openBrowser(there);
  await browser.signIn("zoe");
  const path = await upload(browser, archive, { lists: true });
  await settle();
  const imports = await zoe.get("/api/v1/imports").ok();
  const failed = imports.filter((row: Note) => row["failed"] > 0 || row["error"]);
  assert.deepEqual(
    failed.map((row: Note) => [row["type"], row["imported"], row["failed"]]),
    [["posts", 12, 1]],
    "only the private mention",
  );
  await writeContents(there.app, folderSink(afterwards), zoe.accountId);
  const pins = (folder: string) =>
    JSON.parse(readFileSync(join(folder, "featured.json"), "utf8")).orderedItems.length;
  assert.deepEqual([pins(afterwards), pins(before)], [1, 1]);
  const expected = outboxOf(before).filter(({ text }: { text: string }) => !/for you/.test(text));
  assert.equal(expected.length, 8);
  assert.deepEqual(outboxOf(afterwards), expected);
  const page = await browser.get(path);
  for (const words of ["1 boost", "1 favourite", "1 private mention by someone else"]) {
    assert.ok(page.text.includes(`<li>${words}</li>`), words);
  }
  const [posts] = imports.filter((row: Note) => row["type"] === "posts");
  const leftOut = { boosts: 1, received: 1, favourites: 1, settings: 1 };
  assert.deepEqual(posts.left_out, leftOut);
  await there.write`UPDATE users SET locale = 'de' WHERE account_id = ${zoe.accountId}`;
  const german = await browser.get(path);
  for (const words of [
    "1 geteilter Beitrag",
    "1 Favorit",
    "1 private Erwähnung von jemand anderem",
  ]) {
    assert.ok(german.text.includes(`<li>${words}</li>`), words);
  }
});

test("again it doubles nothing; without its lists only posts are taken", async () => {
  const archive = await buffer(
    (await here.app.storage.open(
      (await here.app.sql<{ file_key: string }[]>`SELECT file_key FROM archives`)[0]!.file_key,
    ))!.stream,
  );
  const counts = async (who: Person) => {
    const [row] = await there.app.sql`
      SELECT (SELECT count(*)::int FROM statuses WHERE account_id = ${who.accountId}) AS posts,
        (SELECT count(*)::int FROM follows WHERE account_id = ${who.accountId}) AS follows,
        (SELECT count(*)::int FROM list_accounts WHERE owner_id = ${who.accountId}) AS listed,
        (SELECT count(*)::int FROM filters WHERE account_id = ${who.accountId}) AS filters`;
    return row;
  };
  const before = await counts(zoe);
  const browser = openBrowser(there);
  await browser.signIn("zoe");
  await upload(browser, archive, { lists: true });
  await settle();
  assert.deepEqual(await counts(zoe), before);
  const yves = await there.person("yves");
  const other = openBrowser(there);
  await other.signIn("yves");
  await upload(other, archive);
  await settle();
  assert.deepEqual(await counts(yves), { posts: 8, follows: 0, listed: 0, filters: 0 });
  const rows = await yves.get("/api/v1/imports").ok();
  assert.deepEqual(
    rows.map(({ type }: Note) => type),
    ["posts"],
  );
});

const avatarOf = async (server: TestApp, { accountId }: Person, name: string): Promise<Buffer> => {
  const folder = join(root, name);
  await writeContents(server.app, folderSink(folder), accountId);
  return readFileSync(join(folder, "avatar.png"));
};

const archiveStored = async (): Promise<Buffer> => {
  const [row] = await here.app.sql<{ file_key: string }[]>`SELECT file_key FROM archives`;
  return buffer((await here.app.storage.open(row!.file_key))!.stream);
};

test("each column that is carried has its value there; profile and settings only where that is ticked", async () => {
  const archive = await archiveStored();
  const xena = await there.person("xena");
  const browser = openBrowser(there);
  await browser.signIn("xena");
  await upload(browser, archive);
  await settle();
  const untouched = await xena.get("/api/v1/accounts/verify_credentials").ok();
  assert.deepEqual([untouched.display_name, untouched.locked], ["", false]);
  // A name of a group can be taken once.
  const other = openBrowser(there);
  await other.signIn("zoe");
  await upload(other, archive, { lists: true, settings: true });
  await settle();
  const imports = await zoe.get("/api/v1/imports").ok();
  const posts = imports.find(({ type }: Note) => type === "posts");
  assert.equal(posts.left_out.settings, undefined);
  const expected = await carriedRows(here, alice.accountId, true);
  const actual = await carriedRows(there, zoe.accountId);
  const taken = Object.entries(actual).map(([table, rows]) => [
    table,
    withTimesOf(expected[table]!, rows),
  ]);
  assert.deepEqual(Object.fromEntries(taken), expected);
  assert.deepEqual(await avatarOf(there, zoe, "actual"), await avatarOf(here, alice, "expected"));
});

test("settings that are none change nothing", async () => {
  const wanda = await there.person("wanda");
  const browser = openBrowser(there);
  await browser.signIn("wanda");
  const change = (settings: object): Promise<Buffer> => packed({ "settings.json": settings });
  for (const settings of [
    { profile: { display_name: "x".repeat(1000) } },
    { profile: { display_name: "x".repeat(1000), actor_type: { toString: 1, valueOf: 1 } } },
    { profile: { display_name: "W" }, preferences: { privacy: "everybody" } },
    { profile: { display_name: "W" }, locale: "nowhere" },
  ]) {
    await upload(browser, await change(settings), { settings: true });
    await settle();
  }
  const rows = await wanda.get("/api/v1/imports").ok();
  assert.deepEqual(
    rows.map((row: Note) => row["error"]),
    Array(4).fill("The archive contains no posts by its owner."),
  );
  const who = await wanda.get("/api/v1/accounts/verify_credentials").ok();
  assert.equal(who.display_name, "");
});

/** One of our archives, of somebody whom this server does not know. */
const OWN = {
  "actor.json": {
    id: "https://gone.example/users/al",
    type: "Person",
    preferredUsername: "al",
    followers: "https://gone.example/users/al/followers",
  },
};

test("what cannot be taken as it was says why, or becomes a draft; hostile entries are passed over", async () => {
  const vera = await there.person("vera");
  const browser = openBrowser(there);
  await browser.signIn("vera");
  await there.person("taken");
  const past = "2001-01-01T00:00:00.000Z";
  const hostile = await packed({
    ...OWN,
    "scheduled_statuses.json": [
      { id: "1", scheduled_at: past, params: { status: "too late" } },
      {
        id: "2",
        scheduled_at: past,
        params: { reblog_of_id: "1", status: "https://gone.example/1" },
      },
      { id: "3", scheduled_at: inADay(), params: { status: "", media_ids: ["9"] } },
      { id: "4", scheduled_at: inADay(), params: { status: 7, visibility: "everybody" } },
      "no object",
    ],
    "drafts.json": [
      { id: "1", statuses: [{ status: "nul \0 and half \ud800", list_titles: ["new list"] }] },
      { id: "2", statuses: [] },
      { id: "3" },
    ],
    "groups.json": [
      { name: "taken", role: "owner" },
      { name: "theirs", role: "moderator" },
      { name: "rocks", role: "owner", rules: ["Be kind."], holds_posts: true },
    ],
    "lists.json": [{ title: "" }, { title: "odd", replies_policy: "everybody" }, { title: "mine" }],
    "collections.json": [
      { name: "x".repeat(100) },
      { name: "nobody", accounts: ["https://gone.example/bo"] },
    ],
  });
  const own = { title: "mine", replies_policy: "none", exclusive: true };
  const { id: listId } = await vera.post("/api/v1/lists", own).ok();
  for (const _again of [1, 2]) {
    await upload(browser, hostile, { lists: true });
    await settle();
  }
  const texts = (await vera.get("/api/v1/drafts").ok()).map(
    ({ statuses }: Note) => statuses[0].status,
  );
  assert.deepEqual(texts.toSorted(), ["", "nul  and half \ufffd", "too late"]);
  assert.deepEqual(await vera.get("/api/v1/scheduled_statuses").ok(), []);
  const titles = (await vera.get("/api/v1/lists").ok()).map(({ title }: Note) => title);
  assert.deepEqual(titles.toSorted(), ["mine", "new list", "odd"]);
  const kept = await vera.get(`/api/v1/lists/${listId}`).ok();
  assert.deepEqual(kept, { id: listId, ...own }, "what an archive does not say stays");
  const [groups, collections] = [
    await vera.get("/api/v1/groups").ok(),
    (await vera.get(`/api/v1/accounts/${vera.accountId}/collections`).ok()).collections,
  ];
  assert.deepEqual(
    groups.map(({ account, role }: Note) => [account.username, role]),
    [["rocks", "owner"]],
  );
  assert.deepEqual(
    collections.map(({ name }: Note) => name),
    ["nobody"],
  );
  const rows = (await vera.get("/api/v1/imports").ok()).slice(0, 4);
  assert.deepEqual(
    rows.map(({ type, imported, failed }: Note) => [type, imported, failed]).toSorted(),
    [
      ["collections", 0, 2],
      ["groups", 1, 1],
      ["list_options", 1, 2],
      ["posts", 3, 1],
    ],
  );
  const posts = rows.find(({ type }: Note) => type === "posts");
  const unposted = await vera.get(`/api/v1/imports/${posts.id}/failures`);
  assert.match(unposted.text, /^https:\/\/gone\.example\/1,/);
  const { id } = rows.find(({ type }: Note) => type === "groups");
  const page = await browser.get(`/settings/import/${id}`);
  assert.match(page.text, /<code>taken<\/code>/);
  const failures = await vera.get(`/api/v1/imports/${id}/failures`).ok();
  assert.deepEqual(
    failures.map(({ name }: Note) => name),
    ["taken"],
  );
});
