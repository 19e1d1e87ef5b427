// Authority over objects: what a document or an activity may say about others' objects, through the real
// inbox and the real fetches.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { follow } from "../../src/domain/people/relationships/follow.ts";
import type { PeerActor } from "../fake-peer.ts";
import { answers, startRaw } from "./raw.ts";
import type { RawServer } from "./raw.ts";
import { PUBLIC, startStage, unchanged } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

type Served = ReturnType<Parameters<typeof answers>[0]>;
const ACTIVITY = "application/activity+json";
const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

let stage: Stage;
let raw: RawServer;
let served: Served = {};

before(async () => {
  stage = await startStage();
  raw = await startRaw(answers(() => served));
  const { eve, mallory, carol } = stage;
  // They are known actors, so that nothing below is refused because the actor is unknown.
  for (const actor of [eve, mallory]) {
    await stage.send(actor, { type: "Follow", object: stage.uriOf(carol) });
  }
});
after(async () => {
  await raw.close();
  await stage.close();
});

/** An author on the raw server, with an inbox and a key. */
const author = (): Served => {
  const id = `${raw.origin}/a`;
  const publicKey = {
    id: `${id}#k`,
    owner: id,
    publicKeyPem: (stage.bob.document["publicKey"] as Json)["publicKeyPem"],
  };
  const links = [{ rel: "self", type: ACTIVITY, href: id }];
  return {
    "/a": {
      type: ACTIVITY,
      body: { id, type: "Person", preferredUsername: "a", inbox: `${id}/inbox`, publicKey },
    },
    [`/.well-known/webfinger?resource=acct:a@${raw.host}`]: {
      type: "application/jrd+json",
      body: { subject: `acct:a@${raw.host}`, links },
    },
  };
};
const note = (path: string, members: Json = {}): Json => ({
  id: `${raw.origin}${path}`,
  type: "Note",
  attributedTo: `${raw.origin}/a`,
  content: "<p>true</p>",
  to: [PUBLIC],
  ...members,
});

const nothing = async (path: string, table: Served): Promise<void> => {
  served = { ...author(), ...table };
  await unchanged(
    stage,
    async () => {
      const { accounts, statuses } = await stage.resolve(`${raw.origin}${path}`);
      assert.deepEqual([accounts, statuses], [[], []]);
    },
    2,
  );
};

describe("A fetched object must have the id of its final URL, or be fetched again from its own id; only the ActivityPub media types count, whatever the body looks like.", () => {
  const types = [
    "application/json",
    "application/ld+json",
    'application/ld+json; profile="https://example.org"',
    "text/plain",
    "application/octet-stream",
    "image/png",
    "application/activity+jsonx",
    "text/html; x=application/activity+json",
    "",
  ];
  for (const type of types) {
    test(`a note as ${type || "nothing"}`, () =>
      nothing("/t", { "/t": { type, body: note("/t") } }));
  }
  test("an id on another server, which does not have it", () =>
    nothing("/u", {
      "/u": {
        type: ACTIVITY,
        body: note("/u", { id: `${stage.peer.origin}/notes/none`, attributedTo: stage.bob.uri }),
      },
    }));
  test("an id that leads to another id", () =>
    nothing("/v", {
      "/v": { type: ACTIVITY, body: note("/v2") },
      "/v2": { type: ACTIVITY, body: note("/v3") },
      "/v3": { type: ACTIVITY, body: note("/v4") },
    }));
  test("an id that leads to another server", () =>
    nothing("/w", {
      "/w": { type: ACTIVITY, body: note("/w2") },
      "/w2": { type: ACTIVITY, body: "", status: 302, location: `${stage.peer.origin}/notes/none` },
    }));
  test("no id", () => nothing("/x", { "/x": { type: ACTIVITY, body: note("/x", { id: null }) } }));
  test("an author on another server", () =>
    nothing("/y", { "/y": { type: ACTIVITY, body: note("/y", { attributedTo: stage.bob.uri }) } }));
  test("an author on another server among several", () =>
    nothing("/z", {
      "/z": {
        type: ACTIVITY,
        body: note("/z", { attributedTo: [stage.bob.uri, stage.mallory.uri] }),
      },
    }));
  test("a page that names a file of another type", () =>
    nothing("/p", {
      "/p": { type: "text/html", body: `<link rel="alternate" type="${ACTIVITY}" href="/t">` },
      "/t": { type: "text/plain", body: note("/t") },
    }));
  test("a page that names one of our own documents", async () => {
    const own = await stage.write(stage.alice, "mine");
    await nothing("/q", {
      "/q": {
        type: "text/html",
        body: `<link rel="alternate" type="${ACTIVITY}" href="${own.uri}">`,
      },
    });
  });
  test("the document at the id counts, not the one that named it", async () => {
    served = {
      ...author(),
      "/1": { type: ACTIVITY, body: note("/2", { content: "<p>false</p>" }) },
      "/2": { type: LD, body: note("/2") },
    };
    const [status] = (await stage.resolve(`${raw.origin}/1`)).statuses;
    assert.deepEqual([status?.["uri"], status?.["content"]], [`${raw.origin}/2`, "<p>true</p>"]);
  });
});

