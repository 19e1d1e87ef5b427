// Moving: actors of other servers, and people of this one on their own pages.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { PeerActor } from "../../../test/fake-peer.ts";
import * as w from "../../../test/inbox-world.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

let number = 0;
/** An actor that alice follows, and the one that it moves to, which nobody here knows. */
const pair = async () => {
  const old = w.peer.actor(`old${++number}`, 0);
  const next = w.otherPeer.actor(`next${number}`, 1);
  await w.followed(w.alice, old);
  return { old, next };
};

const names = (next: PeerActor, old: { uri: string } | string): void => {
  next.document["alsoKnownAs"] = [typeof old === "string" ? old : old.uri];
};

const move = (old: PeerActor, target: string, object = old.uri) =>
  w.send(old, { type: "Move", object, target, to: [`${old.uri}/followers`] });

/** Whom alice follows or asked to, of these. */
const follows = async (...actors: { uri: string }[]): Promise<string[]> => {
  const rows = await w.test.app.sql<{ uri: string }[]>`
    SELECT a.uri FROM (
      SELECT account_id, target_account_id FROM follows
      UNION ALL SELECT account_id, target_account_id FROM follow_requests
    ) f JOIN accounts a ON a.id = f.target_account_id
    WHERE f.account_id = ${w.alice.accountId} AND a.uri = ANY(${actors.map(({ uri }) => uri)})`;
  return rows.map(({ uri }) => uri);
};

const shown = async (id: string): Promise<Json> =>
  (await w.alice.get(`/api/v1/accounts/${id}`)).json;

