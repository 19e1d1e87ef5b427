// Remote direct notes in the conversations of local people, one by one and in batches.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  followed,
  idOfActor,
  nextId,
  note,
  openWorld,
  post,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { emit } from "../../platform/outbox/emit.ts";
import { storeIncoming } from "./store.ts";
import type { Person } from "../../../test/harness.ts";

before(openWorld);
after(closeWorld);
beforeEach(async () => {
  calmWorld();
  await test.app.sql`TRUNCATE account_conversations CASCADE`;
});

const directTo = (people: Person[], members: Json = {}): Json => ({
  to: people.map(uriOf),
  cc: [],
  content: "<p>psst</p>",
  tag: people.map((person) => ({ type: "Mention", href: uriOf(person) })),
  ...members,
});

const conversations = async (by: Person): Promise<any[]> =>
  (await by.get("/api/v1/conversations")).json;

const brief = async (by: Person) =>
  (await conversations(by)).map((conversation) => [
    conversation.last_status.uri,
    conversation.unread,
    conversation.accounts.map((account: { id: string }) => account.id).toSorted(),
  ]);

describe("a remote direct note", () => {
  it("is a conversation for those whom it names, and the answer belongs to it", async () => {
    const there = await idOfActor(bob);
    const object = await create(bob, directTo([alice]));
    assert.deepEqual(await brief(alice), [[object["id"], true, [there]]]);
    assert.deepEqual(await brief(carol), []);
    const [{ last_status: last }] = await conversations(alice);
    const answer = await post(alice, "@bob@somewhere yes", {
      visibility: "direct",
      in_reply_to_id: last.id,
    });
    // The answer names nobody that is known: it is alice's own part of the thread.
    const uris = (await brief(alice)).map(([uri]) => uri);
    assert.deepEqual(uris, [answer.uri, object["id"]]);
  });

  it("comes in batches too, and both in one thread are one conversation", async () => {
    await followed(carol, bob);
    const there = await idOfActor(bob);
    const first = note(bob, directTo([alice, carol]));
    const second = note(bob, directTo([alice, carol], { inReplyTo: first["id"] }));
    for (const object of [first, second]) {
      const activity = {
        id: nextId(bob),
        type: "Create",
        actor: bob.uri,
        object,
        to: object["to"],
        cc: [],
      };
      const row = { uri: activity.id, actorUri: bob.uri, body: JSON.stringify(activity) };
      await storeIncoming(test.app, row, JSON.parse(row.body) as Json);
    }
    await test.runJobs();
    assert.deepEqual(await brief(carol), [
      [second["id"], true, [alice.accountId, there].toSorted()],
    ]);
    assert.deepEqual(await brief(alice), [
      [second["id"], true, [there, carol.accountId].toSorted()],
    ]);
    const [row] = await test.app
      .sql`SELECT count(*)::int AS count FROM account_conversation_statuses`;
    assert.equal(row!["count"], 4);
  });

  it("may have hundreds of people in it", async () => {
    const { sql } = test.app;
    await create(bob, directTo([alice], { content: "<p>crowd</p>" }));
    const [{ last_status: last }] = await conversations(alice);
    await sql`TRUNCATE account_conversations CASCADE`;
    await test.write`
      WITH people AS (
        INSERT INTO accounts (username, domain, uri, url, inbox_url)
        SELECT 'p' || n, 'far.example', 'https://far.example/' || n, '', ''
        FROM generate_series(1, 1000) AS n
        RETURNING id
      )
      INSERT INTO mentions (status_id, account_id) SELECT ${last.id}, id FROM people
    `;
    await emit(test.app, sql, "status.created", [{ id: last.id }]);
    await test.runJobs();
    const [conversation] = await conversations(alice);
    assert.equal(conversation.accounts.length, 1001);
  });
});
