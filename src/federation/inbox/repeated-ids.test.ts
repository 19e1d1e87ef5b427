// Ids that repeat: made of the time in seconds, two Updates of one second have the same. A replay of one is none of
// them.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import * as w from "../../../test/inbox-world.ts";
import { signActivity } from "../linked-data/signature.ts";
import { parsePrivateKey } from "../signatures/keys.ts";

type Json = Record<string, unknown>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const isSuspended = async (): Promise<boolean> => {
  const [row] = await w.test.app.sql<{ suspended: boolean }[]>`
    SELECT suspended_at IS NOT NULL AS suspended FROM accounts WHERE uri = ${w.eve.uri}`;
  return row!.suspended;
};

test("an actor that is suspended and back within a second is back, and a replay changes nothing", async () => {
  const id = `${w.eve.uri}#updates/1700000000`;
  const update = (suspended: boolean) =>
    w.send(w.eve, { id, type: "Update", object: { ...w.eve.document, suspended } });
  await update(true);
  assert.equal(await isSuspended(), true);
  await update(false);
  assert.equal(await isSuspended(), false);
  await update(true);
  assert.equal(await isSuspended(), false);
});

test("two edits of a post within a second both count, and none of them a second time", async () => {
  const object = await w.create(w.bob);
  const id = `${String(object["id"])}#updates/1700000000`;
  const content = async () => (await w.statusByUri(object["id"]))!.content;
  const edited = (text: string): Json => ({
    "@context": "https://www.w3.org/ns/activitystreams",
    id,
    type: "Update",
    actor: w.bob.uri,
    to: [w.PUBLIC],
    object: { ...object, content: text },
  });
  const [first, second] = [edited("<p>one</p>"), edited("<p>two</p>")];
  await w.send(w.bob, first);
  assert.equal(await content(), "<p>one</p>");
  await w.send(w.bob, second);
  assert.equal(await content(), "<p>two</p>");
  await w.send(w.bob, first);
  assert.equal(await content(), "<p>two</p>", "again");
  const key = { keyId: w.bob.keyId, privateKey: parsePrivateKey(w.bob.privateKeyPem) };
  await w.send(w.eve, await signActivity(first as never, key, new Date(w.time)));
  assert.equal(await content(), "<p>two</p>", "forwarded, in another form");
});
