// What auxiliary providers are told: public posts and profiles whose authors want them found, and the end of everything
// that was told; never anything else.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { startProvider } from "../../../test/fasp-provider.ts";
import type { Provider, Wrong } from "../../../test/fasp-provider.ts";
import * as w from "../../../test/inbox-world.ts";
import type { Person } from "../../../test/harness.ts";
import type { Fragment } from "../../platform/db/index.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { forgetHostFailures } from "../../platform/fetch/host-breaker.ts";
import { loadAsServer } from "../../domain/posts/statuses/load.ts";
import { VISIBILITIES } from "../../domain/posts/statuses/visibility.ts";
import { refreshTrends } from "../../domain/reading/trends/refresh.ts";
import { addDays } from "../../platform/ids/index.ts";
import {
  confirmProvider,
  deleteOldRegistrations,
  removeProvider,
  useProvider,
} from "./providers.ts";
import { ENDED, WALKED } from "./queries-sharing.ts";
import {
  announceDue,
  shareEditedPost,
  sharePosts,
  shareProfile,
  shareRemoved,
  shareWithdrawn,
} from "./sharing.ts";
import type { Capability, Wish } from "./tables.ts";

type Work = () => PromiseLike<unknown>;

const SUBSCRIPTIONS = "/data_sharing/v0/event_subscriptions";
const BACKFILLS = "/data_sharing/v0/backfill_requests";

let provider: Provider;
let dave: Person;

const use = (...capabilities: Capability[]) =>
  useProvider(w.test.app, COMMAND_LINE, provider.state.id, capabilities);

const profile = (person: Person, json: Record<string, boolean>) =>
  person.patch("/api/v1/accounts/update_credentials", json).ok();

/**
 * Tells the provider of everything, and returns what it was told since: event and address. Two jobs at once may tell it
 * the same, which providers have to bear.
 */
const told = async (): Promise<string[]> => {
  await w.test.runJobs();
  const lines = provider
    .told()
    .flatMap(({ eventType = "backfill", objectUris }) =>
      objectUris.map((uri) => `${eventType} ${uri}`),
    );
  provider.asked.length = 0;
  return [...new Set(lines)].toSorted();
};

before(async () => {
  await w.openWorld();
  dave = await w.test.person("dave");
  provider = await startProvider(() => w.time);
  await profile(w.alice, { indexable: true, discoverable: true });
  await profile(w.carol, { indexable: false, discoverable: false });
  await provider.register(w.test.url);
  await confirmProvider(w.test.app, COMMAND_LINE, provider.state.id);
});
after(async () => {
  await provider.close();
  await w.closeWorld();
});
beforeEach(() => {
  provider.asked.length = 0;
  provider.faults.length = 0;
});

/** Statements that telling of a post takes when it is written, edited and deleted, and of its author's profile. */
const statements = async ({ id }: { id: string }): Promise<number[]> => {
  const { app } = w.test;
  const views = await loadAsServer(app, [id]);
  const works = [
    () => sharePosts(app, views),
    () => shareEditedPost(app, id),
    () => shareRemoved(app, [{ id: "1" }]),
    () => shareProfile(app, w.carol.accountId),
  ];
  const counts: number[] = [];
  for (const work of works) {
    // The lowest count has warm caches, and nothing beside it.
    let least = Infinity;
    for (let time = 0; time < 3; time++)
      least = Math.min(least, (await w.test.countQueries(work, { warm: true })).queries);
    counts.push(least);
  }
  return counts;
};

test("where no provider subscribes, telling costs no statement", async () => {
  const post = await w.post(w.alice, "only here");
  assert.deepEqual(await statements(post), [0, 0, 0, 0]);
  await use("data_sharing");
  assert.deepEqual(await statements(post), [0, 0, 0, 0]);
  await use();
});

