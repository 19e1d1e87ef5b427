// One path for all: an activity leaves the same rows whether what it names was known here or had to be
// fetched first.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  closeWorld,
  create,
  otherPeer,
  eve,
  mallory,
  nextId,
  note,
  openWorld,
  peer,
  send,
  statusByUri,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { statusByUri as fetchStatus } from "../notes.ts";

before(openWorld);
beforeEach(calmWorld);
after(closeWorld);

/** All that the database knows of a status, with addresses in the place of ids. */
const rowsOf = async (uri: unknown, other: unknown) => {
  const { sql } = test.app;
  const [row] = await sql<Json[]>`
    SELECT s.id, s.local, s.text, s.content, s.spoiler_text, s.visibility, s.sensitive, s.language,
      s.has_media, s.emojis, s.quote_policy, s.created_at, s.edited_at,
      a.uri AS author, p.uri AS parent, pa.uri AS parent_author, o.uri AS original,
      (s.conversation_id = p.conversation_id) AS in_thread
    FROM statuses s
    JOIN accounts a ON a.id = s.account_id
    LEFT JOIN statuses p ON p.id = s.in_reply_to_id
    LEFT JOIN accounts pa ON pa.id = s.in_reply_to_account_id
    LEFT JOIN statuses o ON o.id = s.reblog_of_id
    WHERE s.uri = ${String(uri)}`;
  assert.ok(row, `${String(uri)} is not stored`);
  const { id, ...rest } = row as { id: string };
  const parts = await Promise.all([
    sql`SELECT a.uri, m.silent FROM mentions m JOIN accounts a ON a.id = m.account_id
        WHERE m.status_id = ${id} ORDER BY 1`,
    sql`SELECT t.name FROM statuses_tags st JOIN tags t ON t.id = st.tag_id
        WHERE st.status_id = ${id} ORDER BY 1`,
    sql`SELECT remote_url, description, type FROM media_attachments WHERE status_id = ${id} ORDER BY id`,
    sql`SELECT options, multiple, expires_at, voters_count FROM polls WHERE status_id = ${id}`,
    sql`SELECT quoted_uri, state, legacy, approval_uri FROM quotes WHERE status_id = ${id}`,
    sql`SELECT n.type, f.uri FROM notifications n JOIN accounts f ON f.id = n.from_account_id
        WHERE n.status_id = ${id} ORDER BY 1, 2`,
    sql`SELECT st.replies_count, st.reblogs_count FROM statuses s
        JOIN status_stats st ON st.status_id = coalesce(s.in_reply_to_id, s.reblog_of_id)
        WHERE s.id = ${id}`,
  ]);
  const home = await alice.get("/api/v1/timelines/home?limit=40");
  const isHome = home.json.some((status: Json) => status["id"] === id);
  const text = JSON.stringify({ ...rest, parts, isHome });
  return JSON.parse(text.replaceAll(String(other), "OTHER")) as Json;
};

const PARENTS: [string, (members?: Json) => Json][] = [
  ["on the author's own host", (members) => note(eve, members)],
  [
    "on a third host",
    (members) => otherPeer.note(mallory, `/parents/${nextId(mallory).split("/").at(-1)}`, members),
  ],
];

const known = async (object: Json): Promise<Json> => {
  assert.ok(await fetchStatus(test.app, String(object["id"])));
  await test.runJobs();
  return object;
};

const REPLIES: [string, () => Json][] = [
  ["plain", () => ({})],
  [
    "with mentions, tags, media, a warning",
    () => ({
      content: "<p>a #Flower for @alice</p>",
      summary: "flowers",
      contentMap: { en: "<p>a #Flower for @alice</p>" },
      tag: [
        { type: "Hashtag", name: "#Flower" },
        { type: "Mention", href: uriOf(alice) },
        { type: "Mention", href: eve.uri },
      ],
      attachment: [{ type: "Document", mediaType: "image/png", url: `${peer.origin}/a.png` }],
    }),
  ],
  [
    "with a poll",
    () => ({
      type: "Question",
      oneOf: [
        { type: "Note", name: "tea", replies: { type: "Collection", totalItems: 2 } },
        { type: "Note", name: "coffee", replies: { type: "Collection", totalItems: 1 } },
      ],
      endTime: "2999-01-01T00:00:00Z",
      votersCount: 3,
    }),
  ],
  ["that quotes", () => ({ quote: `${otherPeer.origin}/nothing-there` })],
  ["for followers", () => ({ to: [`${bob.uri}/followers`], cc: [uriOf(alice)] })],
  [
    "direct",
    () => ({ to: [uriOf(alice)], cc: [], tag: [{ type: "Mention", href: uriOf(alice) }] }),
  ],
];

