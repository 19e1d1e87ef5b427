// Everything that a recorded Mastodon sent to a peer (test/golden/activitypub-sent.json) is sent
// to us, with hosts and keys exchanged: each activity is taken, and does what it did there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { favouriteStatuses } from "../../domain/posts/statuses/favourite.ts";
import { follow } from "../../domain/people/relationships/follow.ts";

type Json = Record<string, any>;
type Recorded = { method: string; path: string; json?: Json };
type Step = { name: string; received: Recorded[] };

const file = new URL("../../../test/golden/activitypub-sent.json", import.meta.url);
const recording = JSON.parse(readFileSync(file, "utf8")) as { steps: Step[] };

let test: TestApp;
let peer: FakePeer;
let s1: Person;
let noteUri: string;
const actors = new Map<string, PeerActor>();

/** mast.test becomes the peer, peer.test this server, and its note a local one. */
const exchanged = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("https://peer.test/notes/1", noteUri)
    .replaceAll("https://peer.test", test.url)
    .replaceAll("https://mast.test", peer.origin)
    .replaceAll("mast.test", peer.host);

const accountId = async (name: string): Promise<string> => {
  const [row] = await test.app.sql<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${`${peer.origin}/users/${name}`}`;
  return row!.id;
};

const rows = async (table: string, name: string): Promise<number> => {
  const rows = await test.app.sql`
    SELECT 1 FROM ${test.app.sql(table)} WHERE account_id = ${await accountId(name)}`;
  return rows.length;
};

const s1Follows = async (name: string): Promise<boolean> => {
  const rows = await test.app.sql`
    SELECT 1 FROM follows WHERE account_id = ${s1.accountId} AND target_account_id = ${await accountId(name)}`;
  return rows.length > 0;
};

const stored = async (activity: Json) => {
  const uri = typeof activity["object"] === "string" ? activity["object"] : activity["object"].id;
  const [row] = await test.app.sql<Json[]>`
    SELECT s.*, (SELECT count(*)::int FROM mentions m WHERE m.status_id = s.id) AS mentions,
      (SELECT count(*)::int FROM statuses_tags t WHERE t.status_id = s.id) AS tags,
      (SELECT count(*)::int FROM media_attachments m WHERE m.status_id = s.id) AS media
    FROM statuses s WHERE uri = ${uri}`;
  return row;
};

/** What the recorded peer did itself before a step. */
const askToFollow = (name: string) => async () => {
  await test.app.sql`DELETE FROM follow_requests WHERE account_id = ${s1.accountId}`;
  // Known from an earlier look-up.
  if (
    (await test.app.sql`SELECT 1 FROM accounts WHERE uri = ${`${peer.origin}/users/${name}`}`)
      .length === 0
  ) {
    await test.app.remote.account(`${name}@${peer.host}`);
  }
  await follow(test.app, { accountId: s1.accountId, targetId: await accountId(name) });
};

const BEFORE: Record<string, () => Promise<void>> = {
  "accept of a follow": askToFollow("alice"),
  authorize: askToFollow("carol"),
  reject: askToFollow("carol"),
};

const visibility = (expected: string) => async (activity: Json) => {
  assert.equal((await stored(activity))?.["visibility"], expected);
};

/** What each step must have done here. */
const AFTER: Record<string, (activity: Json) => Promise<void>> = {
  follow: async () => assert.equal(await rows("follows", "alice"), 1),
  "accept of a follow": async () => assert.ok(await s1Follows("alice")),
  authorize: async () => assert.ok(await s1Follows("carol")),
  "remove from followers": async () => assert.ok(!(await s1Follows("carol"))),
  reject: async () => assert.ok(!(await s1Follows("carol"))),
  public: async (activity) => {
    const row = await stored(activity);
    assert.equal(row?.["visibility"], "public");
    assert.equal(row["language"], "en");
    assert.deepEqual([row["mentions"], row["tags"]], [1, 1]);
    assert.match(row["content"], /Hello/);
  },
  "unlisted with warning": async (activity) => {
    const row = await stored(activity);
    assert.equal(row?.["visibility"], "unlisted");
    assert.equal(row["spoiler_text"], activity["object"].summary);
    assert.equal(row["sensitive"], true);
  },
  private: visibility("private"),
  direct: visibility("direct"),
  "reply to remote": async (activity) => {
    const row = await stored(activity);
    assert.ok(row?.["in_reply_to_id"]);
    assert.equal(row["in_reply_to_account_id"], s1.accountId);
  },
  poll: visibility("unlisted"),
  picture: async (activity) => assert.equal((await stored(activity))?.["media"], 1),
  edit: async (activity) => {
    const row = await stored(activity);
    assert.match(row?.["content"], /Hello again/);
    assert.ok(row?.["edited_at"]);
  },
  pin: async () => assert.equal(await rows("status_pins", "alice"), 1),
  unpin: async () => assert.equal(await rows("status_pins", "alice"), 0),
  favourite: async () => assert.equal(await rows("favourites", "alice"), 1),
  unfavourite: async () => assert.equal(await rows("favourites", "alice"), 0),
  reblog: async (activity) => {
    const rows = await test.app
      .sql`SELECT 1 FROM statuses WHERE uri = ${activity["id"]} AND reblog_of_id IS NOT NULL`;
    assert.equal(rows.length, 1);
  },
  unreblog: async (activity) => {
    const rows = await test.app.sql`SELECT 1 FROM statuses WHERE uri = ${activity["object"].id}`;
    assert.equal(rows.length, 0);
  },
  "reblog own": async (activity) => {
    const rows = await test.app
      .sql`SELECT 1 FROM statuses WHERE uri = ${activity["id"]} AND reblog_of_id IS NOT NULL`;
    assert.equal(rows.length, 1);
  },
  "reblog private own": async (activity) => {
    const rows = await test.app
      .sql`SELECT visibility FROM statuses WHERE uri = ${activity["type"] === "Announce" ? activity["id"] : activity["object"].id}`;
    assert.deepEqual(
      rows.map((row) => row["visibility"]),
      ["private"],
    );
  },
  vote: async (activity) => assert.equal(await stored(activity), undefined),
  delete: async (activity) => assert.equal(await stored(activity), undefined),
  unfollow: async () => assert.equal(await rows("follows", "alice"), 0),
  block: async () => assert.equal(await rows("blocks", "bob"), 1),
  unblock: async () => assert.equal(await rows("blocks", "bob"), 0),
};

before(async () => {
  [test, peer] = await Promise.all([startTestApp(), startPeer()]);
  s1 = await test.person("s1");
  const answer = await s1.post("/api/v1/statuses", { status: "note one" });
  noteUri = answer.json.uri;
  for (const [index, name] of ["alice", "bob", "carol", "dave"].entries()) {
    actors.set(`${peer.origin}/users/${name}`, peer.actor(name, index % 3));
  }
  const server = peer.actor("mast.test", 2);
  const uri = `${peer.origin}/actor`;
  const publicKey = {
    ...(server.document["publicKey"] as Json),
    id: `${uri}#main-key`,
    owner: uri,
  };
  peer.documents.set("/actor", { ...server.document, id: uri, type: "Application", publicKey });
  peer.documents.set(`/.well-known/webfinger?resource=acct:mast.test@${peer.host}`, {
    subject: `acct:mast.test@${peer.host}`,
    links: [{ rel: "self", type: "application/activity+json", href: uri }],
  });
  actors.set(uri, { ...server, uri, keyId: `${uri}#main-key` });
});