describe("subscriptions", () => {
  test("are checked, and may come before the answer that they are possible", async () => {
    const json = { category: "content", subscriptionType: "lifecycle" };
    // A provider that hears of the capability may subscribe before it answers.
    const early: number[] = [];
    provider.habits.meanwhile = async () => {
      delete provider.habits.meanwhile;
      early.push((await provider.ask("POST", SUBSCRIPTIONS, json)).status);
    };
    await use("data_sharing");
    assert.deepEqual(early, [201]);
    for (const wrong of [
      { ...json, category: "people" },
      { ...json, subscriptionType: "everything" },
      { ...json, maxBatchSize: "many" },
    ])
      assert.equal((await provider.ask("POST", SUBSCRIPTIONS, wrong)).status, 422);
    const first = await provider.ask("POST", SUBSCRIPTIONS, { ...json, maxBatchSize: 2 });
    assert.equal(first.status, 201);
    const second = await provider.ask("POST", SUBSCRIPTIONS, { ...json, maxBatchSize: 3 });
    const remove = async ({ json }: typeof first) =>
      (await provider.ask("DELETE", `${SUBSCRIPTIONS}/${json.subscription.id}`)).status;
    // The second took the place of the first.
    assert.deepEqual([await remove(first), await remove(second)], [404, 204]);
    for (const category of ["content", "account"])
      await provider.ask("POST", SUBSCRIPTIONS, { ...json, category, maxBatchSize: 2 });
  });

  test("bring new, edited and deleted posts, and nothing that is not public or wanted", async () => {
    const open = await w.post(w.alice, "for all");
    for (const visibility of ["unlisted", "private", "direct", "local"])
      await w.post(w.alice, `not ${visibility}`, { visibility });
    await w.post(w.carol, "I want no search");
    await w.alice.post(`/api/v1/statuses/${open.id}/reblog`).ok();
    assert.deepEqual(await told(), [`new ${w.uriOf(w.alice)}`, `new ${open.uri}`]);
    const [row] = await w.test.app.sql<{ wishes: Wish[] }[]>`SELECT wishes FROM fasp_providers`;
    const { id } = row!.wishes.find(({ category }) => category === "content")!;
    await w.alice.put(`/api/v1/statuses/${open.id}`, { status: "for all of you" }).ok();
    await w.test.runJobs();
    const [{ source, category } = {} as never] = provider.told();
    assert.deepEqual([source, category], [{ subscription: { id } }, "content"]);
    assert.deepEqual(await told(), [`update ${open.uri}`]);
    await w.alice.delete(`/api/v1/statuses/${open.id}`).ok();
    assert.deepEqual(await told(), [`delete ${open.uri}`]);
    assert.deepEqual(provider.faults, []);
  });

  test("tell who may be told, and nobody else, by whatever way", async () => {
    const { app, write, fixture } = w.test;
    await profile(dave, { indexable: true, discoverable: true });
    const { id, uri } = await w.post(dave, "may be told");
    const account = (change: Fragment) => () =>
      write`UPDATE accounts SET ${change} WHERE id = ${dave.accountId}`;
    const user = (change: Fragment) => () =>
      write`UPDATE users SET ${change} WHERE account_id = ${dave.accountId}`;
    const post = (change: Fragment) => () => write`UPDATE statuses SET ${change} WHERE id = ${id}`;
    const { sql } = app;
    const states: [name: string, isPostTold: boolean, isProfileTold: boolean, ...Work[]][] = [
      ["anybody", true, true],
      [
        "no search of posts",
        false,
        true,
        account(sql`indexable = false`),
        account(sql`indexable = true`),
      ],
      [
        "not to be found",
        true,
        false,
        account(sql`discoverable = false`),
        account(sql`discoverable = true`),
      ],
      [
        "limited",
        false,
        false,
        account(sql`silenced_at = now()`),
        account(sql`silenced_at = NULL`),
      ],
      [
        "suspended",
        false,
        false,
        account(sql`suspended_at = now()`),
        account(sql`suspended_at = NULL`),
      ],
      [
        "suspended elsewhere",
        ...([false, false] as const),
        account(sql`suspended_remotely = true`),
        account(sql`suspended_remotely = false`),
      ],
      [
        "not confirmed",
        false,
        false,
        user(sql`confirmed_at = NULL`),
        user(sql`confirmed_at = now()`),
      ],
      ["not approved", false, false, user(sql`approved = false`), user(sql`approved = true`)],
      [
        "a post that waits",
        false,
        true,
        post(sql`awaits_approval = true`),
        post(sql`awaits_approval = false`),
      ],
      ...VISIBILITIES.map((visibility): (typeof states)[number] => [
        visibility,
        visibility === "public",
        true,
        post(sql`visibility = ${visibility}`),
        post(sql`visibility = 'public'`),
      ]),
    ];
    for (const [name, isPostTold, isProfileTold, change, undo] of states) {
      await told();
      await change?.();
      await fixture((sql) => sql`DELETE FROM fasp_announced`);
      const views = await loadAsServer(app, [id]);
      await sharePosts(app, views);
      await shareEditedPost(app, id);
      await shareProfile(app, dave.accountId);
      for (const category of ["content", "account"])
        await provider.ask("POST", BACKFILLS, { category, maxCount: 500 });
      const lines = await told();
      for (const [address, isTold] of [
        [uri, isPostTold],
        [w.uriOf(dave), isProfileTold],
      ] as const) {
        const ways = ["backfill", "new"].filter((way) => lines.includes(`${way} ${address}`));
        const all = lines.filter((line) => line.endsWith(` ${address}`));
        assert.deepEqual(isTold ? ways : all, isTold ? ["backfill", "new"] : [], name);
      }
      await undo?.();
    }
    await dave.delete(`/api/v1/statuses/${id}`).ok();
    await profile(dave, { indexable: false, discoverable: false });
    await told();
  });

  test("cost a statement for each act, and another where there is something to tell", async () => {
    const post = await w.post(w.alice, "for all");
    await told();
    // It is known: there is nothing new to tell, but an edit; carol's profile is not to be found.
    assert.deepEqual(await statements(post), [2, 2, 1, 2]);
    assert.deepEqual(
      (await statements(await w.post(w.alice, "for some", { visibility: "private" })))[0],
      0,
    );
    assert.deepEqual(await told(), [`update ${post.uri}`]);
  });

  test("bring posts of other servers whose authors allow it", async () => {
    const writer = w.peer.actor("found", 1);
    writer.document["indexable"] = true;
    await w.followed(w.alice, writer);
    const { id } = await w.create(writer);
    await w.create(w.bob);
    assert.deepEqual(await told(), [`new ${String(id)}`]);
    await w.send(writer, { type: "Delete", object: id });
    assert.deepEqual(await told(), [`delete ${String(id)}`]);
  });

  test("come in batches as large as the provider takes", async () => {
    provider.state.status = 500;
    const uris: string[] = [];
    for (let n = 0; n < 5; n++) uris.push((await w.post(w.alice, `number ${n}`)).uri);
    await w.test.runJobs();
    provider.state.status = 200;
    await forgetHostFailures(w.test.app, provider.origin);
    provider.asked.length = 0;
    await announceDue(w.test.app);
    await w.test.runJobs();
    const sizes = provider.told().map(({ objectUris }) => objectUris.length);
    assert.equal(Math.max(...sizes), 2);
    assert.deepEqual(await told(), uris.map((uri) => `new ${uri}`).toSorted());
  });

  test("bring the end of what somebody withdraws, or the staff ends", async () => {
    await profile(dave, { indexable: true, discoverable: true });
    assert.deepEqual(await told(), [`new ${w.uriOf(dave)}`]);
    const { uri } = await w.post(dave, "here for now");
    assert.deepEqual(await told(), [`new ${uri}`]);
    await profile(dave, { indexable: false });
    assert.deepEqual(await told(), [`delete ${uri}`, `update ${w.uriOf(dave)}`]);
    await profile(dave, { discoverable: false });
    assert.deepEqual(await told(), [`delete ${w.uriOf(dave)}`]);
    await profile(dave, { indexable: true, discoverable: true });
    assert.deepEqual(await told(), [`new ${w.uriOf(dave)}`]);
    const second = await w.post(dave, "here again");
    assert.deepEqual(await told(), [`new ${second.uri}`]);
    // As a block of a whole server does it, which says nothing of the single accounts.
    await w.test.write`UPDATE accounts SET silenced_at = now() WHERE id = ${dave.accountId}`;
    await w.post(dave, "to nobody new");
    assert.deepEqual(await told(), []);
    await shareWithdrawn(w.test.app, { after: "0" });
    assert.deepEqual(await told(), [`delete ${w.uriOf(dave)}`, `delete ${second.uri}`]);
  });
});