describe("Create with another `attributedTo` than the actor; Update, Delete, Undo, Remove, by another actor, also one on the same host: nothing changes.", () => {
  const taken = (actor: PeerActor, activity: Json) =>
    unchanged(stage, () => stage.post(actor, activity));

  test("Create over a note that is known, by its author and by another", async () => {
    const { bob, eve } = stage;
    const object = await stage.create(bob);
    await taken(eve, {
      type: "Create",
      object: { ...object, attributedTo: eve.uri, content: "evil" },
    });
    await taken(eve, {
      type: "Create",
      object: { ...object, attributedTo: [eve.uri, bob.uri], content: "evil" },
    });
    await taken(eve, {
      type: "Update",
      object: { ...object, attributedTo: [eve.uri, bob.uri], content: "evil" },
    });
  });
  test("several at once: only the first is meant, and only where it may be", async () => {
    const { bob, eve } = stage;
    const object = await stage.create(bob);
    await taken(eve, { type: "Delete", object: [object["id"], eve.uri] });
    await taken(eve, { type: ["Like", "Delete"], object: object["id"] });
    await taken(eve, { type: ["Delete", "Undo"], object: object["id"] });
    await taken(eve, {
      type: "Delete",
      object: { id: object["id"], type: "Note", attributedTo: eve.uri },
    });
    await taken(eve, {
      type: "Delete",
      object: { type: "Tombstone", id: object["id"], actor: eve.uri },
    });
  });
  test("a Delete by another before the Create does not stop it", async () => {
    const { bob, eve, mallory } = stage;
    const object = stage.note(bob);
    for (const actor of [eve, mallory])
      await stage.send(actor, { type: "Delete", object: object["id"] });
    await stage.send(bob, { type: "Create", object });
    assert.ok(await stage.statusId(object["id"]));
  });
  test("an Undo by another before the Follow does not stop it", async () => {
    const { bob, eve } = stage;
    const id = stage.nextId(bob);
    await stage.send(eve, {
      type: "Undo",
      object: { id, type: "Follow", actor: bob.uri, object: stage.uriOf(stage.alice) },
    });
    await stage.send(eve, { type: "Undo", object: id });
    await stage.send(bob, { id, type: "Follow", object: stage.uriOf(stage.alice) });
    const rows = await stage.server.app.sql`SELECT 1 FROM follows WHERE uri = ${id}`;
    assert.equal(rows.length, 1);
  });
  test("the id of an activity that another will send does not hide it", async () => {
    const { bob, eve, mallory } = stage;
    const object = stage.note(bob);
    const id = `${String(object["id"])}/activity`;
    for (const actor of [eve, mallory])
      await stage.send(actor, { id, type: "Like", object: object["id"] });
    await stage.send(bob, { id, type: "Create", object });
    assert.ok(await stage.statusId(object["id"]));
  });
  test("Update of a profile by another", async () => {
    const { bob, eve, mallory } = stage;
    for (const actor of [eve, mallory]) {
      await taken(actor, { type: "Update", object: { ...bob.document, name: "evil" } });
      await taken(actor, { type: "Update", object: [{ ...bob.document, name: "evil" }] });
      await taken(actor, { type: "Delete", object: { ...bob.document } });
    }
  });
  test("Undo of a block and of a boost by another, named by content", async () => {
    const { bob, eve } = stage;
    const own = await stage.write(stage.carol, "boost me");
    await stage.send(bob, { type: "Announce", object: own.uri, to: [PUBLIC] });
    await stage.send(bob, { type: "Block", object: stage.uriOf(stage.carol) });
    for (const type of ["Block", "Announce", "Like", "Follow"]) {
      const object = type === "Block" ? stage.uriOf(stage.carol) : own.uri;
      await taken(eve, { type: "Undo", object: { type, actor: bob.uri, object } });
      if (type !== "Follow")
        await taken(eve, { type: "Undo", object: { type, actor: eve.uri, object } });
    }
    await stage.send(bob, {
      type: "Undo",
      object: { type: "Block", actor: bob.uri, object: stage.uriOf(stage.carol) },
    });
  });
  test("Add of another's post, or to another's profile", async () => {
    const { bob, eve } = stage;
    const object = await stage.create(bob);
    await taken(eve, { type: "Add", object: object["id"], target: eve.document["featured"] });
    await taken(eve, { type: "Add", object: object["id"], target: bob.document["featured"] });
    await taken(bob, { type: "Add", object: object["id"], target: eve.document["featured"] });
    const own = await stage.write(stage.alice, "mine");
    await taken(bob, { type: "Add", object: own.uri, target: bob.document["featured"] });
  });
});

