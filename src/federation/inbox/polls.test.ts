// Polls between servers: a remote Question gets local votes, a local Question gets remote votes.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  alice,
  bob,
  calmWorld,
  closeWorld,
  count,
  create,
  eve,
  nextId,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test as t,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { assertEntity } from "../../../test/schema.ts";

before(openWorld);
after(closeWorld);
beforeEach(calmWorld);

const option = (name: string, votes: number) => ({
  type: "Note",
  name,
  replies: { type: "Collection", totalItems: votes },
});

const END = "2999-01-01T00:00:00Z";

const question = (members: Json = {}) =>
  create(bob, {
    type: "Question",
    content: "<p>Which?</p>",
    oneOf: [option("tea", 2), option("coffee", 1)],
    endTime: END,
    votersCount: 3,
    ...members,
  });

const pollOf = async (uri: unknown, who = alice) => {
  const { id } = (await statusByUri(uri))!;
  return (await who.get(`/api/v1/statuses/${id}`)).json.poll;
};

const counts = (poll: { options: { votes_count: number }[] }) =>
  poll.options.map((option) => option.votes_count);

describe("a remote poll", () => {
  test("comes in with its figures, and our votes go to its author alone", async () => {
    const object = await question();
    const poll = await pollOf(object["id"]);
    assertEntity("Poll", poll);
    assert.deepEqual(counts(poll), [2, 1]);
    assert.deepEqual([poll.voters_count, poll.multiple, poll.expired], [3, false, false]);
    peer.received.length = 0;
    const answer = await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] });
    assert.deepEqual(counts(answer.json), [2, 2]);
    await t.runJobs();
    const [vote] = peer.inbox().filter((activity) => activity["type"] === "Create");
    const note = vote!["object"] as Json;
    assert.equal(note["name"], "coffee");
    assert.equal(note["inReplyTo"], object["id"]);
    assert.deepEqual(note["to"], [bob.uri]);
    assert.deepEqual(vote!["to"], [bob.uri]);
    assert.equal("content" in note, false);
  });

  test("its new figures are no edit", async () => {
    const object = await question();
    const { id } = await pollOf(object["id"]);
    await alice.post(`/api/v1/polls/${id}/votes`, { choices: [0] });
    const update = (oneOf: unknown[], more: Json = {}) =>
      send(bob, { type: "Update", object: { ...object, oneOf, ...more } });
    await update([option("tea", 7), option("coffee", 5)], { votersCount: 12 });
    const counted = await pollOf(object["id"]);
    assert.deepEqual(counts(counted), [7, 5]);
    assert.deepEqual([counted.voters_count, counted.own_votes], [12, [0]]);
    assert.equal((await statusByUri(object["id"]))!.edited_at, null);
    const later = { endTime: "2998-01-01T00:00:00Z", votersCount: 12 };
    await update([option("tea", 7), option("coffee", 5)], later);
    assert.match((await pollOf(object["id"])).expires_at, /^2998/);
    assert.equal((await statusByUri(object["id"]))!.edited_at, null);
  });

  const voted = async (object: Json, choice = 0) => {
    const { id } = await pollOf(object["id"]);
    await alice.post(`/api/v1/polls/${id}/votes`, { choices: [choice] }).done();
  };

  const other = [option("milk", 4), option("juice", 0), option("water", 0)];
  const updated = () => new Date().toISOString();
  const historyOf = async (uri: unknown) => {
    const { id } = (await statusByUri(uri))!;
    const path = `/api/v1/statuses/${id}/history`;
    const { json } = await alice.get(path);
    return json.map((entity: Json) =>
      (entity["poll"] as { options: { title: string }[] } | undefined)?.options.map(
        ({ title }) => title,
      ),
    );
  };
  const published = "2020-01-01T00:00:00Z";

  test("another one deletes no votes when it is old or does not say when it was edited", async () => {
    const object = await question({ published });
    await voted(object);
    const update = (more: Json) =>
      send(bob, { type: "Update", object: { ...object, oneOf: other, ...more } });
    await update({ updated: "2019-12-31T00:00:00Z" });
    await update({});
    await update({ updated: "2019-12-31T00:00:00Z", type: "Note", oneOf: undefined });
    await update({ type: "Note", oneOf: undefined });
    const poll = await pollOf(object["id"]);
    assert.deepEqual([counts(poll), poll.own_votes], [[3, 1], [0]]);
    assert.equal((await statusByUri(object["id"]))!.edited_at, null);
    const content = "<p>Which?</p><p>Say!</p>";
    await update({ content });
    assert.deepEqual(counts(await pollOf(object["id"])), [3, 1]);
    assert.equal((await statusByUri(object["id"]))!.content, content);
  });

  test("another one, one more and none are edits that those who boosted it are told of", async () => {
    const object = await create(bob, { content: "<p>Which?</p>", published });
    const { id } = (await statusByUri(object["id"]))!;
    await alice.post(`/api/v1/statuses/${id}/reblog`);
    const oneOf = [option("tea", 2), option("coffee", 1)];
    const asPoll = { ...object, type: "Question", endTime: END, votersCount: 3 };
    const isTold = async () => {
      await t.runJobs();
      const path = "/api/v1/notifications?types[]=update";
      const { json } = await alice.get(path);
      await alice.post("/api/v1/notifications/clear");
      return json.some(({ status }: { status: { id: string } }) => status.id === id);
    };
    const update = async (members: Json) => {
      await send(bob, { type: "Update", object: { ...members, updated: updated() } });
      return isTold();
    };
    assert.equal(await update({ ...asPoll, oneOf }), true, "added");
    assert.deepEqual(counts(await pollOf(object["id"])), [2, 1]);
    await voted(object);
    assert.equal(await update({ ...asPoll, oneOf: other }), true, "changed");
    const poll = await pollOf(object["id"]);
    assert.deepEqual([counts(poll), poll.own_votes], [[4, 0, 0], []]);
    assert.equal(await update(object), true, "removed");
    assert.equal(await pollOf(object["id"]), null);
    assert.deepEqual(await historyOf(object["id"]), [
      undefined,
      ["tea", "coffee"],
      ["milk", "juice", "water"],
      undefined,
    ]);
  });

  test("each vote has an id of its own, also after a poll was reset", async () => {
    const object = await question({ published });
    peer.received.length = 0;
    await voted(object);
    const update = { ...object, oneOf: other, updated: updated() };
    await send(bob, { type: "Update", object: update });
    await voted(object);
    const votes = peer.inbox().filter((activity) => activity["type"] === "Create");
    const ids = votes.flatMap((vote) => [vote["id"], (vote["object"] as Json)["id"]]);
    assert.equal(new Set(ids).size, 4, JSON.stringify(ids));
  });

  test("one that is closed takes no votes", async () => {
    const object = await question({ closed: "2020-01-01T00:00:00Z", endTime: undefined });
    const poll = await pollOf(object["id"]);
    assert.equal(poll.expired, true);
    const { status } = await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] });
    assert.equal(status, 422);
  });

  test("odd ones are stored as far as they make sense", async () => {
    const many = Array.from({ length: 100 }, (_, index) => option(`o${index}`, index));
    const big = await pollOf((await question({ oneOf: undefined, anyOf: many }))["id"]);
    assert.equal(big.options.length, 40);
    assert.equal(big.multiple, true);
    const negative = await question({ oneOf: [option("a", -5), { type: "Note", name: "b" }] });
    assert.deepEqual(counts(await pollOf(negative["id"])), [0, 0]);
    for (const oneOf of ["x", [], [option("alone", 1)], [1, null], [{ name: 5 }, { name: {} }]]) {
      assert.equal(await pollOf((await question({ oneOf }))["id"]), null, JSON.stringify(oneOf));
    }
  });

  test("who reads it gets figures that are asked for, at most once a minute", async () => {
    const object = await question();
    const { id } = await pollOf(object["id"]);
    const fresh = { ...object, oneOf: [option("tea", 9), option("coffee", 9)] };
    peer.documents.set(new URL(String(object["id"])).pathname, fresh);
    const read = async () => (await alice.get(`/api/v1/polls/${id}`)).json;
    peer.received.length = 0;
    assert.deepEqual(counts(await read()), [9, 9]);
    await read();
    assert.equal(peer.received.filter((request) => request.method === "GET").length, 1);
  });
});