test("the end of more posts than a statement ends is told too", async () => {
  const { app, fixture } = w.test;
  const json = { category: "content", subscriptionType: "lifecycle", maxBatchSize: 500 };
  await provider.ask("POST", SUBSCRIPTIONS, json);
  const { id } = await w.post(w.alice, "one of many");
  await told();
  await fixture(
    (sql) => sql`
      INSERT INTO fasp_announced (provider_id, category, object_id, account_id, is_local, uri, is_sent)
      SELECT f.provider_id, f.category, n, f.account_id, true, f.uri || '-' || n, true
      FROM fasp_announced f, generate_series(1, ${ENDED}) AS n WHERE f.object_id = ${id}`,
  );
  const open = async () =>
    (
      await app.sql`
        SELECT FROM fasp_announced WHERE account_id = ${w.alice.accountId} AND category = 'content'
          AND change IS DISTINCT FROM 'delete'`
    ).length;
  assert.ok((await open()) > ENDED);
  await w.test.write`UPDATE accounts SET silenced_at = now() WHERE id = ${w.alice.accountId}`;
  await shareProfile(app, w.alice.accountId);
  assert.ok((await open()) > 0);
  await shareWithdrawn(app, { after: "0" });
  assert.equal(await open(), 0);
  assert.ok((await told()).length > ENDED);
  await w.test.write`UPDATE accounts SET silenced_at = NULL WHERE id = ${w.alice.accountId}`;
  await shareProfile(app, w.alice.accountId);
  await told();
});

