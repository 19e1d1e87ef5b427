// Reactions of people here to posts: with characters and the server's own emojis, counted, one for each person, told
// to the author and to whoever looks, and sent in the form that the author's server reads.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeWorld,
  openWorld,
  peer,
  people,
  post,
  reactFromElsewhere,
  remote,
  t,
} from "../../../../test/reaction-world.ts";
import type { Json } from "../../../../test/reaction-world.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { openStream } from "../../../../test/stream-client.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";

type Name = keyof typeof people;

const pathOf = (id: string, act: string, name: string): string =>
  `/api/v1/statuses/${id}/${act}/${encodeURIComponent(name)}`;

const react = (by: Name, id: string, name: string): Promise<Json> =>
  people[by].post(pathOf(id, "react", name)).ok();

const shown = (by: Name, id: string): Promise<Json> =>
  people[by].get(`/api/v1/statuses/${id}`).ok();

const counts = (status: Json): [string, number, boolean][] =>
  (status["reactions"] ?? []).map(({ name, count, me }: Json) => [name, count, me]);

before(openWorld);
after(closeWorld);

test("are counted for each emoji, one for each person, and count as favourites", async () => {
  const { id } = await post();
  assertEntity("Status", await react("fan", id, "🎉"));
  const both = await react("other", id, "rook");
  assert.deepEqual(counts(both), [
    ["rook", 1, true],
    ["🎉", 1, false],
  ]);
  const own = both["reactions"].find(({ name }: Json) => name === "rook");
  assert.equal(own.url, `${t.url}/media/emojis/12/34.png`);
  assert.equal(both["favourited"], true);
  assert.deepEqual(counts(await react("fan", id, "rook")), [["rook", 2, true]]);
  assert.equal((await react("fan", id, ":rook:"))["favourites_count"], 2);
  assert.deepEqual(counts(await shown("author", id)), [["rook", 2, false]]);
  const list = await people.fan.get(`/api/v1/accounts/${people.author.accountId}/statuses`).ok();
  assert.deepEqual(counts(list.find((status: Json) => status["id"] === id)), [["rook", 2, true]]);
});

test("end by their name, or with the favourite; another name changes nothing", async () => {
  const { id } = await post();
  await react("fan", id, "👍");
  assert.deepEqual(counts(await people.fan.post(pathOf(id, "unreact", "🎉")).ok()), [
    ["👍", 1, true],
  ]);
  assert.deepEqual(counts(await people.fan.post(pathOf(id, "unreact", "👍")).ok()), []);
  assert.equal((await shown("fan", id))["favourited"], false);
  await react("fan", id, "rook");
  // Read by several, so that it is cached.
  for (const who of ["author", "other", "fan"] as const)
    assert.equal((await shown(who, id))["reactions"].length, 1);
  assert.deepEqual(counts(await people.fan.post(`/api/v1/statuses/${id}/unfavourite`).ok()), []);
  for (const who of ["author", "other", "fan"] as const) {
    const status = await shown(who, id);
    assert.deepEqual([status["favourites_count"], counts(status)], [0, []], who);
  }
});

test("a favourite becomes a reaction", async () => {
  const { id } = await post();
  await people.fan.post(`/api/v1/statuses/${id}/favourite`).ok();
  const status = await react("fan", id, "🎉");
  assert.deepEqual([status["favourites_count"], counts(status)], [1, [["🎉", 1, true]]]);
});

test("only emojis, only by who sees the post, only with the right to", async () => {
  const { id } = await post();
  for (const name of ["words", "nobody_has_this", "🎉🎉", "a".repeat(130)]) {
    const { status, json } = await people.fan.post(pathOf(id, "react", name));
    assert.equal(status, 422, name);
    assert.match(json.error, /not a recognized emoji/);
  }
  assert.equal((await t.visitor.post(pathOf(id, "react", "🎉"))).status, 401);
  const hidden = await post({ visibility: "direct" });
  assert.equal((await people.fan.post(pathOf(hidden["id"], "react", "🎉"))).status, 404);
  assert.equal((await people.fan.post(pathOf("1", "react", "🎉"))).status, 404);
});