after(async () => {
  await peer.close();
  await test.close();
});

describe("recorded activities", () => {
  const seen = new Set<string>();
  for (const step of recording.steps) {
    const posts = step.received.filter((request) => request.method === "POST");
    for (const [index, request] of posts.entries()) {
      it(`${step.name}: ${request.json!["type"]}`, async () => {
        if (index === 0) await BEFORE[step.name]?.();
        const body = exchanged(request.json);
        const activity = JSON.parse(body) as Json;
        seen.add(activity["type"]);
        const actor = actors.get(activity["actor"]);
        assert.ok(actor, `no key for ${activity["actor"]}`);
        const { status, text } = await peer.post(
          `${test.url}${request.path}`,
          actor,
          {},
          { rawBody: body },
        );
        assert.equal(status, 202, text);
        await test.runJobs();
        const waiting = await test.app.sql`SELECT 1 FROM incoming_activities`;
        assert.equal(waiting.length, 0);
        await AFTER[step.name]?.(activity);
      });
    }
  }

  it("were of every kind that the recording has", () => {
    const kinds = [
      "Accept",
      "Add",
      "Announce",
      "Block",
      "Create",
      "Delete",
      "Flag",
      "Follow",
      "Like",
      "Reject",
      "Remove",
      "Undo",
      "Update",
    ];
    assert.deepEqual([...seen].sort(), kinds);
  });
});

const NEWER = new Set([
  "signature",
  "proof",
  "interactionPolicy",
  "assertionMethod",
  "webfinger",
  "context",
]);

