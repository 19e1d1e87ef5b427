// Announcements: their content, when they are shown, who read them, reactions, and stream events.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { openStream, until } from "../../../../test/stream-client.ts";
import { createAnnouncement, removeAnnouncement } from "./announce.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let now = new Date();

before(async () => {
  server = await startTestApp({ clock: { now: () => now } });
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});
beforeEach(async () => {
  now = new Date();
  await server.write`DELETE FROM announcements`;
});
after(() => server.close());

const list = async (who: Person = alice, query = "") => {
  const answer = await who.get(`/api/v1/announcements${query}`).ok();
  for (const announcement of answer) assertEntity("Announcement", announcement);
  return answer;
};

const react = (who: Person, id: string, name: string, method = "PUT") =>
  who.send(method, `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`);

type Stream = Awaited<ReturnType<typeof openStream>>;

/** The payload of the first event of this name. */
const eventOf = (stream: Stream, name: string) =>
  until(name, () => stream.frames.find((frame) => frame.event === name)?.payload);

const HOUR = 3_600_000;
const at = (hours: number) => new Date(now.getTime() + hours * HOUR);

test("a server that announces nothing is asked nothing of announcements", async () => {
  await list();
  const asked = () => server.countQueries(() => list(), { warm: true });
  const nothing = await asked();
  await createAnnouncement(server.app, COMMAND_LINE, { text: "We move on Friday." });
  assert.equal((await list()).length, 1);
  assert.ok(nothing.queries < (await asked()).queries);
});

describe("an announcement", () => {
  test("has its people, posts, tags and emojis", async () => {
    const key = "emojis/12/34.png";
    await server.write`
      INSERT INTO custom_emojis (shortcode, file_key, static_key) VALUES ('rook', ${key}, ${key})`;
    const write = (visibility: string) =>
      bob.post("/api/v1/statuses", { status: "read this", visibility });
    const [open, hidden] = [(await write("public")).json, (await write("private")).json];
    await createAnnouncement(server.app, COMMAND_LINE, {
      text: `Ask @bob about #Birds :rook: <b>\n\n${open.url} ${hidden.url} @nobody`,
    });
    const [announcement] = await list();
    assert.match(
      announcement.content,
      /^<p>Ask <span class="h-card" translate="no"><a href="[^"]+\/@bob"/,
    );
    assert.match(announcement.content, /&lt;b&gt;/);
    assert.deepEqual(announcement.mentions, [
      { id: bob.accountId, username: "bob", url: `${server.url}/@bob`, acct: "bob" },
    ]);
    assert.deepEqual(announcement.statuses, [{ id: open.id, url: open.url }]);
    assert.deepEqual(announcement.tags, [{ name: "birds", url: `${server.url}/tags/birds` }]);
    assert.equal(announcement.emojis[0].shortcode, "rook");
    assert.deepEqual(
      [announcement.read, announcement.all_day, announcement.starts_at, announcement.ends_at],
      [false, false, null, null],
    );
    assert.deepEqual(announcement.reactions, []);
  });

  test("holds from its publication to its end; one of whole days to the end of the last", async () => {
    await createAnnouncement(server.app, COMMAND_LINE, { text: "later", publishAt: at(2) });
    await createAnnouncement(server.app, COMMAND_LINE, { text: "ends", endsAt: at(1) });
    const noon = nextNoon();
    now = noon;
    await createAnnouncement(server.app, COMMAND_LINE, {
      text: "days",
      startsAt: at(-36),
      endsAt: at(-12),
      allDay: true,
    });
    const texts = async () =>
      (await list()).map((announcement: { content: string }) =>
        announcement.content.replace(/<[^>]+>/g, ""),
      );
    assert.ok((await texts()).includes("days"));
    now = new Date(noon.getTime() + 12 * HOUR + 1000);
    assert.ok(!(await texts()).includes("days"));
    now = new Date();
    assert.ok((await texts()).includes("ends"));
    assert.ok(!(await texts()).includes("later"));
    now = at(3);
    assert.ok(!(await texts()).includes("ends"));
  });

  test("is read when it was dismissed, by that person alone", async () => {
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "hello" });
    const dismiss = (pathId: string) => alice.post(`/api/v1/announcements/${pathId}/dismiss`);
    assert.deepEqual((await dismiss(id)).json, {});
    await dismiss(id).ok();
    assert.equal((await list())[0].read, true);
    assert.equal((await list(bob))[0].read, false);
    assert.equal((await list(alice, "?with_dismissed=false")).length, 0);
    assert.equal((await list(alice, "?with_dismissed=true")).length, 1);
    for (const other of ["1", "x", "99999999999999999999"]) {
      assert.equal((await dismiss(other)).status, 404);
    }
  });

  test("is shown to people alone", async () => {
    assert.equal((await server.visitor.get("/api/v1/announcements")).status, 422);
    const app = await server.token(null, ["read", "write"]);
    assert.equal((await server.as(app).get("/api/v1/announcements")).status, 422);
  });

  test("takes as many queries with five as with one", async () => {
    await createAnnouncement(server.app, COMMAND_LINE, { text: "one @bob :rook:" });
    await list();
    const single = await server.countQueries(() => list());
    for (let index = 0; index < 4; index += 1) {
      await createAnnouncement(server.app, COMMAND_LINE, { text: `more @alice :rook: ${index}` });
    }
    const many = await server.countQueries(() => list());
    assert.equal(many.result.length, 5);
    assert.equal(many.queries, single.queries);
  });
});