const localPoll = async (more: Json = {}) => {
  const status = await post(alice, "Which?", {
    poll: { options: ["tea", "coffee"], expires_in: 3600, multiple: true },
    ...more,
  });
  return status;
};

const voteBy = (actor: typeof bob, name: string, inReplyTo: string, more: Json = {}) =>
  send(actor, {
    type: "Create",
    to: `${t.url}/users/alice`,
    object: {
      id: nextId(actor),
      type: "Note",
      name,
      inReplyTo,
      attributedTo: actor.uri,
      to: `${t.url}/users/alice`,
      ...more,
    },
  });

describe("a local poll", () => {
  test("goes out as a Question, and takes votes", async () => {
    await send(bob, { type: "Follow", object: `${t.url}/users/alice` });
    peer.received.length = 0;
    const { uri } = await localPoll();
    const [sent] = peer.inbox();
    const object = sent!["object"] as Json;
    assert.equal(object["type"], "Question");
    assert.equal((object["anyOf"] as Json[])[0]!["name"], "tea");
    assert.match(String(object["endTime"]), /^\d{4}-/);
    const statuses = await count("statuses");
    await voteBy(bob, "tea", uri);
    await voteBy(bob, "coffee", uri);
    await voteBy(eve, "tea", uri);
    assert.deepEqual(counts(await pollOf(uri)), [2, 1]);
    assert.equal((await pollOf(uri)).voters_count, 2);
    assert.equal(await count("statuses"), statuses, "a vote is no status");
  });

  test("what does not count: twice, nothing that there is, in another's name, unseen", async () => {
    const { uri } = await localPoll();
    await voteBy(bob, "tea", uri);
    await voteBy(bob, "tea", uri);
    await voteBy(bob, "milk", uri);
    await voteBy(eve, "coffee", uri, { attributedTo: bob.uri });
    assert.deepEqual(counts(await pollOf(uri)), [1, 0]);
    const hidden = await localPoll({ visibility: "private" });
    await voteBy(eve, "tea", hidden.uri);
    assert.deepEqual(counts(await pollOf(hidden.uri)), [0, 0]);
  });

  test("its figures go to followers and voters some time later", async () => {
    const { uri, id } = await localPoll();
    peer.received.length = 0;
    await voteBy(eve, "coffee", uri);
    await t.app.sql`
      UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = ${`poll.counted:${id}`}`;
    await t.runJobs();
    const [update] = peer.inbox().filter((activity) => activity["type"] === "Update");
    const { anyOf, votersCount } = update!["object"] as { anyOf: Json[]; votersCount: number };
    assert.equal((anyOf[1]!["replies"] as Json)["totalItems"], 1);
    assert.equal(votersCount, 1);
  });
});