describe("what we send has the members of what was recorded", () => {
  const recorded = (name: string): Json =>
    recording.steps.find((step) => step.name === name)!.received.find((r) => r.method === "POST")!
      .json!;
  const members = (activity: Json): string[] =>
    Object.keys(activity)
      // The recording is older than these.
      .filter((member) => !NEWER.has(member))
      .sort();
  const sentAfter = async (work: () => Promise<unknown>): Promise<Json> => {
    const before = peer.inbox().length;
    await work();
    await test.runJobs();
    const sent = peer.inbox().slice(before);
    assert.equal(sent.length, 1, JSON.stringify(sent));
    return sent[0] as Json;
  };
  let bobId: string;
  let bobsNote: string;

  before(async () => {
    bobId = await accountId("bob");
    // bob follows s1, so that his server gets what s1 does.
    await follow(test.app, { accountId: bobId, targetId: s1.accountId, uri: `${peer.origin}/f/1` });
    const bob = actors.get(`${peer.origin}/users/bob`)!;
    const tag = { type: "Mention", href: `${test.url}/users/s1`, name: "@s1" };
    const object = peer.note(bob, "/notes/bob", { tag });
    await bob.deliver(test, { id: `${bob.uri}#c`, type: "Create", object });
    const [row] = await test.app.sql<
      { id: string }[]
    >`SELECT id FROM statuses WHERE uri = ${String(object["id"])}`;
    bobsNote = row!.id;
  });

  const compare = (sent: Json, step: string): void => {
    const expected = recorded(step);
    assert.equal(sent["type"], expected["type"]);
    assert.deepEqual(members(sent), members(expected));
    if (typeof expected["object"] === "object" && typeof sent["object"] === "object") {
      assert.deepEqual(members(sent["object"]), members(expected["object"]));
    }
  };

  it("a post, its edit, its pin and unpin, its end", async () => {
    const text = { status: "Hello #Cats", language: "en" };
    let id = "";
    compare(
      await sentAfter(async () => (id = (await s1.post("/api/v1/statuses", text).ok()).id)),
      "public",
    );
    compare(
      await sentAfter(() =>
        s1.put(`/api/v1/statuses/${id}`, { ...text, status: "Hello #Dogs" }).ok(),
      ),
      "edit",
    );
    compare(await sentAfter(() => s1.post(`/api/v1/statuses/${id}/pin`, {}).ok()), "pin");
    compare(await sentAfter(() => s1.post(`/api/v1/statuses/${id}/unpin`, {}).ok()), "unpin");
    compare(await sentAfter(() => s1.delete(`/api/v1/statuses/${id}`, {}).ok()), "delete");
  });

  it("a favourite and its end, each with an id of its own", async () => {
    const first = await sentAfter(() => s1.post(`/api/v1/statuses/${bobsNote}/favourite`, {}).ok());
    compare(first, "favourite");
    const undone = await sentAfter(() =>
      s1.post(`/api/v1/statuses/${bobsNote}/unfavourite`, {}).ok(),
    );
    compare(undone, "unfavourite");
    assert.equal(undone["object"].id, first["id"]);
    const second = await sentAfter(() =>
      favouriteStatuses(test.app, test.app.sql, [{ accountId: s1.accountId, statusId: bobsNote }]),
    );
    assert.notEqual(second["id"], first["id"]);
  });

  it("a reblog and its end", async () => {
    const sent = await sentAfter(() => s1.post(`/api/v1/statuses/${bobsNote}/reblog`, {}).ok());
    compare(sent, "reblog");
    const undone = await sentAfter(() => s1.post(`/api/v1/statuses/${bobsNote}/unreblog`, {}).ok());
    assert.deepEqual(members(undone), members(recorded("unreblog")));
    assert.equal(undone["object"].id, sent["id"]);
  });

  it("a direct post goes only to those mentioned, and nowhere without remote mentions", async () => {
    const bobs = `@bob@${peer.host} hi`;
    const sent = await sentAfter(() =>
      s1.post("/api/v1/statuses", { status: bobs, visibility: "direct" }).ok(),
    );
    assert.deepEqual(sent["to"], [`${peer.origin}/users/bob`]);
    const before = peer.inbox().length;
    await s1.post("/api/v1/statuses", { status: "to myself", visibility: "direct" }).ok();
    await test.runJobs();
    assert.equal(peer.inbox().length, before);
  });

  it("activities of remote accounts are not sent on", async () => {
    const bob = actors.get(`${peer.origin}/users/bob`)!;
    const before = peer.inbox().length;
    const like = { id: `${bob.uri}#l`, type: "Like", actor: bob.uri, object: noteUri };
    await peer.post(`${test.url}/inbox`, bob, like);
    await bob.deliver(test, {
      id: `${bob.uri}#a`,
      type: "Announce",
      object: noteUri,
      to: ["https://www.w3.org/ns/activitystreams#Public"],
    });
    assert.equal(peer.inbox().length, before);
  });
});
