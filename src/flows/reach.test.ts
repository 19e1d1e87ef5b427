// Every server that may have a copy of a local post hears of its new text and its end, and every server that knows an
// account hears of its end: each peer here has one reason to have one.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { startPeer } from "../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../test/fake-peer.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { removeAccount, removeAccountIn } from "../domain/people/accounts/remove.ts";

type Json = Record<string, any>;
type Stranger = { peer: FakePeer; actor: PeerActor };

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const NAMES = ["follower", "booster", "fan", "voter", "answerer", "second", "quoter", "mentioned"];
const READERS = ["ofBooster", "ofAnswerer", "ofQuoter"];
const OTHERS = ["nobody", "past", "ofPrivate"];

let t: TestApp;
let alice: Person;
const people: Record<string, Person> = {};
const who: Record<string, Stranger> = {};
let serial = 0;

const uriOf = ({ username }: Person): string => `${t.url}/users/${username}`;

const send = ({ actor }: Stranger, activity: Json) => actor.deliver(t, activity);

const create = async (by: Stranger, members: Json): Promise<string> => {
  const object = by.peer.note(by.actor, `/notes/${++serial}`, members);
  await send(by, { type: "Create", object, to: object["to"], cc: object["cc"] });
  return String(object["id"]);
};

const post = (by: Person, json: Json) => by.post("/api/v1/statuses", json).done();

const handle = ({ peer, actor }: Stranger): string => `@${actor.name}@${peer.host}`;

/** The names of those whose server got an activity like this. */
const told = (check: (activity: Json) => boolean): string[] =>
  Object.keys(who)
    .filter((name) => who[name]!.peer.inbox().some((activity) => check(activity)))
    .sort();

const isAbout =
  (type: string, uri: string) =>
  ({ type: kind, object }: Json): boolean =>
    kind === type && (object === uri || object?.id === uri);

before(async () => {
  t = await startTestApp({ worker: false });
  alice = await t.person("alice");
  for (const name of ["booster", "answerer", "quoter", "hermit"]) {
    people[name] = await t.person(`local_${name}`);
  }
  const names = [...NAMES, ...READERS, ...OTHERS];
  await Promise.all(
    names.map(async (name, n) => {
      const peer = await startPeer(`127.0.1.${n + 1}`);
      who[name] = { peer, actor: peer.actor(name.toLowerCase(), n % 3) };
    }),
  );
  await send(who["follower"]!, { type: "Follow", object: uriOf(alice) });
  await send(who["ofBooster"]!, { type: "Follow", object: uriOf(people["booster"]!) });
  await send(who["ofAnswerer"]!, { type: "Follow", object: uriOf(people["answerer"]!) });
  await send(who["ofQuoter"]!, { type: "Follow", object: uriOf(people["quoter"]!) });
  await send(who["ofPrivate"]!, { type: "Follow", object: uriOf(people["hermit"]!) });
  // Known here; has nothing to do with what follows.
  await send(who["nobody"]!, { type: "Follow", object: uriOf(people["hermit"]!) });
});
after(async () => {
  await Promise.all(Object.values(who).map(({ peer }) => peer.close()));
  await t?.close();
});
beforeEach(() => {
  for (const { peer } of Object.values(who)) peer.received.length = 0;
});

/** A poll of Alice's with which everybody has something to do. */
const knownToAll = async (): Promise<Json> => {
  const status = await post(alice, {
    status: `Which? ${handle(who["mentioned"]!)} ${handle(who["past"]!)}`,
    poll: { options: ["this", "that"], expires_in: 3600, multiple: false },
    quote_approval_policy: "public",
  });
  const { uri, id } = status as { uri: string; id: string };
  await send(who["booster"]!, { type: "Announce", object: uri, to: [PUBLIC] });
  await send(who["fan"]!, { type: "Like", object: uri });
  const vote = { type: "Note", name: "this", inReplyTo: uri, to: [uriOf(alice)] };
  const { actor } = who["voter"]!;
  const voted = { ...vote, id: `${actor.uri}#votes/${++serial}`, attributedTo: actor.uri };
  await send(who["voter"]!, { type: "Create", object: voted, to: [uriOf(alice)] });
  const answer = await create(who["answerer"]!, { inReplyTo: uri });
  await create(who["second"]!, { inReplyTo: answer, cc: [uriOf(alice)] });
  const { peer, actor: quoter } = who["quoter"]!;
  const quote = peer.note(quoter, `/notes/${++serial}`, { quote: uri });
  await send(who["quoter"]!, { type: "QuoteRequest", object: uri, instrument: quote });
  await people["booster"]!.post(`/api/v1/statuses/${id}/reblog`).done();
  await post(people["answerer"]!, { status: "An answer", in_reply_to_id: id });
  await post(people["quoter"]!, { status: "Look", quoted_status_id: id });
  // What only the mentioned see passes nothing on.
  await post(people["hermit"]!, { status: "@alice", in_reply_to_id: id, visibility: "direct" });
  return status;
};