describe("an actor moves", () => {
  it("its followers here follow the new one with their options and lists, and it is shown", async () => {
    const { old, next } = await pair();
    names(next, old);
    const oldId = await w.idOfActor(old);
    const options = { reblogs: false, notify: true };
    await w.alice.post(`/api/v1/accounts/${oldId}/follow`, options);
    const list = (await w.alice.post("/api/v1/lists", { title: "x" })).json.id;
    await w.alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [oldId] });
    await move(old, next.uri);
    assert.deepEqual(await follows(old, next), [next.uri]);
    assert.equal((await shown(oldId))["moved"]?.uri, next.uri);
    const sent = w.otherPeer.inbox().filter((activity) => activity["type"] === "Follow");
    assert.deepEqual(
      sent.map((activity) => [activity["actor"], activity["object"]]),
      [[w.uriOf(w.alice), next.uri]],
    );
    const undone = w.peer.inbox().filter((activity) => activity["type"] === "Undo");
    assert.equal((undone.at(-1) as Json)["object"].object, old.uri);
    const path = `/api/v1/accounts/relationships?id[]=${await w.idOfActor(next)}`;
    const [relation] = (await w.alice.get(path)).json;
    assert.equal(relation.requested, true);
    await w.send(next, {
      type: "Accept",
      object: { type: "Follow", actor: w.uriOf(w.alice), object: next.uri },
    });
    const [accepted] = (await w.alice.get(path)).json;
    assert.deepEqual(
      [accepted.following, accepted.showing_reblogs, accepted.notifying],
      [true, false, true],
    );
    const members = (await w.alice.get(`/api/v1/lists/${list}/accounts`)).json;
    assert.deepEqual(
      members.map((member: Json) => member["uri"]),
      [next.uri],
    );
  });

  it("to somebody here, who named the old account on a page", async () => {
    const { old } = await pair();
    const browser = openBrowser(w.test);
    await browser.signIn("carol");
    assert.match((await browser.get("/settings/accounts")).text, /href="\/settings\/aliases"/);
    const page = await browser.get("/settings/aliases");
    const none = await browser.submit(page, "/settings/aliases", { acct: `nobody@${w.peer.host}` });
    assert.equal(none.status, 422);
    await browser.submit(page, "/settings/aliases", { acct: `${old.name}@${w.peer.host}` });
    const added = await browser.get("/settings/aliases?done=aliases.done_added");
    assert.ok(added.text.includes(old.uri));
    const actor = await w.test.visitor.get("/users/carol", { accept: "application/activity+json" });
    assert.deepEqual(actor.json.alsoKnownAs, [old.uri]);
    await move(old, w.uriOf(w.carol));
    assert.deepEqual(await follows(old, { uri: w.uriOf(w.carol) }), [w.uriOf(w.carol)]);
    await browser.submit(added, "/settings/aliases/remove", { uri: old.uri });
    assert.ok(!(await browser.get("/settings/aliases")).text.includes(old.uri));
  });

  it("blocks, mutes and notes of people here count for the new one, unless they follow that", async () => {
    const { old, next } = await pair();
    names(next, old);
    const oldId = await w.idOfActor(old);
    const people: Record<string, string> = {};
    const as = (name: string, act: string, json: Json = {}) =>
      w.test.as(people[name]!).post(`/api/v1/accounts/${oldId}/${act}`, json);
    for (const name of ["blocks", "mutes", "notes", "chose", "quiet"]) {
      people[name] = (await w.test.person(`${name}${number}`)).token;
    }
    await as("blocks", "block");
    await as("mutes", "mute", { notifications: false, duration: 3600 });
    await as("notes", "note", { comment: "owes me <3 teas" });
    await as("quiet", "follow");
    await w.send(old, {
      type: "Accept",
      object: { type: "Follow", actor: `${w.test.url}/users/quiet${number}`, object: old.uri },
    });
    await as("quiet", "mute", { notifications: true });
    await as("chose", "block");
    await w.send(next, { type: "Follow", object: w.uriOf(w.carol) });
    const nextId = await w.idOfActor(next);
    await w.test.as(people["chose"]!).post(`/api/v1/accounts/${nextId}/follow`);
    await move(old, next.uri);
    const relation = async (name: string): Promise<Json> => {
      const path = `/api/v1/accounts/relationships?id[]=${nextId}`;
      return (await w.test.as(people[name]!).get(path)).json[0];
    };
    const blocks = await relation("blocks");
    assert.deepEqual([blocks["blocking"], blocks["muting"]], [true, false]);
    assert.equal(
      blocks["note"],
      `Moved from @${old.name}@${w.peer.host}.\n\nYou blocked that account.`,
    );
    const mutes = await relation("mutes");
    assert.deepEqual([mutes["muting"], mutes["muting_notifications"]], [true, false]);
    assert.ok(mutes["muting_expires_at"], "for as long as before");
    const notes = await relation("notes");
    assert.match(notes["note"], /^Moved from @.*Your note there:\nowes me <3 teas$/s);
    assert.deepEqual([notes["muting"], notes["blocking"]], [false, false]);
    const chose = await relation("chose");
    assert.deepEqual([chose["requested"], chose["blocking"]], [true, false]);
    const quiet = await relation("quiet");
    assert.deepEqual([quiet["requested"], quiet["muting"]], [true, true]);
  });

  it("whom somebody here only blocks: the block follows", async () => {
    const old = w.peer.actor(`alone${++number}`, 0);
    const next = w.otherPeer.actor(`next${number}`, 1);
    names(next, old);
    await w.send(old, { type: "Follow", object: w.uriOf(w.carol) });
    const oldId = await w.idOfActor(old);
    await w.alice.post(`/api/v1/accounts/${oldId}/block`);
    await move(old, next.uri);
    const path = `/api/v1/accounts/relationships?id[]=${await w.idOfActor(next)}`;
    assert.equal((await w.alice.get(path)).json[0].blocking, true);
  });

  it("whom somebody here asked to follow, in vain until now: the request follows, with its options", async () => {
    const old = w.peer.actor(`shy${++number}`, 0);
    const next = w.otherPeer.actor(`next${number}`, 1);
    names(next, old);
    await w.send(old, { type: "Follow", object: w.uriOf(w.carol) });
    const json = { reblogs: false };
    const oldId = await w.idOfActor(old);
    await w.alice.post(`/api/v1/accounts/${oldId}/follow`, json);
    await move(old, next.uri);
    assert.deepEqual(await follows(old, next), [next.uri]);
    const path = `/api/v1/accounts/relationships?id[]=${await w.idOfActor(next)}`;
    const [relation] = (await w.alice.get(path)).json;
    assert.deepEqual([relation.requested, relation.following], [true, false]);
    await w.send(next, {
      type: "Accept",
      object: { type: "Follow", actor: w.uriOf(w.alice), object: next.uri },
    });
    const [accepted] = (await w.alice.get(path)).json;
    assert.deepEqual([accepted.following, accepted.showing_reblogs], [true, false]);
  });

  const refused: [string, (old: PeerActor, next: PeerActor) => Promise<void>][] = [
    ["to one that does not name it", (old, next) => move(old, next.uri)],
    [
      "to one that names another",
      async (old, next) => {
        names(next, `${old.uri}2`);
        await move(old, next.uri);
      },
    ],
    [
      "of another actor",
      async (old, next) => {
        names(next, old);
        await w.send(w.eve, { type: "Move", object: old.uri, target: next.uri });
      },
    ],
    ["to itself", (old) => move(old, old.uri)],
    ["to somebody here who does not name it", (old) => move(old, w.uriOf(w.carol))],
    ["to nobody", (old) => move(old, "javascript:alert(1)")],
  ];
  for (const [name, act] of refused) {
    it(`${name}: nothing happens`, async () => {
      const { old, next } = await pair();
      await act(old, next);
      assert.deepEqual(
        await follows(old, next, { uri: w.uriOf(w.carol) }).then((all) => all.includes(old.uri)),
        true,
      );
      assert.equal((await shown(await w.idOfActor(old)))["moved"], undefined);
    });
  }

  it("again within a month: nothing happens", async () => {
    const { old, next } = await pair();
    names(next, old);
    await move(old, next.uri);
    const third = w.otherPeer.actor(`third${number}`, 1);
    names(third, old);
    await w.followed(w.alice, w.eve);
    await move(old, third.uri);
    assert.deepEqual(await follows(old, next, third), [next.uri]);
  });

  it("whom nobody here follows: nobody is asked", async () => {
    const lonely = w.peer.actor("lonely", 0);
    await w.send(lonely, { type: "Follow", object: w.uriOf(w.carol) });
    const before = w.otherPeer.received.length;
    await move(lonely, `${w.otherPeer.origin}/users/whoever`);
    assert.equal(w.otherPeer.received.length, before);
  });
});

