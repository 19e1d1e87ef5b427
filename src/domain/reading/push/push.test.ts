// Subscriptions of apps, and what reaches their push service, decrypted.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { appFaults } from "../../../../test/app-models.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { checkVapid, makeReceiver, startPushService } from "../../../../test/push-service.ts";
import type { PushService, Receiver } from "../../../../test/push-service.ts";
import { findClient } from "../../people/oauth/apps.ts";
import { issueToken } from "../../people/oauth/tokens.ts";

const PATH = "/api/v1/push/subscription";

let t: TestApp;
let service: PushService;
let alice: Person;
let bob: Person;
/** Jobs are due by the database's clock, so this one moves with it, and is ahead of it. */
let ahead = 0;
const now = (): number => Date.now() + ahead;
let receiver: Receiver;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(now()) } });
  alice = await t.person("alice", { locale: "de-AT" });
  bob = await t.person("bob");
});
beforeEach(async () => {
  await service?.close();
  service = await startPushService();
  receiver = makeReceiver();
});
after(async () => {
  await service.close();
  await t.close();
});

const ALERTS = { mention: true, favourite: true, follow: true, reblog: false };

const subscribe = async (body: object = {}, data: object = { alerts: ALERTS }, who = alice) => {
  const subscription = { endpoint: `${service.origin}/push/1`, keys: receiver.keys, ...body };
  return who.post(PATH, { subscription, data });
};

const post = async (who: Person, status: string, more: object = {}) =>
  (await who.post("/api/v1/statuses", { status, ...more }).ok()).id as string;

const favourite = async (who: Person, id: string) => {
  await who.post(`/api/v1/statuses/${id}/favourite`);
  await t.runJobs();
};

