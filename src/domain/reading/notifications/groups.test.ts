// Grouped notifications over real HTTP: what is grouped, the list and its paging, and what a page costs.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { notify } from "./notify.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are checked by their schemas
type Json = any;

let t: TestApp;
let alice: Person;
let fans: Person[];
let now = new Date("2026-03-01T10:30:00Z");

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  alice = await t.person("alice");
  fans = await Promise.all(["bob", "carol", "dave"].map((name) => t.person(name)));
});
after(() => t.close());

beforeEach(async () => {
  now = new Date("2026-03-01T10:30:00Z");
  await t.write`TRUNCATE notifications, follows, blocks, mutes, favourites, statuses CASCADE`;
});

const ask = async (path: string, method = "GET", by = alice): Promise<Json> => {
  const answer = await by.send(method, path);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

const list = async (query = ""): Promise<Json> => {
  const { json } = await ask(`/api/v2/notifications${query}`);
  assertEntity("GroupedNotificationsResults", json);
  return json;
};

const brief = ({ notification_groups: groups }: Json): [string, number][] =>
  groups.map((group: Json) => [group.type, group.notifications_count]);

const post = async (status: string, by = alice): Promise<string> => {
  const { json } = await by.post("/api/v1/statuses", { status });
  return json.id;
};

const favourite = async (by: Person, id: string, verb = "favourite"): Promise<void> => {
  await ask(`/api/v1/statuses/${id}/${verb}`, "POST", by);
  await t.runJobs();
};

const mentionBy = async (by: Person): Promise<string> => {
  const id = await post("@alice hello", by);
  await t.runJobs();
  return id;
};

const accountIds = (people: Person[]) => people.map(({ accountId }) => accountId);

/** Favourites of a status by people of another server, one notification each. */
const manyFavourites = (statusId: string, count: number) => t.write`
  WITH people AS (
    INSERT INTO accounts (username, uri, url, domain)
    SELECT 'many' || n, 'https://m.example/' || n, 'https://m.example/@' || n, 'm.example'
    FROM generate_series(1, ${count}::int) AS n
    ON CONFLICT (uri) DO UPDATE SET url = excluded.url
    RETURNING id
  )
  INSERT INTO notifications (account_id, from_account_id, type, status_id, group_key)
  SELECT ${alice.accountId}, id, 'favourite', ${statusId}, 'favourite-' || ${statusId} || '-1'
  FROM people
`;

test("favourites of a status are one group, with its newest senders; a mention stands alone", async () => {
  const id = await post("likeable");
  await favourite(fans[0]!, id);
  await favourite(fans[1]!, id);
  const mention = await mentionBy(fans[2]!);
  const json = await list();
  assert.deepEqual(brief(json), [
    ["mention", 1],
    ["favourite", 2],
  ]);
  const [alone, group] = json.notification_groups;
  assert.match(alone.group_key, /^ungrouped-\d+$/);
  assert.equal(alone.status_id, mention);
  assert.match(group.group_key, new RegExp(`^favourite-${id}-\\d+$`));
  assert.equal(group.status_id, id);
  assert.deepEqual(group.sample_account_ids, accountIds([fans[1]!, fans[0]!]));
  assert.equal(BigInt(group.page_min_id) < BigInt(group.page_max_id), true);
  assert.equal(group.latest_page_notification_at, now.toISOString());
  assert.deepEqual(
    json.statuses.map((status: Json) => status.id).toSorted(),
    [id, mention].toSorted(),
  );
  assert.equal(json.accounts.length, 3);
  assert.equal(json.partial_accounts, undefined);
  const { json: v1 } = await ask("/api/v1/notifications");
  assert.deepEqual(
    v1.map((notification: Json) => notification.group_key),
    [alone.group_key, group.group_key, group.group_key],
  );
});

test("a group takes what happens within twelve hours of its first", async () => {
  const id = await post("all day long");
  const at = async (hour: number, by: Person) => {
    now = new Date(Date.UTC(2026, 2, 1, hour, 30));
    await favourite(by, id);
  };
  await at(10, fans[0]!);
  await at(21, fans[1]!);
  await at(23, fans[2]!);
  assert.deepEqual(
    (await list()).notification_groups.map((group: Json) => group.notifications_count),
    [1, 2],
  );
});

test("an undone act leaves the group, and the last one takes it along", async () => {
  const id = await post("hm");
  await favourite(fans[0]!, id);
  await favourite(fans[1]!, id);
  await favourite(fans[1]!, id, "unfavourite");
  const [group] = (await list()).notification_groups;
  assert.equal(group.notifications_count, 1);
  assert.deepEqual(group.sample_account_ids, accountIds([fans[0]!]));
  assert.equal(group.page_max_id, group.page_min_id);
  await favourite(fans[0]!, id, "unfavourite");
  assert.deepEqual(brief(await list()), []);
  await favourite(fans[0]!, id);
  await ask(`/api/v1/statuses/${id}`, "DELETE");
  await t.runJobs();
  assert.deepEqual(brief(await list()), []);
  const [left] = await t.app.sql<
    { n: number }[]
  >`SELECT count(*)::int AS n FROM notification_groups`;
  assert.equal(left!.n, 0);
});

test("grouped_types, types, account_id and expand_accounts choose", async () => {
  const id = await post("everything");
  for (const fan of fans.slice(0, 2)) {
    await favourite(fan, id);
    await favourite(fan, id, "reblog");
  }
  assert.deepEqual(brief(await list()), [
    ["reblog", 2],
    ["favourite", 2],
  ]);
  const single = (await list("?grouped_types[]=favourite")).notification_groups;
  assert.equal(single.length, 3);
  assert.deepEqual(
    single
      .filter((notification: Json) => notification.type === "reblog")
      .map((notification: Json) => notification.group_key.slice(0, 10)),
    ["ungrouped-", "ungrouped-"],
  );
  assert.deepEqual(brief(await list("?types[]=reblog")), [["reblog", 2]]);
  assert.deepEqual(brief(await list("?exclude_types[]=reblog")), [["favourite", 2]]);
  const ofOne = await list(`?account_id=${fans[0]!.accountId}&limit=1`);
  assert.deepEqual(brief(ofOne), [["reblog", 2]]);
  const partial = await list("?expand_accounts=partial_avatars");
  assert.deepEqual(
    [partial.accounts, partial.partial_accounts].map((all) =>
      all.map((account: Json) => account.id),
    ),
    [[fans[1]!.accountId], [fans[0]!.accountId]],
  );
  assertEntity("PartialAccountWithAvatar", partial.partial_accounts[0]);
  const wrong = await alice.get("/api/v2/notifications?expand_accounts=none");
  assert.equal(wrong.status, 400);
});

test("one group: itself, its senders page by page, and its dismissal; one's own only", async () => {
  const id = await post("hello");
  for (const fan of fans) await favourite(fan, id);
  const [group] = (await list()).notification_groups;
  const path = `/api/v2/notifications/${group.group_key}`;
  const { json: single } = await ask(path);
  assertEntity("GroupedNotificationsResults", single);
  assert.equal(single.notification_groups[0].notifications_count, 3);
  assert.equal("page_min_id" in single.notification_groups[0], false);
  const first = await ask(`${path}/accounts?limit=2`);
  assert.deepEqual(
    first.json.map((account: Json) => account.id),
    accountIds([fans[2]!, fans[1]!]),
  );
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")) ?? [];
  const second = await ask(new URL(next!).pathname + new URL(next!).search);
  assert.deepEqual(
    second.json.map((account: Json) => account.id),
    accountIds([fans[0]!]),
  );
  for (const end of ["", "/accounts"]) {
    const answer = await fans[0]!.get(path + end);
    assert.equal(answer.status, 404);
  }
  await ask(`${path}/dismiss`, "POST", fans[0]!);
  assert.equal((await list()).notification_groups.length, 1);
  await ask(`${path}/dismiss`, "POST");
  assert.deepEqual(brief(await list()), []);
  assert.deepEqual((await ask("/api/v1/notifications")).json, []);
});

test("pages lead on and back without a group twice", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await post(`post ${n}`));
  for (const fan of fans) for (const id of ids) await favourite(fan, id);
  const first = await ask("/api/v2/notifications?limit=2");
  const link = first.headers.get("link");
  const [, next] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
  const [, prev] = /<([^>]+)>; rel="prev"/.exec(link) ?? [];
  const statusesOf = (json: Json) => json.notification_groups.map((group: Json) => group.status_id);
  assert.deepEqual(statusesOf(first.json), [ids[2], ids[1]]);
  const second = await ask(new URL(next!).pathname + new URL(next!).search);
  assert.deepEqual(statusesOf(second.json), [ids[0]]);
  assert.deepEqual((await ask(new URL(prev!).pathname + new URL(prev!).search)).json.accounts, []);
  const [last] = first.json.notification_groups.slice(-1);
  assert.equal(last.page_min_id, last.page_max_id, "older ones of the group are below the page");
  const up = await list(`?min_id=${second.json.notification_groups[0].page_max_id}&limit=1`);
  assert.deepEqual(statusesOf(up), [ids[1]]);
});

