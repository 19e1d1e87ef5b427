// Remote actors: what is stored of them, and which are refused.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PeerActor } from "../../test/fake-peer.ts";
import {
  accountRow,
  actorWith,
  requestsFor,
  fresh,
  readingWorld,
} from "../../test/reading-world.ts";
import type { Json } from "../../test/reading-world.ts";
import { actorByUri, fetchActor } from "./actors.ts";
import { RemoteFault } from "./faults.ts";
import { getAccount } from "../domain/people/accounts/load.ts";

const HOUR = 3600_000;

const world = readingWorld();

describe("actors", () => {
  it("is stored with what it says of itself", async () => {
    const actor = actorWith(world, {
      type: "Service",
      name: "  Bob \u202e<b>  ",
      summary: '<p onclick="x()">hi <script>alert(1)</script></p>',
      manuallyApprovesFollowers: true,
      discoverable: true,
      indexable: true,
      icon: { type: "Image", url: `${world.peer.origin}/a.png`, summary: "a face" },
      image: [
        { type: "Image", url: [{ href: `${world.peer.origin}/h.png`, mediaType: "image/png" }] },
      ],
      attachment: [
        { type: "PropertyValue", name: "Site", value: '<a href="javascript:x()">y</a>' },
      ],
      tag: [{ type: "Emoji", name: ":cat:", icon: { url: `${world.peer.origin}/cat.png` } }],
      alsoKnownAs: [`${world.other.origin}/users/old`, "javascript:1"],
      published: "2020-01-02T00:00:00Z",
    });
    const view = await fetchActor(world.test.app, actor.uri, "person");
    assert.equal(view.username, actor.name);
    assert.equal(view.domain, world.peer.host);
    assert.equal(view.actor_type, "Service");
    assert.equal(view.display_name, "Bob <b>");
    assert.equal(view.note_html, "<p>hi </p>");
    assert.equal(view.avatar_url, `${world.peer.origin}/a.png`);
    assert.equal(view.avatar_description, "a face");
    assert.equal(view.header_url, `${world.peer.origin}/h.png`);
    assert.equal(view.fields[0]?.name, "Site");
    assert.doesNotMatch(view.fields[0]!.value_html, /javascript/);
    assert.equal(view.emojis[0]?.shortcode, "cat");
    assert.deepEqual(view.also_known_as, [`${world.other.origin}/users/old`]);
    assert.deepEqual([view.locked, view.discoverable, view.indexable], [true, true, true]);
    assert.equal(view.created_at.toISOString(), "2020-01-02T00:00:00.000Z");
    assert.equal(view.shared_inbox_url, `${world.peer.origin}/inbox`);
  });

  it("is stored without addresses on other servers or with odd schemes", async () => {
    const actor = actorWith(world, {
      url: "javascript:alert(1)",
      icon: { url: "data:image/png;base64,AA" },
      image: "file:///etc/passwd",
      followers: `${world.other.origin}/users/x/followers`,
      outbox: `${world.test.url}/users/alice/outbox`,
      featured: "javascript:1",
      endpoints: { sharedInbox: `${world.other.origin}/inbox` },
    });
    const view = await fetchActor(world.test.app, actor.uri, "person");
    assert.equal(view.url, actor.uri);
    assert.equal(view.avatar_url, null);
    assert.equal(view.header_url, null);
    assert.equal(view.followers_url, null);
    assert.equal(view.shared_inbox_url, null);
  });

  it("is cut to the limits", async () => {
    const property = { type: "PropertyValue", name: "n".repeat(3000), value: "v".repeat(3000) };
    const short = { name: "n", value: "v" };
    const actor = actorWith(world, {
      name: "x".repeat(5000),
      summary: "é".repeat(20_000),
      attachment: [property, ...Array.from({ length: 80 }, () => ({ ...property, ...short }))],
      alsoKnownAs: Array.from({ length: 400 }, (_, at) => `${world.other.origin}/u/${at}`),
    });
    const view = await fetchActor(world.test.app, actor.uri, "person");
    assert.equal(view.display_name.length, 2048);
    assert.ok(Buffer.byteLength(view.note_html) <= 20_480);
    assert.equal(view.fields.length, 50);
    assert.ok(view.fields[0]!.value_html.length <= 2047);
    assert.equal(view.also_known_as.length, 256);
  });

  const BAD: [string, (actor: PeerActor) => Json][] = [
    ["no inbox", () => ({ inbox: undefined })],
    ["an inbox on another host", () => ({ inbox: `${world.other.origin}/inbox` })],
    ["a local inbox", () => ({ inbox: `${world.test.url}/inbox` })],
    ["no key", () => ({ publicKey: undefined })],
    [
      "a key of another owner",
      (a) => ({ publicKey: { ...(a.document["publicKey"] as Json), owner: `${a.uri}x` } }),
    ],
    [
      "a key with an id on another host",
      (a) => ({
        publicKey: { ...(a.document["publicKey"] as Json), id: `${world.other.origin}/k` },
      }),
    ],
    ["no name", () => ({ preferredUsername: "" })],
    ["a name with a host", () => ({ preferredUsername: "a@b" })],
    ["a name with NUL", () => ({ preferredUsername: "a\0b c" })],
    ["a name that is too long", () => ({ preferredUsername: "a".repeat(2049) })],
    ["no actor's type", () => ({ type: "Note" })],
    ["another name than its handle's", () => ({ preferredUsername: "somebody" })],
    [
      "a handle on another host that does not name it",
      () => ({ webfinger: `x@${world.other.host}` }),
    ],
    ["a local handle", () => ({ webfinger: `alice@${world.test.app.config.site.localDomain}` })],
  ];
  for (const [what, members] of BAD) {
    it(`with ${what} is refused and not stored`, async () => {
      const actor = world.peer.actor(fresh());
      Object.assign(actor.document, members(actor));
      await assert.rejects(fetchActor(world.test.app, actor.uri, "person"), RemoteFault);
      assert.equal(await accountRow(world, actor.uri), null);
    });
  }

  it("that is suspended or memorial is stored as such, until its server says otherwise", async () => {
    const actor = actorWith(world, { suspended: true, memorial: true });
    const view = await fetchActor(world.test.app, actor.uri, "person");
    assert.ok(view.suspended_at);
    assert.equal(view.memorial, true);
    actor.document["suspended"] = false;
    assert.equal((await fetchActor(world.test.app, actor.uri, "person")).suspended_at, null);
  });

  it("stays suspended by us whatever its server says", async () => {
    const actor = actorWith(world, {});
    const view = await fetchActor(world.test.app, actor.uri, "person");
    await world.test.write`UPDATE accounts SET suspended_at = now() WHERE id = ${view.id}`;
    actor.document["suspended"] = true;
    await fetchActor(world.test.app, actor.uri, "person");
    actor.document["suspended"] = false;
    assert.ok((await fetchActor(world.test.app, actor.uri, "person")).suspended_at);
  });

  it("moved only where the target names the old one", async () => {
    const from = world.peer.actor(fresh());
    const target = actorWith(world, {});
    from.document["movedTo"] = target.uri;
    const to = await fetchActor(world.test.app, target.uri, "person");
    assert.equal((await fetchActor(world.test.app, from.uri, "person")).moved_to_account_id, null);
    target.document["alsoKnownAs"] = [from.uri];
    await fetchActor(world.test.app, target.uri, "person");
    assert.equal((await fetchActor(world.test.app, from.uri, "person")).moved_to_account_id, to.id);
  });

  it("is used as stored for a day, then read again by a job; a failure leaves it", async () => {
    const actor = actorWith(world, { name: "old" });
    const { id } = await actorByUri(world.test.app, actor.uri, "person");
    actor.document["name"] = "new";
    assert.equal((await actorByUri(world.test.app, actor.uri, "person")).display_name, "old");
    world.time += 25 * HOUR;
    assert.equal((await actorByUri(world.test.app, actor.uri, "person")).display_name, "old");
    await world.test.runJobs();
    assert.equal((await getAccount(world.test.app, id)).display_name, "new");
    world.time += 25 * HOUR;
    world.peer.documents.set(`/users/${actor.name}`, 410);
    assert.equal((await actorByUri(world.test.app, actor.uri, "person")).display_name, "new");
    await world.test.runJobs();
    assert.equal((await getAccount(world.test.app, id)).display_name, "new");
  });

  it("asked for many times at once is fetched once", async () => {
    const actor = world.peer.actor(fresh());
    const views = await Promise.all(
      [1, 2, 3, 4].map(() => actorByUri(world.test.app, actor.uri, "person")),
    );
    assert.equal(new Set(views.map((view) => view.id)).size, 1);
    assert.equal(requestsFor(world.peer, `/users/${actor.name}`), 1);
  });
});
