// Notifications over real HTTP: who is notified of what, who is not, the list and its paging.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { notify, retract } from "./notify.ts";
import type { Notice } from "./tables.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  server = await startTestApp();
  [alice, bob, carol] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
  ];
});

after(() => server.close());

beforeEach(async () => {
  await server.write`TRUNCATE notifications, follows, follow_requests, blocks, mutes, favourites, statuses CASCADE`;
  await server.write`UPDATE accounts SET suspended_at = NULL`;
});

const sql = () => server.app.sql;

const insertFollow = (from: Person, target: Person, wantsAll = false) => server.write`
  INSERT INTO follows (account_id, target_account_id, notify)
  VALUES (${from.accountId}, ${target.accountId}, ${wantsAll})
`;

const block = (from: Person, target: Person) => server.write`
  INSERT INTO blocks (account_id, target_account_id) VALUES (${from.accountId}, ${target.accountId})
`;

const mute = (
  from: Person,
  target: Person,
  hide: boolean,
  until: Date | null = null,
) => server.write`
  INSERT INTO mutes (account_id, target_account_id, hide_notifications, expires_at)
  VALUES (${from.accountId}, ${target.accountId}, ${hide}, ${until})
`;

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more }).ok()).id;

const list = async (who: Person, query = "") => {
  const path = `/api/v1/notifications${query}`;
  const answer = await who.get(path);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

const kinds = async (who: Person, query = ""): Promise<string[]> =>
  (await list(who, query)).json.map((entry: { type: string }) => entry.type);

/** Runs what follows from a new status; the event is repeated, as after a crash. */
const created = async (id: string) => {
  await emit(server.app, sql(), "status.created", [{ id }]);
  await server.runJobs();
};

const favourited = async (by: Person, statusId: string) => {
  const act = { accountId: by.accountId, statusId, uri: null };
  await emit(server.app, sql(), "status.favourited", [act]);
  await server.runJobs();
};

const edited = async (id: string) => {
  await server.app.jobs.add(sql(), "status.edited", { id });
  await server.runJobs();
};

const notifyOne = (to: Person, notice: Omit<Notice, "accountId">) =>
  notify(server.app, sql(), [{ accountId: to.accountId, ...notice }]);

const follow = async (from: Person, target: Person) => {
  await insertFollow(from, target);
  await notifyOne(target, { fromId: from.accountId, type: "follow" });
};

test("the mentioned account is notified once, with the status as that person sees it", async () => {
  const id = await post(alice, "hello @bob and @alice");
  await created(id);
  await created(id);
  const { json } = await list(bob);
  assert.equal(json.length, 1);
  const [entry] = json;
  assertEntity("Notification", entry);
  assert.equal(entry.type, "mention");
  assert.equal(entry.account.id, alice.accountId);
  assert.equal(entry.status.id, id);
  assert.equal(entry.status.favourited, false);
  assert.equal(entry.group_key, `ungrouped-${entry.id}`);
  assert.deepEqual(await kinds(alice), []);
  assert.deepEqual(await kinds(carol), []);
});

test("a row and its event are one act: without the commit there is neither", async () => {
  await insertFollow(alice, bob);
  await server.runJobs();
  const events = (tx: Tx) => tx`SELECT FROM outbox WHERE type = 'notification.created'`;
  const notice: Notice = { accountId: bob.accountId, fromId: alice.accountId, type: "follow" };
  const attempt = server.app.sql.begin(async (tx) => {
    await notify(server.app, tx, [notice]);
    assert.equal((await events(tx)).length, 1);
    throw new Error("changed my mind");
  });
  await assert.rejects(attempt, /changed my mind/);
  await server.runJobs();
  assert.deepEqual(await kinds(bob), []);
  await notify(server.app, sql(), [notice]);
  await server.runJobs();
  await server.app.sql.begin(async (tx) => {
    await notify(server.app, tx, [notice]);
    assert.equal((await events(tx)).length, 0);
  });
});

test("follows and follow requests notify, and are retracted", async () => {
  await follow(alice, bob);
  await server.write`
    INSERT INTO follow_requests (account_id, target_account_id)
    VALUES (${carol.accountId}, ${bob.accountId})
  `;
  await notifyOne(bob, { fromId: carol.accountId, type: "follow_request" });
  const { json } = await list(bob);
  assert.deepEqual(
    json.map((entry: { type: string; status?: unknown }) => [entry.type, entry.status]),
    [
      ["follow_request", undefined],
      ["follow", undefined],
    ],
  );
  for (const entry of json) assertEntity("Notification", entry);
  await server.write`DELETE FROM follows`;
  await retract(sql(), [{ accountId: bob.accountId, fromId: alice.accountId, type: "follow" }]);
  assert.deepEqual(await kinds(bob), ["follow_request"]);
});

test("an act undone before its job runs does not notify", async () => {
  await notifyOne(bob, { fromId: alice.accountId, type: "follow" });
  const id = await post(bob, "a post");
  await favourited(alice, id);
  assert.deepEqual(await kinds(bob), []);
});

test("favourite and reblog notify the author and are retracted with the act", async () => {
  const id = await post(bob, "likeable");
  await alice.post(`/api/v1/statuses/${id}/favourite`).ok();
  await favourited(alice, id);
  const reblog = await alice.post(`/api/v1/statuses/${id}/reblog`).ok();
  await created(reblog.id);
  const { json } = await list(bob);
  assert.deepEqual(
    json.map((entry: any) => [entry.type, entry.status.id]),
    [
      ["reblog", id],
      ["favourite", id],
    ],
  );
  await alice.post(`/api/v1/statuses/${id}/unfavourite`).ok();
  await alice.post(`/api/v1/statuses/${id}/favourite`).ok();
  await server.runJobs();
  // Worked together, the two leave what was there.
  assert.deepEqual((await kinds(bob)).toSorted(), ["favourite", "reblog"]);
  await alice.post(`/api/v1/statuses/${id}/unfavourite`).ok();
  await server.runJobs();
  assert.deepEqual(await kinds(bob), ["reblog"]);
});

test("one's own acts do not notify", async () => {
  const id = await post(alice, "mine");
  await alice.post(`/api/v1/statuses/${id}/favourite`).ok();
  await favourited(alice, id);
  assert.deepEqual(await kinds(alice), []);
});

test("followers with notify get every post, but not replies to others, reblogs, direct ones", async () => {
  await insertFollow(bob, alice, true);
  await insertFollow(carol, alice, false);
  const root = await post(alice, "news");
  await created(root);
  await created(await post(alice, "more", { in_reply_to_id: root }));
  const other = await post(carol, "something else");
  await created(await post(alice, "reply", { in_reply_to_id: other }));
  await created((await alice.post(`/api/v1/statuses/${other}/reblog`).ok()).id);
  await created(await post(alice, "psst", { visibility: "direct" }));
  assert.deepEqual(await kinds(bob), ["status", "status"]);
  // carol is not notified of posts, only of the reblog of hers.
  assert.deepEqual(await kinds(carol), ["reblog"]);
});

test("a follow with other languages is not notified", async () => {
  await insertFollow(bob, alice, true);
  await server.write`UPDATE follows SET languages = '{de}'`;
  await created(await post(alice, "in English", { language: "en" }));
  assert.deepEqual(await kinds(bob), []);
  await created(await post(alice, "auf Deutsch", { language: "de" }));
  assert.deepEqual(await kinds(bob), ["status"]);
});

test("an edit notifies those who reblogged; a later edit replaces it, a retry does not", async () => {
  const id = await post(alice, "first");
  await bob.post(`/api/v1/statuses/${id}/reblog`).ok();
  const edit = async (text: string) => {
    await alice.put(`/api/v1/statuses/${id}`, { status: text }).done();
    const { json } = await list(bob);
    assert.deepEqual(
      json.map((entry: { type: string }) => entry.type),
      ["update"],
    );
    return json[0].id as string;
  };
  const first = await edit("second");
  await edited(id);
  assert.equal((await list(bob)).json[0].id, first);
  assert.notEqual(await edit("third"), first);
});

test("nobody is notified across a block or a mute of notifications", async () => {
  const id = await post(bob, "hello");
  await server.write`INSERT INTO favourites (account_id, status_id) VALUES (${alice.accountId}, ${id})`;
  const attempt = async () => {
    await favourited(alice, id);
    const [row] = await sql()<{ n: number }[]>`
      DELETE FROM notifications RETURNING 1 AS n
    `;
    return row?.n ?? 0;
  };
  await block(bob, alice);
  assert.equal(await attempt(), 0);
  await server.write`TRUNCATE blocks`;
  await block(alice, bob);
  assert.equal(await attempt(), 0);
  await server.write`TRUNCATE blocks`;
  await mute(bob, alice, true);
  assert.equal(await attempt(), 0);
  await server.write`UPDATE mutes SET hide_notifications = false`;
  assert.equal(await attempt(), 1);
  await server.write`UPDATE mutes SET hide_notifications = true, expires_at = now() - interval '1 minute'`;
  assert.equal(await attempt(), 1);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${alice.accountId}`;
  assert.equal(await attempt(), 0);
});

test("a private post notifies only those who may see it", async () => {
  const id = await post(alice, "for followers", { visibility: "private" });
  const notice = { fromId: alice.accountId, type: "status" as const, statusId: id };
  await notifyOne(bob, notice);
  assert.deepEqual(await kinds(bob), []);
  await insertFollow(bob, alice);
  await notifyOne(bob, notice);
  assert.deepEqual(await kinds(bob), ["status"]);
  // and it is left out again when bob may not see it any more
  await server.write`DELETE FROM follows`;
  assert.deepEqual(await kinds(bob), []);
  const [row] = await sql()<{ id: string }[]>`SELECT id FROM notifications`;
  const answer = await bob.get(`/api/v1/notifications/${row!.id}`);
  assert.equal(answer.status, 404);
});

test("remote accounts get no notifications", async () => {
  const [stranger] = await server.write<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES ('eve', 'far.example', 'https://far.example/eve', 'https://far.example/@eve') RETURNING id
  `;
  await server.write`
    INSERT INTO follows (account_id, target_account_id) VALUES (${alice.accountId}, ${stranger!.id})
  `;
  await notify(server.app, sql(), [
    { accountId: stranger!.id, fromId: alice.accountId, type: "follow" },
  ]);
  const [row] = await sql()<{ n: number }[]>`SELECT count(*)::int AS n FROM notifications`;
  assert.equal(row!.n, 0);
});

test("the list leaves out who is blocked, muted or suspended now, and what is deleted", async () => {
  await follow(alice, bob);
  const id = await post(carol, "hi @bob");
  await created(id);
  assert.deepEqual(await kinds(bob), ["mention", "follow"]);
  await block(alice, bob);
  assert.deepEqual(await kinds(bob), ["mention"]);
  await server.write`DELETE FROM blocks`;
  await mute(bob, alice, true);
  assert.deepEqual(await kinds(bob), ["mention"]);
  await server.write`DELETE FROM mutes`;
  await server.runJobs();
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${carol.accountId}`;
  assert.deepEqual(await kinds(bob), ["follow"]);
  await server.write`UPDATE accounts SET suspended_at = NULL`;
  await server.runJobs();
  await carol.delete(`/api/v1/statuses/${id}`);
  assert.deepEqual(await kinds(bob), ["follow"]);
});

test("those of whoever is hidden are put away, and come back as they were with their senders", async () => {
  const [dora, erin, finn] = [
    await server.person("dora"),
    await server.person("erin"),
    await server.person("finn"),
  ];
  const [zoe] = await server.write<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES ('zoe', 'large.example', 'https://large.example/zoe', 'https://large.example/@zoe') RETURNING id
  `;
  for (const by of [alice, carol, dora, erin, finn]) await created(await post(by, "hi @bob"));
  await created(await post(alice, "hi @carol"));
  await notifyOne(bob, { fromId: zoe!.id, type: "quote" });
  await server.write`UPDATE notifications SET filtered = true WHERE from_account_id = ${zoe!.id}`;
  const act = (by: Person, who: Person, name: string, json = {}) =>
    by.post(`/api/v1/accounts/${who.accountId}/${name}`, json).ok();
  const present = async () => {
    await server.runJobs();
    const rows = await sql()<{ name: string }[]>`
      SELECT f.username AS name FROM notifications n JOIN accounts f ON f.id = n.from_account_id
      WHERE n.account_id = ${bob.accountId} AND n.filtered IS NOT NULL ORDER BY 1`;
    return rows.map(({ name }) => name);
  };
  const requests = async () => (await bob.get("/api/v1/notifications/requests").ok()).length;
  await act(bob, alice, "block");
  await act(bob, carol, "mute", { duration: 3600 });
  await act(bob, dora, "mute", { notifications: false });
  await act(erin, bob, "block");
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${finn.accountId}`;
  await bob.post("/api/v1/domain_blocks", { domain: "large.example" }).ok();
  assert.deepEqual(await present(), ["dora"]);
  assert.equal(await requests(), 0);
  assert.deepEqual(await kinds(carol), ["mention"]);
  await act(bob, alice, "unblock");
  assert.deepEqual(await present(), ["alice", "dora"]);
  await server.write`UPDATE mutes SET expires_at = now() - interval '1 minute' WHERE expires_at IS NOT NULL`;
  const ended = { accountId: bob.accountId, targetId: carol.accountId };
  await server.app.jobs.add(sql(), "mute.expired", ended);
  await server.runJobs();
  assert.deepEqual(await present(), ["alice", "carol", "dora"]);
  await act(erin, bob, "unblock");
  await server.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${finn.accountId}`;
  await bob.delete("/api/v1/domain_blocks", { domain: "large.example" }).ok();
  assert.deepEqual(await present(), ["alice", "carol", "dora", "erin", "finn", "zoe"]);
  assert.deepEqual(await kinds(bob), Array(5).fill("mention"));
  assert.equal(await requests(), 1, "what was filtered is filtered again");
});

test("types, exclude_types and account_id choose", async () => {
  await follow(alice, bob);
  await created(await post(carol, "hi @bob"));
  assert.deepEqual(await kinds(bob, "?types[]=mention"), ["mention"]);
  assert.deepEqual(await kinds(bob, "?types[]=mention&types[]=follow"), ["mention", "follow"]);
  assert.deepEqual(await kinds(bob, "?exclude_types[]=mention"), ["follow"]);
  assert.deepEqual(await kinds(bob, "?types[]=mention&exclude_types[]=mention"), []);
  assert.deepEqual(await kinds(bob, "?types[]=nonsense"), []);
  assert.deepEqual(await kinds(bob, "?exclude_types[]=nonsense"), ["mention", "follow"]);
  assert.deepEqual(await kinds(bob, `?account_id=${carol.accountId}`), ["mention"]);
  assert.deepEqual(await kinds(bob, "?account_id=nobody"), []);
});

const manyFollowers = (count: number) => sql()`
  WITH strangers AS (
    INSERT INTO accounts (username, uri, url, domain)
    SELECT 'many' || n, 'https://m.example/' || n, 'https://m.example/@' || n, 'm.example'
    FROM generate_series(1, ${count}::int) AS n
    ON CONFLICT (uri) DO UPDATE SET url = excluded.url
    RETURNING id
  )
  INSERT INTO notifications (account_id, from_account_id, type, group_key)
  SELECT ${bob.accountId}, id, 'follow', 'follow-1' FROM strangers
`;

test("pages: 40 by default, 80 at most, next and prev lead on and back", async () => {
  await manyFollowers(85);
  const whole = await list(bob, "?limit=1000");
  assert.equal(whole.json.length, 80);
  const first = await list(bob);
  assert.equal(first.json.length, 40);
  const link = first.headers.get("link") ?? "";
  const [, next] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
  const [, prev] = /<([^>]+)>; rel="prev"/.exec(link) ?? [];
  assert.equal(next, `${server.url}/api/v1/notifications?max_id=${first.json[39].id}`);
  assert.equal(prev, `${server.url}/api/v1/notifications?min_id=${first.json[0].id}`);
  const second = await list(bob, new URL(next!).search);
  assert.deepEqual(
    second.json.map((entry: { id: string }) => entry.id),
    whole.json.slice(40).map((entry: { id: string }) => entry.id),
  );
  const third = await list(bob, `?max_id=${second.json.at(-1).id}`);
  assert.equal(third.json.length, 5);
  assert.doesNotMatch(third.headers.get("link") ?? "", /rel="next"/);
  const up = await list(bob, `?min_id=${third.json[0].id}&limit=2`);
  assert.deepEqual(
    up.json.map((entry: { id: string }) => entry.id),
    second.json.slice(-2).map((entry: { id: string }) => entry.id),
  );
  const since = await list(bob, `?since_id=${whole.json[1].id}`);
  assert.deepEqual(
    since.json.map((entry: { id: string }) => entry.id),
    [whole.json[0].id],
  );
});

test("a page takes as many queries with two entries as with forty", async () => {
  const mentions = async (count: number) => {
    for (let n = 0; n < count; n++) await created(await post(n % 2 ? alice : carol, `@bob ${n}`));
  };
  const measure = async () => {
    await list(bob);
    const { result, queries } = await server.countQueries(() => list(bob), { warm: true });
    return { length: result.json.length as number, queries };
  };
  await mentions(2);
  const few = await measure();
  await mentions(20);
  await manyFollowers(20);
  const many = await measure();
  assert.equal(few.length, 2);
  assert.equal(many.length, 40);
  assert.equal(many.queries, few.queries);
  assert.ok(many.queries <= 3, `${many.queries} queries`);
});

test("what is new costs the next page of each version a few queries", async () => {
  const own = await post(bob, "mine");
  await created(await post(alice, "@bob earlier"));
  const read = (version: string) => bob.get(`/api/${version}/notifications`);
  for (const version of ["v1", "v2"]) await read(version);
  // Which is read first also reads again what the act changed: the post, the sender, the relations.
  const acts: [() => Promise<unknown>, number][] = [
    [async () => created(await post(carol, "@bob now")), 1],
    [() => carol.post(`/api/v1/statuses/${own}/favourite`).ok(), 2],
    [() => alice.post(`/api/v1/statuses/${own}/reblog`).ok(), 2],
    [() => carol.post(`/api/v1/accounts/${bob.accountId}/follow`).ok(), 3],
  ];
  for (const [happens, most] of acts) {
    await happens();
    await server.runJobs();
    for (const [version, limit] of [["v1", most] as const, ["v2", 1] as const]) {
      const { result, queries } = await server.countQueries(() => read(version), { warm: true });
      assert.equal(result.status, 200);
      assert.ok(queries <= limit, `${version}: ${queries} queries after ${happens}`);
    }
  }
});

test("one, dismiss, clear: one's own only", async () => {
  await follow(alice, bob);
  await follow(carol, bob);
  const { json } = await list(bob);
  const path = `/api/v1/notifications/${json[0].id}`;
  const answer = await bob.get(path);
  assert.deepEqual(answer.json, json[0]);
  for (const [method, address] of [
    ["GET", path],
    ["POST", `${path}/dismiss`],
  ] as const) {
    assert.equal((await alice.send(method, address)).status, 404);
  }
  for (const id of ["0", "x", "99999999999999999999"]) {
    const answer = await bob.get(`/api/v1/notifications/${id}`);
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.json, { error: "Record not found" });
  }
  assert.deepEqual(await bob.post(`${path}/dismiss`).ok(), {});
  const again = await bob.post(`${path}/dismiss`);
  assert.equal(again.status, 404);
  assert.equal((await list(bob)).json.length, 1);
  await alice.post("/api/v1/notifications/clear").ok();
  assert.equal((await list(bob)).json.length, 1);
  assert.deepEqual(await bob.post("/api/v1/notifications/clear").ok(), {});
  assert.equal((await list(bob)).json.length, 0);
});