test("whoever is blocked or muted is no sample, and a group without others is not shown", async () => {
  const id = await post("hm");
  await favourite(fans[0]!, id);
  await favourite(fans[1]!, id);
  await ask(`/api/v1/accounts/${fans[1]!.accountId}/mute`, "POST");
  const [group] = (await list()).notification_groups;
  assert.deepEqual(group.sample_account_ids, accountIds([fans[0]!]));
  await ask(`/api/v1/accounts/${fans[0]!.accountId}/block`, "POST");
  assert.deepEqual(brief(await list()), []);
});

test("groups count as unread once, after the marker", async () => {
  const unread = async (query = "") =>
    (await ask(`/api/v2/notifications/unread_count${query}`)).json.count as number;
  const id = await post("count me");
  for (const fan of fans) await favourite(fan, id);
  await mentionBy(fans[0]!);
  assert.equal(await unread(), 2);
  assert.equal(await unread("?grouped_types[]=follow"), 4);
  assert.equal(await unread("?types[]=favourite"), 1);
  assert.equal(await unread("?limit=1"), 1);
  const [newest, group] = (await list()).notification_groups;
  const read = (last: string) =>
    alice.post("/api/v1/markers", { notifications: { last_read_id: last } });
  await read(group.page_max_id);
  assert.equal(await unread(), 1);
  await read(newest.page_max_id);
  assert.equal(await unread(), 0);
  await t.write`DELETE FROM markers`;
});

