// Remote posts by their address, with their ancestors.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  accountRow,
  actorWith,
  requestsFor,
  fresh,
  readingWorld,
} from "../../test/reading-world.ts";
import { statusByUri } from "./notes.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";

const world = readingWorld();

describe("posts", () => {
  const stored = async (id: string | null) => (await loadAsServer(world.test.app, [id!]))[0]!;

  it("is fetched with its author and stored once", async () => {
    const actor = world.peer.actor(fresh());
    world.peer.note(actor, "/n/1", { content: "<p>hi<script>x</script></p>" });
    const ids = await Promise.all(
      [1, 2].map(() => statusByUri(world.test.app, `${world.peer.origin}/n/1`)),
    );
    const view = await stored(ids[0]!);
    assert.equal(ids[1], view.id);
    assert.equal(view.content, "<p>hi</p>");
    assert.equal(view.account.uri, actor.uri);
    assert.equal(requestsFor(world.peer, "/n/1"), 1);
  });

  it("by somebody on another host is refused", async () => {
    const victim = world.other.actor(fresh());
    world.peer.note(victim, "/n/forged");
    assert.equal(await statusByUri(world.test.app, `${world.peer.origin}/n/forged`), null);
    assert.equal(await accountRow(world, victim.uri), null);
  });

  it("of a suspended author is refused", async () => {
    const actor = actorWith(world, { suspended: true });
    world.peer.note(actor, "/n/suspended");
    assert.equal(await statusByUri(world.test.app, `${world.peer.origin}/n/suspended`), null);
  });

  it("is stored with its parent, across hosts", async () => {
    const [a, b] = [world.peer.actor(fresh()), world.other.actor(fresh())];
    world.other.note(b, "/t/1");
    world.peer.note(a, "/t/2", { inReplyTo: `${world.other.origin}/t/1` });
    const view = await stored(await statusByUri(world.test.app, `${world.peer.origin}/t/2`));
    assert.equal(view.in_reply_to_uri, `${world.other.origin}/t/1`);
    assert.equal(view.in_reply_to_account_id, (await accountRow(world, b.uri))!.id);
  });

  it("of an endless thread is stored with a bounded part of it", async () => {
    const actor = world.peer.actor(fresh());
    for (let at = 0; at < 60; at++) {
      world.peer.note(actor, `/deep/${at}`, { inReplyTo: `${world.peer.origin}/deep/${at + 1}` });
    }
    assert.ok(await statusByUri(world.test.app, `${world.peer.origin}/deep/0`));
    assert.equal(world.peer.received.filter((r) => r.path.startsWith("/deep/")).length, 21);
  });

  it("in a ring of answers ends", async () => {
    const actor = world.peer.actor(fresh());
    world.peer.note(actor, "/ring/1", { inReplyTo: `${world.peer.origin}/ring/2` });
    world.peer.note(actor, "/ring/2", { inReplyTo: `${world.peer.origin}/ring/1` });
    assert.ok(await statusByUri(world.test.app, `${world.peer.origin}/ring/1`));
    assert.equal(world.peer.received.filter((r) => r.path.startsWith("/ring/")).length, 2);
  });

  it("whose parent cannot be fetched is stored without it", async () => {
    const actor = world.peer.actor(fresh());
    world.peer.documents.set("/down", 503);
    world.peer.note(actor, "/n/orphan", { inReplyTo: `${world.peer.origin}/down` });
    assert.equal(
      (await stored(await statusByUri(world.test.app, `${world.peer.origin}/n/orphan`)))
        .in_reply_to_id,
      null,
    );
  });

  it("gone is null, unreachable is an error to retry", async () => {
    world.peer.documents.set("/n/gone", 410);
    world.peer.documents.set("/n/down", 503);
    assert.equal(await statusByUri(world.test.app, `${world.peer.origin}/n/gone`), null);
    await assert.rejects(statusByUri(world.test.app, `${world.peer.origin}/n/down`), {
      meaning: "unavailable",
    });
    assert.equal(await statusByUri(world.test.app, `${world.test.url}/users/x/statuses/1`), null);
  });
});