describe("a Create that answers a post", () => {
  for (const [where, parent] of PARENTS) {
    for (const [what, members] of REPLIES) {
      it(`${what}, ${where}`, async () => {
        const conversation = `${peer.origin}/contexts/${Math.random()}`;
        const here = await known(parent({ conversation }));
        const far = parent({ conversation: `${conversation}-2` });
        const published = new Date(Date.now() - 60_000).toISOString();
        const first = await create(bob, { ...members(), published, inReplyTo: here["id"] });
        const second = await create(bob, { ...members(), published, inReplyTo: far["id"] });
        const rows = await rowsOf(second["id"], far["id"]);
        assert.deepEqual(rows, await rowsOf(first["id"], here["id"]));
        assert.equal(rows["parent"], "OTHER");
        assert.equal(rows["in_thread"], true);
      });
    }
  }

  it("whose parent is gone or unreachable is stored without it", async () => {
    otherPeer.documents.set("/gone", 410);
    otherPeer.documents.set("/down", 503);
    for (const path of ["/gone", "/down", "/never-there"]) {
      const { id } = await create(bob, { inReplyTo: `${otherPeer.origin}${path}` });
      assert.equal((await statusByUri(id))!.in_reply_to_id, null, path);
    }
  });

  it("finds the parent by the address under which it is known, too", async () => {
    const object = note(eve);
    const alias = `/alias/${Math.random()}`;
    peer.pages.set(alias, { status: 302, headers: { location: String(object["id"]) } });
    const { id } = await create(bob, { inReplyTo: `${peer.origin}${alias}` });
    const parent = await statusByUri(object["id"]);
    assert.equal((await statusByUri(id))!.in_reply_to_id, parent!.id);
  });

  it("asks for a parent that is refused once, however many answer it", async () => {
    otherPeer.documents.set("/refused", 404);
    otherPeer.received.length = 0;
    for (let n = 0; n < 5; n++) await create(bob, { inReplyTo: `${otherPeer.origin}/refused` });
    assert.equal(otherPeer.received.filter(({ path }) => path === "/refused").length, 1);
  });
});

describe("an Announce", () => {
  it("of what is known and of what has to be fetched", async () => {
    const published = new Date(Date.now() - 60_000).toISOString();
    const boost = async (object: Json): Promise<string> => {
      const id = `${bob.uri}/boosts/${Math.random()}`;
      const to = { to: [PUBLIC], cc: [`${bob.uri}/followers`] };
      await send(bob, { id, type: "Announce", object: object["id"], published, ...to });
      return id;
    };
    for (const [where, target] of PARENTS) {
      const here = await known(target());
      const far = target();
      const [first, second] = [await boost(here), await boost(far)];
      const rows = await rowsOf(second, far["id"]);
      assert.deepEqual(rows, await rowsOf(first, here["id"]), where);
      assert.equal(rows["original"], "OTHER");
    }
  });

  it("is taken back by its id and by what it says, also where it comes late", async () => {
    const target = await known(note(eve));
    const boosts = async () =>
      (
        await test.app.sql`
          SELECT 1 FROM statuses r JOIN statuses s ON s.id = r.reblog_of_id
          WHERE s.uri = ${String(target["id"])}`
      ).length;
    const announce = (id: string) => ({ id, type: "Announce", object: target["id"], to: [PUBLIC] });
    const [first, second, third] = [nextId(bob), nextId(bob), nextId(bob)];
    await send(bob, announce(first));
    assert.equal(await boosts(), 1);
    await send(bob, { type: "Undo", object: first });
    assert.equal(await boosts(), 0);
    await send(bob, announce(second));
    const { id: _, ...withoutId } = announce(second);
    await send(bob, { type: "Undo", object: withoutId });
    assert.equal(await boosts(), 0);
    await send(bob, { type: "Undo", object: announce(third) });
    await send(bob, announce(third));
    assert.equal(await boosts(), 0);
  });
});

describe("a Follow that was undone before it came", () => {
  it("does nothing", async () => {
    const id = nextId(mallory);
    const activity = { id, type: "Follow", actor: mallory.uri, object: uriOf(alice) };
    const follows = async () =>
      (
        await test.app.sql`
          SELECT 1 FROM follows f JOIN accounts a ON a.id = f.account_id WHERE a.uri = ${mallory.uri}`
      ).length;
    await mallory.deliver(test, {
      id: nextId(mallory),
      type: "Undo",
      actor: mallory.uri,
      object: activity,
    });
    await mallory.deliver(test, activity);
    assert.equal(await follows(), 0);
    await mallory.deliver(test, { ...activity, id: nextId(mallory) });
    assert.equal(await follows(), 1);
  });
});