test("a page costs the same with two favourites as with a thousand, and nothing when asked again", async () => {
  const id = await post("famous");
  const measure = async (count: number) => {
    await t.write`TRUNCATE notifications`;
    await manyFavourites(id, count);
    const cold = await t.countQueries(() => list());
    await list();
    const warm = await t.countQueries(() => list("?types[]=favourite&limit=1"), { warm: true });
    const [group] = cold.result.notification_groups;
    assert.equal(group.notifications_count, count);
    assert.equal(group.sample_account_ids.length, Math.min(8, count));
    return { cold: cold.queries, warm: warm.queries };
  };
  const few = await measure(2);
  const many = await measure(1000);
  assert.deepEqual(many, few);
  assert.equal(many.warm, 0);
});

test("a new notification finds its group, however many others the recipient has", async () => {
  const id = await post("one of many");
  const bob = fans[0]!;
  await favourite(bob, id);
  await t.write`TRUNCATE notifications, notification_groups`;
  await t.write`
    INSERT INTO notification_groups (account_id, group_key, type, status_id, latest_id, count)
    SELECT ${alice.accountId}, 'favourite-' || n || '-492000', 'favourite', n, n, 1
    FROM generate_series(1, 3000) AS n
  `;
  const read = await t.app.sql.begin(async (tx) => {
    // Of the transaction, and of what the connection did before and has not reported yet.
    const soFar = async () => {
      const [row] = await tx<{ read: number }[]>`
        SELECT idx_tup_fetch::int + seq_tup_read::int AS read FROM pg_stat_xact_user_tables
        WHERE relname = 'notification_groups'
      `;
      return row!.read;
    };
    const before = await soFar();
    const notice = { accountId: alice.accountId, fromId: bob.accountId, statusId: id };
    await notify(t.app, tx, [{ ...notice, type: "favourite" as const }]);
    return (await soFar()) - before;
  });
  assert.ok(read < 10, `${read} groups were read`);
  assert.deepEqual(brief(await list("?types[]=favourite&limit=1")), [["favourite", 1]]);
});

test("what an app does not know has a fallback, if it says what it knows", async () => {
  const id = await post("known");
  await favourite(fans[0]!, id);
  await t.write`
    INSERT INTO notifications (account_id, from_account_id, type, group_key)
    VALUES (${alice.accountId}, ${fans[1]!.accountId}, 'admin.sign_up', 'admin.sign_up-1')
  `;
  const fallbacks = (all: Json[]) =>
    all.map((notification) => [notification.type, notification.fallback?.title ?? null]);
  const both = async (query: string) => {
    const { json: v1 } = await ask(`/api/v1/notifications${query}`);
    for (const notification of v1) assertEntity("Notification", notification);
    const groups = (await list(query)).notification_groups;
    assert.deepEqual(fallbacks(groups), fallbacks(v1));
    const { json: alone } = await ask(`/api/v1/notifications/${v1[0].id}${query}`);
    const { json: group } = await ask(`/api/v2/notifications/${v1[0].group_key}${query}`);
    assert.deepEqual(
      [alone.fallback, group.notification_groups[0].fallback],
      [v1[0].fallback, groups[0].fallback],
    );
    return v1;
  };
  const known = [
    ["admin.sign_up", null],
    ["favourite", null],
  ];
  assert.deepEqual(fallbacks(await both("")), known);
  assert.deepEqual(fallbacks(await both("?supported_types[]=admin.sign_up")), known);
  const [signUp, favourited] = await both("?supported_types[]=mention");
  assert.equal(favourited.fallback, undefined, "which all apps know");
  const url = `${t.app.config.site.origin}/@carol`;
  assert.deepEqual(signUp.fallback, {
    title: `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>carol</span></a></span> signed up`,
    summary: null,
    details: null,
  });
});

test("a page reads two things when the recipient's are not cached, and six when nothing is", async () => {
  const id = await post("popular");
  await favourite(fans[0]!, id);
  await favourite(fans[1]!, id, "reblog");
  await mentionBy(fans[2]!);
  for (const version of ["v1", "v2"]) {
    const read = () => ask(`/api/${version}/notifications`);
    const cost = async () => (await t.countQueries(read, { warm: true })).queries;
    await read();
    assert.equal(await cost(), 0);
    invalidate(t.app.sql, `notifications:${alice.accountId}`);
    assert.equal(await cost(), 1, "the page");
    invalidate(t.app.sql, `relations:${alice.accountId}`);
    assert.equal(await cost(), 2, "the page, and the marks");
    t.app.caches.clear();
    assert.equal(await cost(), 6, "also the token, accounts, statuses, and what is unwanted");
  }
});
