// A block, a mute or a blocked domain takes posts off the screens of who is looking.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { upsertRemoteAccount } from "../../people/accounts/upsert-remote.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { listChannel } from "./streams.ts";

let t: TestApp;
let alice: Person;
let carol: Person;
let names = 0;

before(async () => {
  t = await startTestApp();
  [alice, carol] = [await t.person("alice"), await t.person("carol")];
});
after(() => t.close());

const post = async (by: Person, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status: "words", ...more }).done()).id;
const boost = async (by: Person, id: string): Promise<string> =>
  (await by.post(`/api/v1/statuses/${id}/reblog`, {}).done()).id;

/** Somebody who follows these, and has them in a list. */
const reader = async (...accountIds: string[]) => {
  const who = await t.person(`reader${++names}`);
  for (const id of accountIds) await who.post(`/api/v1/accounts/${id}/follow`, {}).done();
  const { id: list } = await who.post("/api/v1/lists", { title: "all" }).done();
  await who.post(`/api/v1/lists/${list}/accounts`, { account_ids: accountIds }).done();
  return { who, list };
};

/** The ids of the `delete` events on both streams while `work` is done. */
const deletedBy = async (
  { who, list }: { who: Person; list: string },
  work: () => Promise<unknown>,
): Promise<{ home: string[]; list: string[] }> => {
  const deleted = { home: [] as string[], list: [] as string[] };
  const listen = (channel: string, into: string[]) =>
    t.app.pubsub.subscribe(channel, (event: any) => {
      if (event.event === "delete") into.push(event.payload);
    });
  const stops = [
    listen(userChannel(who.accountId), deleted.home),
    listen(listChannel({ id: list, ownerId: who.accountId }), deleted.list),
  ];
  await work();
  for (const stop of stops) stop();
  return deleted;
};

for (const verb of ["mute", "block"]) {
  for (const opened of [true, false]) {
    test(`${verb}: posts and boosts of theirs go, where home was ${opened ? "" : "never "}opened`, async () => {
      const bob = await t.person(`bob${++names}`);
      const first = await reader(bob.accountId, carol.accountId);
      const mine = await post(carol);
      const theirs = await post(bob, { visibility: "private" });
      const boosted = await boost(bob, await post(alice));
      for (let n = 0; n < 40; n++) {
        await carol.post("/api/v1/statuses", { status: "x" });
      }
      const byAnother = await boost(carol, await post(bob, { visibility: "unlisted" }));
      const reply = await post(bob, { status: `@carol`, in_reply_to_id: mine });
      const notShown = await post(bob, { status: "@alice psst", visibility: "direct" });
      const shown = async (path: string): Promise<string[]> =>
        (await first.who.get(`/api/v1/timelines/${path}?limit=40`)).json.map(
          (status: { id: string }) => status.id,
        );
      if (opened) assert.ok((await shown("home")).includes(reply));
      const deleted = await deletedBy(first, () =>
        first.who.post(`/api/v1/accounts/${bob.accountId}/${verb}`, {}).done(),
      );
      for (const ids of [deleted.home, deleted.list]) {
        for (const id of [theirs, boosted, reply]) assert.ok(ids.includes(id));
        assert.ok(!ids.includes(mine) && !ids.includes(notShown));
        assert.deepEqual(ids, ids.toSorted().toReversed(), "newest first, each once");
        assert.equal(new Set(ids).size, ids.length);
      }
      assert.ok(deleted.home.includes(byAnother));
      const left = await shown("home");
      assert.ok(deleted.home.every((id) => !left.includes(id)));
    });
  }
}

test("who is not followed and in nobody's boosts has nothing there", async () => {
  const bob = await t.person(`bob${++names}`);
  const first = await reader(carol.accountId);
  await post(bob);
  const deleted = await deletedBy(first, () =>
    first.who.post(`/api/v1/accounts/${bob.accountId}/block`, {}).done(),
  );
  assert.deepEqual(deleted, { home: [], list: [] });
});

test("a blocked domain takes all its posts along, and boosts of them", async () => {
  const far = async (name: string, domain: string): Promise<string> => {
    const uri = `https://${domain}/users/${name}`;
    return upsertRemoteAccount(t.app.sql, {
      username: name,
      domain,
      uri,
      url: uri,
      // Nobody listens there.
      inbox_url: "http://127.0.0.1:9/inbox",
      shared_inbox_url: "http://127.0.0.1:9/inbox",
      public_key: "none",
      key_id: null,
      fetched_at: new Date(),
    });
  };
  const [remy, sam] = [await far("remy", "far.example"), await far("sam", "other.example")];
  const first = await reader(remy, sam, carol.accountId);
  await t.write`
    INSERT INTO follows (account_id, target_account_id, local)
    SELECT ${first.who.accountId}, id, true FROM unnest(${[remy, sam]}::bigint[]) AS a (id)
    ON CONFLICT (account_id, target_account_id) DO NOTHING
  `;
  const remote = async (authorId: string): Promise<string> => {
    const uri = `https://far.example/${++names}`;
    const [row] = await t.write<{ id: string }[]>`
      INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
      VALUES (snowflake(), ${authorId}, ${uri}, false, 'public', false, now()) RETURNING id
    `;
    return row!.id;
  };
  const [his, others] = [await remote(remy), await remote(sam)];
  const boosted = await boost(carol, await remote(remy));
  const path = "domain_blocks";
  const deleted = await deletedBy(first, () =>
    first.who.post(`/api/v1/${path}`, { domain: "far.example" }).done(),
  );
  assert.ok(deleted.home.includes(his) && deleted.home.includes(boosted));
  assert.ok(!deleted.home.includes(others));
  assert.ok(deleted.list.includes(his));
});

test("open windows learn who is hidden before posts are withdrawn, and who is shown again", async () => {
  const bob = await t.person(`bob${++names}`);
  const first = await reader(bob.accountId);
  const id = await post(bob);
  const told: [event: string, about: unknown][] = [];
  const stop = t.app.pubsub.subscribe(userChannel(first.who.accountId), (event: any) => {
    if (event.event === "delete") return told.push(["delete", event.payload]);
    const { id: of, muting, blocking, domain, blocked } = JSON.parse(event.payload);
    return told.push([event.event, domain ? [domain, blocked] : [of, muting, blocking]]);
  });
  const path = `/api/v1/accounts/${bob.accountId}`;
  for (const verb of ["mute", "unmute", "block", "unblock"])
    await first.who.post(`${path}/${verb}`, {}).done();
  await first.who.post("/api/v1/domain_blocks", { domain: "far.example" }).done();
  await first.who.delete("/api/v1/domain_blocks", { domain: "far.example" }).done();
  stop();
  const relation = (muting: boolean, blocking: boolean) => [
    "relationship",
    [bob.accountId, muting, blocking],
  ];
  assert.deepEqual(told, [
    relation(true, false),
    ["delete", id],
    relation(false, false),
    relation(false, true),
    ["delete", id],
    relation(false, false),
    ["domain_block", ["far.example", true]],
    ["domain_block", ["far.example", false]],
  ]);
});

test("nothing is read where nobody looks", async () => {
  const bob = await t.person(`bob${++names}`);
  const { who } = await reader(bob.accountId);
  await post(bob);
  const { withdrawHidden } = await import("./hidden.ts");
  const nobody = { domain: null, followed: [], listed: [] };
  const hidden = { accountId: who.accountId, targetId: bob.accountId, ...nobody };
  const { queries } = await t.countQueries(() => withdrawHidden(t.app, [hidden]));
  assert.equal(queries, 1, "which lists there are");
});