test("what nobody hears of, or posts of other servers, is not remembered for long", async () => {
  const { app, fixture } = w.test;
  const rows: [id: number, isLocal: boolean, isSent: boolean, category: string][] = [
    [1, true, true, "content"],
    [2, true, false, "content"],
    [3, false, true, "content"],
    [4, false, false, "account"],
  ];
  await fixture(async (sql) => {
    for (const [id, isLocal, isSent, category] of rows)
      await sql`
        INSERT INTO fasp_announced (provider_id, category, object_id, account_id, is_local, uri, is_sent)
        VALUES (${provider.state.id}, ${category}, ${id}, ${w.alice.accountId}, ${isLocal}, '', ${isSent})`;
  });
  await deleteOldRegistrations(app, addDays(new Date(0), 20_000));
  const left = await app.sql`SELECT object_id FROM fasp_announced WHERE object_id < 5 ORDER BY 1`;
  assert.deepEqual(
    [...left].map((row) => row["object_id"]),
    ["1", "4"],
  );
  await fixture((sql) => sql`DELETE FROM fasp_announced WHERE object_id < 5`);
});

test("posts that trend here are announced once", async () => {
  await provider.ask("POST", SUBSCRIPTIONS, { category: "content", subscriptionType: "trends" });
  const { id, uri } = await w.post(w.alice, "good news");
  await told();
  const look = async () => {
    await refreshTrends(w.test.app);
    await announceDue(w.test.app);
    return told();
  };
  await w.carol.post(`/api/v1/statuses/${id}/favourite`).ok();
  assert.deepEqual(await look(), []);
  await dave.post(`/api/v1/statuses/${id}/favourite`).ok();
  assert.deepEqual(await look(), [`trending ${uri}`]);
  assert.deepEqual(await look(), []);
});