describe("reactions", () => {
  test("are Unicode or custom emojis, counted, and one's own are marked", async () => {
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "party" });
    for (const name of ["🎉", "❤", "👩‍🚀", "rook"]) {
      assert.equal((await react(alice, id, name)).status, 200, name);
    }
    await react(alice, id, "🎉", "PATCH").ok();
    await react(bob, id, "🎉");
    const [announcement] = await list();
    assert.deepEqual(announcement.reactions[0], { name: "🎉", count: 2, me: true });
    assert.equal(announcement.reactions[3].url, `${server.url}/media/emojis/12/34.png`);
    assert.equal((await list(bob))[0].reactions[1].me, false);
    for (const name of ["x", "🎉🎉", "nosuch", " ", "a".repeat(300)]) {
      const answer = await react(alice, id, name);
      assert.equal(answer.status, 422, name);
      assert.match(answer.json.error, /Name is not a recognized emoji/);
    }
  });

  test("are taken back once", async () => {
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "party" });
    await react(alice, id, "🎉");
    assert.equal((await react(bob, id, "🎉", "DELETE")).status, 404);
    await react(alice, id, "🎉", "DELETE").ok();
    assert.equal((await react(alice, id, "🎉", "DELETE")).status, 404);
    assert.deepEqual((await list())[0].reactions, []);
    assert.equal((await react(alice, "1", "🎉")).status, 404);
  });

  test("are of eight kinds at most, also when all come at once", async () => {
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "party" });
    const names = [..."🍇🍈🍉🍊🍋🍌🍍🥭🍎🍏"];
    const answers = await Promise.all(names.map((name) => react(alice, id, name)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 8);
    const [{ reactions }] = await list();
    assert.equal(reactions.length, 8);
    await react(bob, id, reactions[0].name).ok();
  });

  test("want their scope", async () => {
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "party" });
    const token = await server.token(alice.userId, ["write:accounts"]);
    assert.equal((await react({ ...alice, token }, id, "🎉")).status, 403);
  });
});

describe("open streams get events", () => {
  const open = (who: Person) =>
    openStream(server.url, { query: { access_token: who.token, stream: "user" } });

  test("of what is announced, of reactions and of removal, by whatever process did it", async () => {
    await server.runJobs();
    const streams = await Promise.all([open(alice), open(bob)]);
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "live" });
    await server.runJobs();
    await react(alice, id, "🎉");
    await removeAnnouncement(server.app, COMMAND_LINE, id);
    await server.runJobs();
    for (const stream of streams) {
      const entity = JSON.parse(await eventOf(stream, "announcement"));
      assertEntity("Announcement", entity);
      assert.deepEqual([entity.id, "read" in entity], [id, false]);
      const reaction = JSON.parse(await eventOf(stream, "announcement.reaction"));
      assertEntity("AnnouncementReactionEvent", reaction);
      assert.deepEqual(reaction, { name: "🎉", count: 1, announcement_id: id });
      assert.equal(await eventOf(stream, "announcement.delete"), id);
      stream.socket.close();
    }
  });

  test("when its time has come", async () => {
    const stream = await open(alice);
    const id = await createAnnouncement(server.app, COMMAND_LINE, {
      text: "soon",
      publishAt: at(1),
    });
    assert.deepEqual(await list(), []);
    now = at(2);
    await server.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await server.runJobs();
    assert.equal(JSON.parse(await eventOf(stream, "announcement")).id, id);
    assert.equal((await list()).length, 1);
    stream.socket.close();
  });
});