describe("a person of this server moves", () => {
  it("with the password, to an account that names this one; followers are told, and it can be ended", async () => {
    const dan = await w.test.person("dan");
    const next = w.otherPeer.actor("newdan", 1);
    await w.send(w.bob, { type: "Follow", object: w.uriOf(dan) });
    await w.alice.post(`/api/v1/accounts/${dan.accountId}/follow`);
    const browser = openBrowser(w.test);
    await browser.signIn("dan");
    const path = "/settings/migration";
    const page = await browser.get(path);
    const acct = `newdan@${w.otherPeer.host}`;
    const submit = (password: string) =>
      browser.submit(page, path, { acct, current_password: password });
    assert.equal((await submit("wrong")).status, 422);
    const unnamed = await submit("correct horse");
    assert.deepEqual([unnamed.status, /doesn’t have this one/.test(unnamed.text)], [422, true]);
    names(next, w.uriOf(dan));
    assert.equal(
      (await submit("correct horse")).headers.get("location"),
      `${path}?done=move.done_moved`,
    );
    await w.test.runJobs();
    const sent = w.peer.inbox().filter((activity) => activity["actor"] === w.uriOf(dan));
    const [update, moved] = [
      sent.find((activity) => activity["type"] === "Update"),
      sent.find((activity) => activity["type"] === "Move"),
    ];
    assert.equal((update as Json)["object"].movedTo, next.uri);
    assert.deepEqual([moved?.["object"], moved?.["target"]], [w.uriOf(dan), next.uri]);
    assert.ok(sent.indexOf(update!) < sent.indexOf(moved!));
    assert.deepEqual(await follows({ uri: w.uriOf(dan) }, next), [next.uri]);
    assert.equal((await shown(dan.accountId))["moved"].acct, acct);
    w.peer.received.length = 0;
    await w.send(w.eve, { type: "Follow", id: `${w.eve.uri}#late`, object: w.uriOf(dan) });
    const late = w.peer.inbox() as Json[];
    assert.deepEqual(
      late.map((activity) => [activity["type"], activity["object"].id]),
      [["Reject", `${w.eve.uri}#late`]],
    );
    await w.send(w.bob, { type: "Follow", object: w.uriOf(dan) });
    assert.equal((w.peer.inbox() as Json[]).at(-1)!["type"], "Accept", "who follows already may");
    // Apps cannot use it any more, the pages can.
    const posted = await dan.post("/api/v1/statuses", { status: "x" });
    assert.equal(posted.status, 403);
    const after = await browser.get(path);
    assert.ok(after.text.includes(`@${acct}`));
    await browser.submit(after, `${path}/end`, {});
    assert.equal((await shown(dan.accountId))["moved"], undefined);
    assert.match((await browser.get(path)).text, /You can move again from/);
    await browser.submit(page, path, { acct, current_password: "correct horse" });
    assert.equal((await shown(dan.accountId))["moved"], undefined);
  });
});