test("the author is notified with the emoji, and the post is streamed", async () => {
  const query = { stream: "user", access_token: people.author.token };
  const stream = await openStream(t.url, { query });
  const { id } = await post();
  await react("fan", id, "rook");
  await react("other", id, "🎉");
  await t.runJobs();
  const notifications = await people.author.get("/api/v1/notifications?types[]=favourite").ok();
  const about = notifications.filter(({ status }: Json) => status.id === id);
  assert.deepEqual(about.map(({ emoji }: Json) => emoji).toSorted(), [":rook:", "🎉"]);
  const pictured = about.find(({ emoji }: Json) => emoji === ":rook:");
  assert.equal(pictured.emoji_url, `${t.url}/media/emojis/12/34.png`);
  const groups = await people.author.get("/api/v2/notifications?types[]=favourite").ok();
  const group = groups.notification_groups.find(({ status_id: of }: Json) => of === id);
  assert.equal(group.notifications_count, 2);
  await eventually("the post with its reactions", async () =>
    stream.frames.some(
      ({ event, payload = "" }) => event === "status.update" && payload.includes('"rook"'),
    ),
  );
  stream.socket.close();
});

/** Of a post of another server, as it is here. */
const remotePost = async (path: string): Promise<Json> => {
  const note = peer.note(remote, path);
  const found = await people.fan
    .get(`/api/v2/search?resolve=true&q=${encodeURIComponent(String(note["id"]))}`)
    .ok();
  return found.statuses[0];
};

const sent = async (): Promise<Json[]> => {
  await t.runJobs();
  const activities = peer.inbox();
  peer.received.length = 0;
  return activities.map(({ type, content, _misskey_reaction: misskey, tag, object }: Json) => ({
    type,
    ...(content && { content }),
    ...(misskey && { misskey }),
    ...(tag && { tag: tag[0].name }),
    ...(type === "Undo" && { ends: [object.type, object.content] }),
  }));
};

test("go to the author elsewhere as a Like with the emoji, which is a favourite for who knows no better", async () => {
  const { id } = await remotePost("/notes/1");
  peer.received.length = 0;
  const status = await react("fan", id, "🎉");
  assert.deepEqual(counts(status), [["🎉", 1, true]]);
  assert.deepEqual(await sent(), [{ type: "Like", content: "🎉", misskey: "🎉" }]);
  await react("fan", id, "rook");
  assert.deepEqual(await sent(), [
    { type: "Undo", ends: ["Like", "🎉"] },
    { type: "Like", content: ":rook:", misskey: ":rook:", tag: ":rook:" },
  ]);
  await people.fan.post(pathOf(id, "unreact", "rook")).ok();
  assert.deepEqual(await sent(), [{ type: "Undo", ends: ["Like", ":rook:"] }]);
  await people.fan.post(`/api/v1/statuses/${id}/favourite`).ok();
  assert.deepEqual(await sent(), [{ type: "Like" }]);
});

test("servers of Pleroma's kind get an EmojiReact", async () => {
  const { id } = await remotePost("/notes/2");
  await t.write`
    INSERT INTO peers (host, software, checked_at) VALUES (${peer.host}, 'akkoma', now())
    ON CONFLICT (host) DO UPDATE SET software = excluded.software`;
  peer.received.length = 0;
  await react("fan", id, "🎉");
  await people.fan.post(pathOf(id, "unreact", "🎉")).ok();
  assert.deepEqual(await sent(), [
    { type: "EmojiReact", content: "🎉" },
    { type: "Undo", ends: ["EmojiReact", "🎉"] },
  ]);
  await people.fan.post(`/api/v1/statuses/${id}/favourite`).ok();
  assert.deepEqual(await sent(), [{ type: "Like" }]);
});

test("of people here and elsewhere are counted together", async () => {
  const own = await post();
  await react("fan", own["id"], "🎉");
  await reactFromElsewhere(own, "🎉");
  assert.deepEqual(counts(await shown("fan", own["id"])), [["🎉", 2, true]]);
  assert.deepEqual(counts(await shown("other", own["id"])), [["🎉", 2, false]]);
});

test("apps find out that they may", async () => {
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.rookery.emoji_reactions, true);
});