describe("Accept of a follow that was never sent; a Move whose target does not list the old account: nothing happens.", () => {
  test("Accept and Reject by somebody who was not asked", async () => {
    const { eve, bob, mallory, alice, server } = stage;
    const dora = await server.person("dora");
    const targetId = await stage.accountId(bob);
    await follow(server.app, { accountId: dora.accountId, targetId });
    const [{ uri } = { uri: "" }] = await server.app.sql<{ uri: string }[]>`
      SELECT uri FROM follow_requests WHERE account_id = ${dora.accountId}`;
    await server.runJobs();
    const act = { type: "Follow", actor: stage.uriOf(dora), object: bob.uri };
    const otherAct = { ...act, actor: stage.uriOf(alice) };
    for (const actor of [eve, mallory]) {
      for (const object of [
        uri,
        { id: uri, ...act },
        act,
        otherAct,
        { ...act, object: actor.uri },
        stage.uriOf(dora),
      ]) {
        await unchanged(stage, () => stage.post(actor, { type: "Accept", object }));
        await unchanged(stage, () => stage.post(actor, { type: "Reject", object }));
        await unchanged(stage, () =>
          stage.post(actor, { type: "Undo", object: { type: "Accept", actor: bob.uri, object } }),
        );
      }
    }
  });
  test("movedTo somebody who does not name the old account", async () => {
    const { bob, mallory } = stage;
    bob.document["movedTo"] = mallory.uri;
    await stage.send(bob, { type: "Update", object: bob.document });
    delete bob.document["movedTo"];
    const answer = await stage.get(`/api/v1/accounts/${await stage.accountId(bob)}`);
    assert.equal("moved" in answer.json, false);
    // The target is read again, as it may have been changed.
    await unchanged(
      stage,
      () => stage.post(bob, { type: "Move", object: bob.uri, target: mallory.uri }),
      1,
    );
  });
});

test("`javascript:`, `data:` and other schemes in url, icon, attachment, profile field, card: dropped.", async () => {
  const { bob, alice } = stage;
  const bad = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>1</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:http://x/1",
    "ftp://x/y",
    "//evil.example/x",
    "http://user:pass@evil.example/",
  ];
  for (const url of bad) {
    const link = `<a href="${url}">x</a>`;
    const image = { type: "Image", mediaType: "image/png", url };
    Object.assign(bob.document, {
      url,
      icon: image,
      image: [image],
      name: link,
      summary: `${link}<img src="${url}">`,
      attachment: [{ type: "PropertyValue", name: link, value: link }],
      tag: [{ type: "Emoji", name: ":x:", icon: image }],
      alsoKnownAs: [url],
      followers: url,
      featured: url,
      endpoints: { sharedInbox: url },
    });
    await stage.send(bob, { type: "Update", object: bob.document });
    const object = await stage.create(bob, {
      url,
      content: link,
      summary: link,
      attachment: [image, { type: "Document", url: [{ type: "Link", href: url }] }],
      tag: [
        { type: "Mention", href: url, name: "@x" },
        { type: "Emoji", name: ":x:", icon: image },
        { type: "Hashtag", name: "#x", href: url },
      ],
      inReplyTo: url,
      context: url,
      conversation: url,
    });
    const id = await stage.statusId(object["id"]);
    const { json } = await stage.get(`/api/v1/statuses/${id}`, alice);
    const account = json.account;
    assert.equal(json.url, object["id"], url);
    assert.deepEqual([json.media_attachments, json.emojis, json.mentions], [[], [], []], url);
    assert.equal(account.url, bob.uri);
    assert.ok(
      account.avatar.startsWith(stage.server.url) && account.header.startsWith(stage.server.url),
    );
    assert.deepEqual(account.emojis, []);
    for (const html of [json.content, account.note, account.fields[0].value]) {
      const links = [...String(html).matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
      assert.ok(
        links.every((href) => /^(?:https?|ftp):\/\//.test(href)),
        html,
      );
      assert.doesNotMatch(html, /<img/);
    }
  }
});
