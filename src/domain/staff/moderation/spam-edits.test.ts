// Edits are judged by the rules against spam as new posts are: what a rule stops changes nothing and tells nobody.

import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  followed,
  nextId,
  openWorld,
  send,
  statusByUri,
  test as server,
  uriOf,
} from "../../../../test/inbox-world.ts";
import type { Person } from "../../../../test/harness.ts";

type Json = Record<string, any>;

let mod: Person;

before(async () => {
  await openWorld();
  mod = await server.person("mod", {
    role: "Owner",
    scopes: ["read", "write", "admin:read", "admin:write"],
  });
});
after(closeWorld);
beforeEach(async () => {
  calmWorld();
  await server.write`DELETE FROM spam_rules`;
});

const rule = async (conditions: object, actions: string[]): Promise<string> => {
  const { id } = await mod
    .post("/api/v1/admin/spam_rules", { name: "coins", conditions, actions })
    .ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/dry_run`).ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/enable`).ok();
  return id;
};

const written = async (status: string, more: object = {}): Promise<Json> =>
  (await alice.post("/api/v1/statuses", { status, ...more })).json;
const shown = async (id: string): Promise<Json> => (await alice.get(`/api/v1/statuses/${id}`)).json;
const notified = async (who: Person): Promise<number> =>
  (await who.get("/api/v1/notifications")).json.length;

it("an edit that a rule refuses is a 422, and changes nothing: not who may quote it, either", async () => {
  const { id } = await written("nothing to see", { quote_approval_policy: "public" });
  await server.runJobs();
  const [before, count] = [await shown(id), await notified(carol)];
  await rule({ words: ["coins"] }, ["reject"]);
  const answer = await alice.put(`/api/v1/statuses/${id}`, {
    status: "free coins for @carol",
    quote_approval_policy: "nobody",
  });
  assert.equal(answer.status, 422);
  assert.match(answer.json.error, /Your edit looks like spam/);
  await server.runJobs();
  assert.deepEqual(await shown(id), before);
  assert.equal(await notified(carol), count);
  assert.equal((await alice.get(`/api/v1/statuses/${id}/history`)).json.length, 1);
});

it("an edit that is refused otherwise does not change who may quote it", async () => {
  const { id } = await written("quote me", { quote_approval_policy: "public" });
  const before = await shown(id);
  const more = { quote_approval_policy: "nobody", media_ids: ["12345"] };
  assert.equal((await alice.put(`/api/v1/statuses/${id}`, { status: "x", ...more })).status, 422);
  assert.deepEqual(await shown(id), before);
  const same = { status: "quote me", quote_approval_policy: "nobody" };
  const changed = (await alice.put(`/api/v1/statuses/${id}`, same)).json;
  assert.deepEqual([changed.quote_approval.automatic, changed.edited_at], [[], null]);
});

it("a held edit waits; approved, it is as it was written, and notifies", async () => {
  const { id } = await written("a post");
  const before = await notified(carol);
  await rule({ words: ["coins"] }, ["hold"]);
  const expires_at = new Date(server.app.clock.now().getTime() + 86_400_000).toISOString();
  const change = {
    status: "coins for @carol",
    poll: { options: ["a", "b"], expires_in: 3600 },
    quote_approval_policy: "nobody",
    expires_at,
  };
  const answer = await alice.put(`/api/v1/statuses/${id}`, change);
  assert.deepEqual([answer.status, /waits for a moderator/.test(answer.json.error)], [422, true]);
  await server.runJobs();
  assert.match((await shown(id))["content"], /a post/);
  const [post] = await mod.get("/api/v1/admin/held_posts").ok();
  assert.deepEqual([post.status_id, post.text], [id, "a\n\nb\n\ncoins for @carol"]);
  await mod.post(`/api/v1/admin/held_posts/${post.id}/approve`).ok();
  await server.runJobs();
  const now = await shown(id);
  assert.match(now["content"], /coins/);
  assert.deepEqual(
    [now["poll"].options.length, now["quote_approval"].automatic, now["mentions"].length],
    [2, [], 1],
  );
  assert.equal(now["expires_at"], expires_at);
  assert.equal(await notified(carol), before + 1);
});