describe("what was there before", () => {
  test("is announced in parts, each when the provider asks for it", async () => {
    const { app } = w.test;
    for (const wrong of [{ category: "content" }, { category: "x", maxCount: 2 }])
      assert.equal((await provider.ask("POST", BACKFILLS, wrong)).status, 422);
    const all = await app.sql<{ uri: string }[]>`
      SELECT s.uri FROM statuses s JOIN accounts a ON a.id = s.account_id
      WHERE s.visibility = 'public' AND s.reblog_of_id IS NULL AND a.indexable
        AND a.silenced_at IS NULL ORDER BY s.id DESC`;
    assert.ok(all.length > 4);
    const asked = await provider.ask("POST", BACKFILLS, { category: "content", maxCount: 4 });
    assert.equal(asked.status, 201);
    const { id } = asked.json.backfillRequest;
    const uris: string[] = [];
    for (let isMore = true; isMore;) {
      await w.test.runJobs();
      const [part] = provider.told();
      assert.deepEqual([part!.source, part!.eventType], [{ backfillRequest: { id } }, undefined]);
      uris.push(...part!.objectUris);
      isMore = part!["moreObjectsAvailable"];
      provider.asked.length = 0;
      w.advance(1000);
      const { status } = await provider.ask("POST", `${BACKFILLS}/${id}/continuation`);
      assert.equal(status, isMore ? 204 : 404);
    }
    assert.deepEqual(
      uris,
      all.map(({ uri }) => uri),
    );
    await provider.ask("POST", BACKFILLS, { category: "account", maxCount: 100 });
    assert.ok((await told()).includes(`backfill ${w.uriOf(w.alice)}`));
  });

  test("goes on by itself past many posts that it may not tell of", async () => {
    const { app, fixture } = w.test;
    const { uri } = await w.post(w.alice, "long ago");
    await told();
    // The oldest is alice's, and after it comes more than a part looks at, of carol, who wants no search.
    const moved = await app.sql<{ id: string }[]>`SELECT min(id) - 10000 AS id FROM statuses`;
    const columns = (
      await app.sql<{ name: string }[]>`
        SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = 'statuses' AND column_name NOT IN ('id', 'uri', 'account_id')
      `
    ).map(({ name }) => name);
    const copy = (id: string, of: string, account: string, uris: string) =>
      fixture((sql) =>
        sql.unsafe(`
          INSERT INTO statuses (id, uri, account_id, ${columns.join(", ")})
          SELECT ${id}, ${uris}, ${account}, ${columns.map((name) => `s.${name}`).join(", ")}
          FROM statuses s, generate_series(1, ${of}) AS n WHERE s.uri = '${uri}'
        `),
      );
    await copy(moved[0]!.id, "1", w.alice.accountId, `s.uri || '-old'`);
    await copy(`${moved[0]!.id} + n`, String(WALKED), w.carol.accountId, `s.uri || '-' || n`);
    const json = { category: "content", maxCount: 500 };
    const { id } = (await provider.ask("POST", BACKFILLS, json)).json.backfillRequest;
    assert.ok((await told()).length > 1);
    assert.equal((await provider.ask("POST", `${BACKFILLS}/${id}/continuation`)).status, 204);
    assert.deepEqual(await told(), [`backfill ${uri}-old`]);
    assert.equal((await provider.ask("POST", `${BACKFILLS}/${id}/continuation`)).status, 404);
    await fixture((sql) => sql`DELETE FROM statuses WHERE uri LIKE ${`${uri}-%`}`);
  });

  test("is asked for once for each category, and of nobody else's business", async () => {
    provider.state.status = 500;
    const json = { category: "content", maxCount: 1 };
    const ids: string[] = [];
    for (let n = 0; n < 2; n++)
      ids.push((await provider.ask("POST", BACKFILLS, json)).json.backfillRequest.id);
    const statuses: number[] = [];
    for (const id of ids)
      statuses.push((await provider.ask("POST", `${BACKFILLS}/${id}/continuation`)).status);
    assert.deepEqual(statuses, [404, 204]);
    const other = await startProvider(() => w.time);
    await other.register(w.test.url);
    await confirmProvider(w.test.app, COMMAND_LINE, other.state.id);
    await useProvider(w.test.app, COMMAND_LINE, other.state.id, ["data_sharing"]);
    const path = `${BACKFILLS}/${ids[1]}/continuation`;
    assert.equal((await other.ask("POST", path)).status, 404);
    const as = { keyId: provider.state.id, key: other.privateKey };
    assert.equal((await other.ask("POST", path, undefined, as)).status, 401);
    // Another provider is told while this one is down.
    await other.ask("POST", SUBSCRIPTIONS, { category: "content", subscriptionType: "lifecycle" });
    const { uri } = await w.post(w.alice, "for the other");
    await w.test.runJobs();
    assert.ok(other.told().some(({ objectUris }) => objectUris.includes(uri)));
    await other.close();
    await removeProvider(w.test.app, COMMAND_LINE, other.state.id);
    provider.state.status = 200;
    await forgetHostFailures(w.test.app, provider.origin);
    await announceDue(w.test.app);
    await told();
  });
});