describe("subscriptions", () => {
  it("are made, read, changed and deleted, one for each token", async () => {
    const get = () => alice.get(PATH);
    assert.deepEqual([(await get()).status, (await get()).json], [404, { error: "Not Found" }]);
    const { status, json } = await subscribe({ standard: true });
    assert.equal(status, 200);
    assert.deepEqual(json, {
      id: json.id,
      endpoint: `${service.origin}/push/1`,
      standard: true,
      alerts: ALERTS,
      policy: "all",
      server_key: t.app.config.secrets.vapid.publicKey,
    });
    assert.deepEqual((await get()).json, json);
    const changed = await alice.put(
      PATH,
      new URLSearchParams({
        "data[alerts][mention]": "0",
        "data[alerts][poll]": "true",
        "data[policy]": "follower",
      }),
    );
    assert.deepEqual(changed.json.alerts, { mention: false, poll: true });
    assert.equal(changed.json.policy, "follower");
    const again = await subscribe();
    assert.deepEqual([again.json.standard, again.json.policy], [false, "all"]);
    for (let n = 0; n < 2; n++) {
      const gone = await alice.delete(PATH);
      assert.deepEqual([gone.status, gone.json], [200, {}]);
    }
    assert.equal((await get()).status, 404);
    const put = await alice.put(PATH, { data: {} });
    assert.equal(put.status, 404);
  });

  it("have small ids: the same for as long as they are there, and a number for who takes nothing else", async () => {
    const first = (await subscribe()).json.id;
    assert.match(first, /^\d{1,9}$/);
    assert.equal((await subscribe()).json.id, first);
    const { json: client } = await t.visitor.post("/api/v1/apps", {
      client_name: "IceCubesApp",
      redirect_uris: "icecubesapp://",
      scopes: "read write follow push",
    });
    const app = await findClient(t.app, client.client_id);
    const token = await t.app.sql.begin((tx) =>
      issueToken(tx, { app_id: app!.id, user_id: alice.userId, scopes: ["push"] }),
    );
    const { json } = await subscribe({}, {}, { ...alice, token: token.token });
    assert.equal(typeof json.id, "number");
    const get = await t.as(token.token).get(PATH);
    assert.equal(get.json.id, json.id);
    const put = await t.as(token.token).put(PATH, { data: {} });
    assert.equal(put.json.id, json.id);
  });

  it("need the scope push, an address and keys that are some", async () => {
    const token = await t.token(alice.userId, ["read", "write"]);
    assert.equal((await t.as(token).get(PATH)).status, 403);
    assert.equal((await t.visitor.get(PATH)).status, 401);
    const missing = await alice.post(PATH, {});
    assert.equal(missing.status, 400);
    assert.equal(missing.json.error, "param is missing or the value is empty: subscription");
    const bad = [
      { endpoint: "ftp://a.example/" },
      { endpoint: "no address" },
      { endpoint: `https://a.example/${"x".repeat(3000)}` },
      { keys: { ...receiver.keys, p256dh: "BAAA" } },
      { keys: { ...receiver.keys, auth: "" } },
      { keys: {} },
    ];
    for (const body of bad) {
      const { status, json } = await subscribe(body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(json.error, /^Validation failed: /);
    }
  });

  it("answer the address as it was given", async () => {
    for (const endpoint of [
      "https://push.example",
      "https://Push.Example:443/a/../b?c=%7e",
      "https://push.example/ä",
    ]) {
      const { status, json } = await subscribe({ endpoint });
      assert.deepEqual([status, json.endpoint], [200, endpoint]);
      assert.equal((await alice.get(PATH)).json.endpoint, endpoint);
    }
    assert.equal((await subscribe({ endpoint: " https://push.example " })).status, 200);
  });

  it("of one person are bounded: the oldest go", async () => {
    const carol = await t.person("carol");
    const tokens: string[] = [];
    for (let n = 0; n < 52; n++) {
      const token = await t.token(carol.userId, ["push"]);
      await subscribe({}, {}, { ...carol, token });
      tokens.push(token);
    }
    const answers = await Promise.all(tokens.map((token) => t.as(token).get(PATH)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 50);
    assert.equal(answers.at(-1)!.status, 200);
  });
});

describe("messages", () => {
  for (const standard of [true, false]) {
    it(`are encrypted (${standard ? "RFC 8291" : "the draft before it"}) and signed`, async () => {
      await subscribe({ standard });
      const id = await post(bob, "@alice hello <b>there</b> & you");
      await t.runJobs();
      assert.equal(service.received.length, 1);
      const [pushed] = service.received;
      const { headers } = pushed!;
      assert.equal(headers.ttl, "172800");
      assert.equal(headers["urgency"], "high");
      assert.match(String(headers["topic"]), /^[\w-]{32}$/);
      const [, jwt] = /(?:t=|WebPush )([^,]+)/.exec(headers.authorization!)!;
      const claims = checkVapid(jwt!, t.app.config.secrets.vapid.publicKey);
      assert.equal(claims.aud, service.origin);
      assert.ok(claims.exp > now() / 1000 && claims.exp <= now() / 1000 + 86_400);
      assert.match(claims.sub, /^(?:mailto:|http)/);
      const message = receiver.read(pushed!);
      assert.deepEqual(appFaults(message, "push"), []);
      const listed = await alice.get("/api/v1/notifications");
      assert.deepEqual(message, {
        access_token: alice.token,
        preferred_locale: "de-AT",
        notification_id: Number(listed.json[0].id),
        notification_type: "mention",
        icon: listed.json[0].account.avatar_static,
        title: "@bob hat dich erwähnt",
        body: "@alice hello <b>there</b> & you",
      });
      assert.equal(listed.json[0].status.id, id);
    });
  }

  it("keep what is behind a content warning behind it, and are short", async () => {
    await subscribe();
    await post(bob, `@alice ${"long ".repeat(80)}`);
    await post(bob, "@alice the end of the film", { spoiler_text: "Film" });
    await t.runJobs();
    // Both are sent at once, in any order.
    const bodies = service.received.map((push) => receiver.read(push).body as string);
    const [long, warned] = bodies.toSorted((body, other) => other.length - body.length);
    assert.equal([...long!].length, 140);
    assert.equal(warned, "Film");
  });

  it("come only for the wanted types, and by the policy", async () => {
    const own = await post(alice, "mine");
    await subscribe({}, { alerts: { favourite: true }, policy: "followed" });
    await favourite(bob, own);
    assert.equal(service.received.length, 0, "alice does not follow bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
    const next = await post(alice, "mine too");
    await favourite(bob, next);
    assert.equal(service.received.length, 1);
    await post(bob, "@alice hello");
    await t.runJobs();
    assert.equal(service.received.length, 1, "mentions are not wanted");
    await subscribe({}, { alerts: { mention: true }, policy: "none" });
    await post(bob, "@alice hello again");
    await t.runJobs();
    assert.equal(service.received.length, 1);
  });

  it("do not come for what was undone or hidden before they are sent", async () => {
    await subscribe();
    service.answer.status = 503;
    const own = await post(alice, "undone");
    await favourite(bob, own);
    assert.equal(service.received.length, 1);
    await bob.post(`/api/v1/statuses/${own}/unfavourite`);
    await t.runJobs();
    service.answer.status = 201;
    ahead += 3_600_000;
    await t.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await t.runJobs();
    assert.equal(service.received.length, 1);
  });
});

describe("answers of the push service", () => {
  const subscribed = async () => (await alice.get(PATH)).status === 200;
  const again = async (ms: number) => {
    ahead += ms;
    await t.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await t.runJobs();
  };

  for (const status of [404, 410]) {
    it(`${status}: the subscription is deleted`, async () => {
      await subscribe();
      service.answer.status = status;
      await post(bob, "@alice are you there?");
      await t.runJobs();
      assert.equal(service.received.length, 1);
      assert.equal(await subscribed(), false);
    });
  }

  for (const status of [400, 403, 413]) {
    it(`${status}: the message is given up, the subscription stays`, async () => {
      await subscribe();
      service.answer.status = status;
      await post(bob, `@alice ${status}`);
      await t.runJobs();
      await again(3_600_000);
      assert.equal(service.received.length, 1);
      assert.equal(await subscribed(), true);
    });
  }

  it("429 with Retry-After: everything for it waits so long, then comes once", async () => {
    await subscribe();
    service.answer = Object.assign(service.answer, {
      status: 429,
      headers: { "retry-after": "600" },
    });
    await post(bob, "@alice one");
    await t.runJobs();
    await post(bob, "@alice two");
    await t.runJobs();
    assert.equal(service.received.length, 1);
    await again(300_000);
    assert.equal(service.received.length, 1);
    service.answer.status = 201;
    await again(301_000);
    assert.equal(service.received.length, 3);
    const bodies = service.received.slice(1).map((push) => receiver.read(push).body);
    assert.deepEqual(bodies.toSorted(), ["@alice one", "@alice two"]);
  });

  it("in quiet hours it waits until they are over, unless it is dismissed", async () => {
    await subscribe();
    const at = (ms: number) => new Date(now() + ms).toISOString().slice(11, 16);
    const settings = { quiet_from: at(-3_600_000), quiet_until: at(3_600_000) };
    await t.write`UPDATE users SET settings = ${t.app.sql.json(settings)}, time_zone = 'UTC'
      WHERE id = ${alice.userId}`;
    await post(bob, "@alice at night");
    await post(bob, "@alice at night, too");
    await t.runJobs();
    const path = "/api/v1/notifications";
    const [last] = (await alice.get(path)).json;
    assert.match(last.status.content, /too/, "it is there at once");
    await alice.post(`${path}/${last.id}/dismiss`);
    await again(600_000);
    assert.equal(service.received.length, 0);
    await again(3_600_000);
    assert.deepEqual(
      service.received.map((push) => receiver.read(push).body),
      ["@alice at night"],
    );
    await t.write`UPDATE users SET settings = '{}', time_zone = NULL WHERE id = ${alice.userId}`;
  });

  it("5xx and no answer: tried again with growing pauses, for two days", async () => {
    await subscribe();
    service.answer.status = 500;
    await post(bob, "@alice broken");
    await t.runJobs();
    await again(10_000);
    await again(20_000);
    assert.equal(service.received.length, 3);
    await again(20_000);
    assert.equal(service.received.length, 3, "the pause is 40 s by now");
    await again(49 * 3_600_000);
    await again(49 * 3_600_000);
    assert.equal(service.received.length, 3);
    const left = await t.app.sql`
      SELECT FROM graphile_worker.jobs WHERE task_identifier = 'push.send'`;
    assert.equal(left.length, 0);
  });

  it("an address inside our network is never asked, and the subscription goes", async () => {
    await subscribe({ endpoint: "http://10.0.0.1/push" });
    await post(bob, "@alice inside");
    await t.runJobs();
    assert.equal(await subscribed(), false);
  });
});

it("a subscription goes with its revoked token", async () => {
  const token = await t.token(alice.userId, ["read", "push"]);
  await subscribe({}, { alerts: { mention: true } }, { ...alice, token });
  await t.visitor.post("/oauth/revoke", new URLSearchParams({ token }));
  await t.runJobs();
  await post(bob, "@alice revoked");
  await t.runJobs();
  assert.deepEqual(
    service.received.filter((push) => receiver.read(push).access_token === token),
    [],
  );
  const rows = await t.app.sql`
    SELECT FROM push_subscriptions s JOIN oauth_tokens t ON t.id = s.token_id
    WHERE t.revoked_at IS NOT NULL`;
  assert.equal(rows.length, 0);
});

it("another SECRET_KEY_BASE cannot read the stored token", async () => {
  await subscribe();
  const [row] = await t.app
    .sql`SELECT access_token FROM push_subscriptions ORDER BY id DESC LIMIT 1`;
  assert.ok(!Buffer.from(row!["access_token"]).includes(alice.token));
});