const EVERYBODY = [...NAMES, ...READERS].sort();

describe("a public post", () => {
  let id: string;
  let uri: string;

  it("is changed everywhere", async () => {
    ({ id, uri } = (await knownToAll()) as { id: string; uri: string });
    const status = `Which one? ${handle(who["mentioned"]!)}`;
    const poll = { options: ["this", "that"], expires_in: 3600, multiple: false };
    await alice.put(`/api/v1/statuses/${id}`, { status, poll }).done();
    const isNew = ({ type, object }: Json) =>
      type === "Update" && object.id === uri && /Which one/.test(object.content);
    assert.deepEqual(told(isNew), [...EVERYBODY, "past"].sort());
    const shown = await alice.get(`/api/v1/statuses/${id}`).done();
    assert.deepEqual(
      shown["mentions"].map((mention: Json) => mention["username"]),
      ["mentioned"],
    );
  });

  it("is deleted everywhere", async () => {
    await alice.delete(`/api/v1/statuses/${id}`).done();
    assert.deepEqual(told(isAbout("Delete", uri)), [...EVERYBODY, "past"].sort());
  });
});

it("a private post is changed and deleted only where somebody may have it", async () => {
  const status = `Psst ${handle(who["mentioned"]!)} ${handle(who["past"]!)}`;
  const { id, uri } = await post(alice, { status, visibility: "private" });
  // They cannot have it, whatever they say.
  await send(who["fan"]!, { type: "Like", object: uri });
  await alice.put(`/api/v1/statuses/${id}`, { status: "Psst again" }).done();
  const readers = ["follower", "mentioned", "past"];
  assert.deepEqual(told(isAbout("Update", uri)), readers);
  await alice.delete(`/api/v1/statuses/${id}`).done();
  assert.deepEqual(told(isAbout("Delete", uri)), readers);
});

it("a boost is undone for its author and the followers of who boosted", async () => {
  const uri = await create(who["answerer"]!, {});
  const { id } = await post(people["booster"]!, { status: `${handle(who["answerer"]!)} hi` });
  assert.ok(id);
  await create(who["answerer"]!, { inReplyTo: "", cc: [uriOf(people["booster"]!)] });
  const answer = await people["booster"]!.get(`/api/v2/search?resolve=true&q=${uri}`);
  const target = answer.json.statuses[0].id;
  await people["booster"]!.post(`/api/v1/statuses/${target}/reblog`).done();
  await people["booster"]!.post(`/api/v1/statuses/${target}/unreblog`).done();
  const isUndo = ({ type, object }: Json) => type === "Undo" && object.object === uri;
  assert.deepEqual(told(isUndo), ["answerer", "ofBooster"]);
  const [undo] = who["answerer"]!.peer.inbox().filter(isUndo);
  assert.ok((undo as Json)["object"].cc.includes(who["answerer"]!.actor.uri));
});

it("a suspended and a deleted account are known to be that everywhere", async () => {
  await knownToAll();
  await t.app.jobs.add(t.app.sql, "account.standing_changed", { id: alice.accountId });
  await t.runJobs();
  assert.deepEqual(told(isAbout("Update", uriOf(alice))), [...EVERYBODY, "past"].sort());
  await removeAccount(t.app, alice.accountId);
  await t.runJobs();
  assert.deepEqual(told(isAbout("Delete", uriOf(alice))), [...EVERYBODY, "past"].sort());
});

it("boosts of an account that moderators delete are undone", async () => {
  const uri = await create(who["answerer"]!, { cc: [uriOf(people["booster"]!)] });
  const query = `resolve=true&q=${encodeURIComponent(uri)}`;
  const answer = await people["booster"]!.get(`/api/v2/search?${query}`);
  const [status] = answer.json.statuses;
  await people["booster"]!.post(`/api/v1/statuses/${status.id}/reblog`).done();
  await t.app.sql.begin((tx) =>
    removeAccountIn(t.app, tx, status.account.id as string, { reserve: true }),
  );
  await t.runJobs();
  const isUndo = ({ type, object }: Json) => type === "Undo" && object.object === uri;
  assert.ok(told(isUndo).includes("ofBooster"));
});