test("wrong, old, foreign and missing signatures are refused, and so is the same once more", async () => {
  const now = Math.floor(w.time / 1000);
  const wrongs: Record<string, Wrong> = {
    unsigned: { unsigned: true },
    "another key": { key: provider.newKeys().privateKey },
    "a key that nobody has": { keyId: "1" },
    "no id": { keyId: "https://finder.example/key" },
    old: { created: now - 400 },
    "of the future": { created: now + 400 },
    "another body": { signedBody: "{}" },
    "another address": { url: `https://elsewhere.example/fasp${SUBSCRIPTIONS}` },
    "no digest covered": { covered: ["@method", "@target-uri"] },
    "no address covered": { covered: ["@method", "content-digest"] },
    "no method covered": { covered: ["@target-uri", "content-digest"] },
  };
  const json = { category: "content", subscriptionType: "lifecycle" };
  for (const [name, wrong] of Object.entries(wrongs))
    assert.equal((await provider.ask("POST", SUBSCRIPTIONS, json, wrong)).status, 401, name);
  const body = JSON.stringify(json);
  const headers = provider.headersOf("POST", SUBSCRIPTIONS, body);
  const again = () => fetch(provider.state.base + SUBSCRIPTIONS, { method: "POST", headers, body });
  assert.deepEqual([(await again()).status, (await again()).status], [201, 401]);
  const large = { text: "x".repeat(17_000) };
  assert.equal((await provider.ask("POST", SUBSCRIPTIONS, large, {})).status, 413);
});

test("a provider asks for nothing that it does not offer", async () => {
  const other = await startProvider(() => w.time);
  other.answers.set("/provider_info", { capabilities: [{ id: "trends", version: "0.1" }] });
  await other.register(w.test.url);
  assert.equal((await other.ask("POST", BACKFILLS, {}, {})).status, 401);
  await confirmProvider(w.test.app, COMMAND_LINE, other.state.id);
  assert.equal((await other.ask("POST", BACKFILLS, {})).status, 403);
  await removeProvider(w.test.app, COMMAND_LINE, other.state.id);
  await other.close();
});

test("a provider that is switched off is told nothing more", async () => {
  await use();
  await w.post(w.alice, "among us");
  assert.deepEqual(await told(), []);
  const rows = await w.test.app.sql<{ wishes: Wish[] }[]>`SELECT wishes FROM fasp_providers`;
  assert.deepEqual([...rows], [{ wishes: [] }]);
});