test("clearing thousands is done at once for the person, and in slices for the database", async () => {
  const fan = await server.person("fan");
  const insert = () => server.write`
    INSERT INTO notifications (account_id, from_account_id, type, subject_id, filtered)
    SELECT ${fan.accountId}, ${alice.accountId}, 'mention', n, n % 3 = 0
    FROM generate_series(1, 2600) AS n
  `;
  const left = async () => {
    const rows = await server.app.sql`
      SELECT count(*)::int AS n FROM notifications WHERE account_id = ${fan.accountId}`;
    return rows[0]!["n"];
  };
  await insert();
  assert.equal((await list(fan)).json.length, 40);
  const { jobs } = server.app;
  const expected: string[] = [];
  const keep: typeof jobs.add = async (_db, name) => void expected.push(name);
  server.app.jobs = { ...jobs, add: keep };
  await fan.post("/api/v1/notifications/clear").ok();
  server.app.jobs = jobs;
  assert.deepEqual(expected, ["notifications.cleared"]);
  assert.ok((await left()) > 500);
  const nothingShown = async () => {
    assert.deepEqual((await list(fan)).json, []);
    for (const path of ["unread_count", "requests"]) {
      const { json } = await fan.get(`/api/v1/notifications/${path}`);
      assert.deepEqual(json, path === "requests" ? [] : { count: 0 });
    }
    const groups = await fan.get("/api/v2/notifications");
    assert.deepEqual(groups.json.notification_groups, []);
  };
  await nothingShown();
  // What comes then is shown.
  await follow(bob, fan);
  assert.equal((await list(fan)).json.length, 1);
  await jobs.add(server.app.sql, "notifications.cleared", { accountId: fan.accountId });
  await server.runJobs();
  assert.equal(await left(), 1);
  assert.equal((await server.app.sql`SELECT FROM notification_clears`).count, 0);
  await fan.post("/api/v2/notifications/clear").ok();
  await nothingShown();
});