it("a held edit is not published over a later one", async () => {
  const { id } = await written("a post");
  await rule({ words: ["coins"] }, ["hold"]);
  assert.equal((await alice.put(`/api/v1/statuses/${id}`, { status: "coins" })).status, 422);
  // The clock goes on.
  calmWorld();
  await alice.put(`/api/v1/statuses/${id}`, { status: "later" }).ok();
  const [post] = await mod.get("/api/v1/admin/held_posts").ok();
  const answer = await mod.post(`/api/v1/admin/held_posts/${post.id}/approve`);
  assert.equal(answer.status, 422);
  assert.match(answer.json.error, /edited again or deleted/);
  await mod.post(`/api/v1/admin/held_posts/${post.id}/discard`).ok();
  assert.match((await shown(id))["content"], /later/);
});

it("what stays as it is said is not judged again, and a rule that stops nothing lets the edit through", async () => {
  const { id } = await written("coins");
  const refusing = await rule({ words: ["coins"] }, ["reject"]);
  const same = await alice.put(`/api/v1/statuses/${id}`, { status: "coins", sensitive: true });
  assert.deepEqual([same.status, same.json.sensitive], [200, true]);
  await mod.delete(`/api/v1/admin/spam_rules/${refusing}`).ok();
  const reporting = await rule({ words: ["coins"] }, ["report"]);
  await alice.put(`/api/v1/statuses/${id}`, { status: "more coins" }).ok();
  const [match] = await mod.get(`/api/v1/admin/spam_rules/${reporting}/matches`).ok();
  assert.deepEqual([match.status_id, match.state], [id, "published"]);
});

it("an Update from elsewhere is judged, refused without a word, and applied when the rule is undone", async () => {
  await followed(alice, bob);
  const note = await create(bob, { content: "<p>harmless</p>" });
  const { id } = (await statusByUri(note["id"]))!;
  const ruleId = await rule({ words: ["coins"], origin: "remote" }, ["reject"]);
  const before = await notified(carol);
  await send(bob, {
    id: nextId(bob),
    type: "Update",
    actor: bob.uri,
    to: [PUBLIC],
    object: {
      ...note,
      content: "<p>free coins</p>",
      interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
      to: [PUBLIC],
      cc: [uriOf(carol)],
      tag: [{ type: "Mention", href: uriOf(carol), name: "@carol" }],
      updated: new Date(Date.now() + 1000).toISOString(),
    },
  });
  await server.runJobs();
  const kept = await shown(id);
  assert.match(kept["content"], /harmless/);
  assert.deepEqual(kept["quote_approval"].automatic, []);
  assert.equal(await notified(carol), before);
  await mod.post(`/api/v1/admin/spam_rules/${ruleId}/undo`).ok();
  await server.runJobs();
  const changed = await shown(id);
  assert.match(changed["content"], /coins/);
  assert.deepEqual(changed["quote_approval"].automatic, ["public"]);
  assert.equal(await notified(carol), before + 1);
});

it("an Update that cannot be stored changes nothing, neither who may quote the post nor what it quotes", async () => {
  await followed(alice, bob);
  const note = await create(bob, { content: "<p>as it was</p>" });
  const { id } = (await statusByUri(note["id"]))!;
  const other = await create(bob, { content: "<p>another</p>" });
  const { sql } = server.app;
  await sql.unsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22000'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON status_edits FOR EACH ROW EXECUTE FUNCTION refuse();
  `);
  await send(bob, {
    type: "Update",
    to: [PUBLIC],
    object: {
      ...note,
      content: "<p>as it should be</p>",
      quote: other["id"],
      interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
      updated: new Date(Date.now() + 1000).toISOString(),
    },
  });
  await sql.unsafe("DROP TRIGGER refuse ON status_edits; DROP FUNCTION refuse()");
  const kept = await shown(id);
  assert.match(kept["content"], /as it was/);
  assert.deepEqual([kept["quote_approval"].automatic, kept["quote"]], [[], null]);
});
