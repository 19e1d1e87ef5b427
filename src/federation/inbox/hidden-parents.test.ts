// Replies to posts of ours that their authors may not see: they are attached to nothing.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import * as w from "../../../test/inbox-world.ts";

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const shown = async (id: string) => (await w.alice.get(`/api/v1/statuses/${id}`)).json;

const answerTo = async (actor: typeof w.eve, uri: string, members = {}) => {
  const object = await w.create(actor, { inReplyTo: uri, ...members });
  return (await w.statusByUri(object["id"])) ?? null;
};

test("of who guesses the address of a post for followers or for one person", async () => {
  const tag = [{ type: "Mention", href: w.uriOf(w.alice) }];
  for (const visibility of ["private", "direct"]) {
    const parent = await w.post(w.alice, "not for eve", { visibility });
    assert.equal(await answerTo(w.eve, parent.uri), null, "nobody here has a reason to see it");
    const named = await answerTo(w.eve, parent.uri, { tag });
    assert.equal(named!.in_reply_to_id, null);
    assert.equal((await shown(parent.id)).replies_count, 0);
    const path = `/api/v1/statuses/${parent.id}/context`;
    const { json } = await w.alice.get(path);
    assert.deepEqual(json.descendants, []);
  }
});

test("who may see it is attached: a follower, one whom it names, anybody where it is open", async () => {
  await w.send(w.bob, { type: "Follow", object: w.uriOf(w.alice) });
  const parent = await w.post(w.alice, "for followers", { visibility: "private" });
  assert.equal((await answerTo(w.bob, parent.uri))!.in_reply_to_id, parent.id);
  assert.equal((await shown(parent.id)).replies_count, 1);
  const named = await w.post(w.alice, `@eve@${w.peer.host} hi`, { visibility: "direct" });
  assert.equal((await answerTo(w.eve, named.uri))!.in_reply_to_id, named.id);
  const open = await w.post(w.alice, "hello", { visibility: "unlisted" });
  assert.equal((await answerTo(w.eve, open.uri))!.in_reply_to_id, open.id);
});