test("the scopes of notifications are wanted", async () => {
  const others = server.as(await server.token(bob.userId, ["read:statuses", "write:statuses"]));
  const reader = server.as(await server.token(bob.userId, ["read:notifications"]));
  const app = server.as(await server.token(null, ["read"]));
  const root = "/api/v1/notifications";
  assert.equal((await server.visitor.get(root)).status, 401);
  assert.equal((await others.get(root)).status, 403);
  await reader.get(root).ok();
  assert.equal((await reader.post(`${root}/clear`)).status, 403);
  assert.equal((await server.visitor.post(`${root}/clear`)).status, 401);
  assert.equal((await others.post(`${root}/1/dismiss`)).status, 403);
  assert.equal((await app.get(root)).status, 422);
});

test("the newest page is read once, and again as soon as something changes", async () => {
  const id = await post(bob, "read this");
  await alice.post(`/api/v1/statuses/${id}/favourite`).ok();
  await server.runJobs();
  await follow(carol, bob);
  const first = await list(bob);
  assert.deepEqual(await kinds(bob), ["follow", "favourite"]);
  const again = (query: string) => server.countQueries(() => list(bob, query), { warm: true });
  const since = `?since_id=${first.json[1].id}`;
  for (const query of ["", "?types[]=favourite", "?exclude_types[]=follow&limit=1", since]) {
    assert.equal((await again(query)).queries, 0, query);
  }
  assert.deepEqual(await kinds(bob, "?types[]=favourite"), ["favourite"]);
  assert.deepEqual(await kinds(bob, since), ["follow"]);
  for (const entry of first.json) {
    const answer = await bob.get(`/api/v1/notifications/${entry.id}`);
    assert.deepEqual(answer.json, entry);
  }
  await alice.post(`/api/v1/statuses/${id}/unfavourite`).ok();
  await server.runJobs();
  assert.deepEqual(await kinds(bob), ["follow"]);
  await block(bob, carol);
  assert.deepEqual(await kinds(bob), []);
  await alice.post(`/api/v1/statuses/${id}/reblog`).ok();
  await server.runJobs();
  assert.deepEqual(await kinds(bob), ["reblog"]);
  await bob.post("/api/v1/notifications/clear").ok();
  assert.deepEqual(await kinds(bob), []);
});
