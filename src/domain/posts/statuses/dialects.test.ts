// What apps for other software send and read of posts and the server: Fedibird's and Akkoma's quotes, GoToSocial's
// policies, Pleroma's limits.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp, Visitor } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { INTERACTION_BITS, SAID } from "./rules.ts";
import { QUOTERS } from "../../people/accounts/policies.ts";

type Json = Record<string, any>;

let t: TestApp;
const people = {} as Record<"author" | "follower" | "followed" | "stranger", Person>;

const post = (who: Person, json: Json = {}): Promise<Json> =>
  who.post("/api/v1/statuses", { status: "words", ...json }).ok();

const shown = (who: Visitor, id: string): Promise<Json> => who.get(`/api/v1/statuses/${id}`).ok();

const accountPath = (who: Person, act: string): string =>
  `/api/v1/accounts/${who.accountId}/${act}`;

before(async () => {
  t = await startTestApp();
  for (const name of ["author", "follower", "followed", "stranger"] as const)
    people[name] = await t.person(name);
  await people.follower.post(accountPath(people.author, "follow")).ok();
  await people.author.post(accountPath(people.followed, "follow")).ok();
});
after(() => t?.close());

test("quote_id quotes, and names the quoted post for whom it is shown", async () => {
  const { author, follower, stranger } = people;
  const [one, other] = [await post(author), await post(author)];
  const quoting = await post(follower, { quote_id: one["id"] });
  assertEntity("Status", quoting);
  assert.equal(quoting["quote_id"], one["id"]);
  assert.equal(quoting["quote"].quoted_status.id, one["id"]);
  assert.equal("quote_id" in quoting["quote"].quoted_status, false);
  assert.equal((await shown(author, quoting["id"]))["quote_id"], one["id"]);
  // Lists are joined from bytes, and have the same.
  const [listed] = await stranger.get(accountPath(follower, "statuses")).ok();
  assert.deepEqual([listed.id, listed.quote_id], [quoting["id"], one["id"]]);
  const both = { quote_id: one["id"], quoted_status_id: other["id"] };
  assert.equal((await post(follower, both))["quote_id"], other["id"]);
  const none = await post(follower, { quote_id: null });
  assert.deepEqual([none["quote"], "quote_id" in none], [null, false]);
  const at = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString();
  const later = await post(follower, { quote_id: one["id"], scheduled_at: at });
  assert.equal(later["params"].quoted_status_id, one["id"]);

  const secret = await post(author, { visibility: "direct" });
  for (const id of [secret["id"], "1", "none"]) {
    const refused = await stranger.post("/api/v1/statuses", { status: "x", quote_id: id });
    assert.equal(refused.status, 404, id);
  }
  const revoke = `/api/v1/statuses/${one["id"]}/quotes/${quoting["id"]}/revoke`;
  await author.post(revoke).ok();
  assert.equal("quote_id" in (await shown(stranger, quoting["id"])), false);
});

const ACTS = ["can_favourite", "can_reply", "can_reblog"] as const;

/** What the post says to this reader: of each act who may at once, and whom the author decides about. */
const policyFor = async (who: Visitor, id: string) => {
  const status = await shown(who, id);
  assertEntity("Status", status);
  const policy = status["interaction_policy"];
  if (!policy) return null;
  return ACTS.map((act) => {
    const rule = policy[act];
    assert.deepEqual(
      [rule.always, rule.with_approval],
      [rule.automatic_approval, rule.manual_approval],
    );
    return [rule.always.join(), rule.with_approval.join()].filter(Boolean).join(" / ");
  });
};

test("interaction_policy says who may do what where not everybody may", async () => {
  const { author, follower, followed, stranger } = people;
  assert.equal(await policyFor(stranger, (await post(author))["id"]), null);
  const open = "public,author,me";
  const rows = [
    ["followers", "followers,mentioned,author", [follower]],
    // Whom the author follows is not known with the post, so that everybody may try.
    ["following", "following,mentioned,author", [follower, followed, stranger]],
    ["mentioned", "mentioned,author", []],
    ["nobody", "author", []],
  ] as const;
  for (const [policy, groups, allowed] of rows) {
    const { id } = await post(author, { reply_approval_policy: policy });
    for (const who of [follower, followed, stranger]) {
      const mayReply = (allowed as readonly Person[]).includes(who);
      const reply = mayReply ? `${groups},me` : groups;
      assert.deepEqual(await policyFor(who, id), [open, reply, open], policy);
    }
    assert.deepEqual(await policyFor(author, id), [open, `${groups},me`, open], policy);
    const visitor = ["public,author", groups, "public,author"];
    assert.deepEqual(await policyFor(t.visitor, id), visitor, policy);
    const [listed] = await stranger.get(accountPath(author, "statuses")).ok();
    assert.deepEqual(listed.interaction_policy, (await shown(stranger, id))["interaction_policy"]);
  }
  const own = { visibility: "private", reply_approval_policy: "nobody" };
  const { id } = await post(author, own);
  assert.deepEqual(await policyFor(follower, id), [open, "author", "author"]);
  assert.deepEqual(await policyFor(author, id), [open, "author,me", "author,me"]);
  // A boost says it of the boosted post.
  const narrow = await post(author, { reply_approval_policy: "mentioned" });
  const boost = await stranger.post(`/api/v1/statuses/${narrow["id"]}/reblog`).ok();
  assert.deepEqual(boost.interaction_policy, boost.reblog.interaction_policy);
});

test("a policy of another server says whom its author decides about", async () => {
  const { author, follower, stranger } = people;
  const { id } = await post(author);
  const { like, announce } = INTERACTION_BITS;
  const bits =
    ((SAID | QUOTERS.followers) << like.automatic) |
    (QUOTERS.public << like.manual) |
    (1 << like.requested) |
    ((SAID | QUOTERS.unsupported) << announce.automatic);
  await t.write`UPDATE statuses SET interaction_policy = ${bits} WHERE id = ${id}`;
  const reply = "public,mentioned,author,me";
  assert.deepEqual(await policyFor(stranger, id), [
    "followers,author / public,me",
    reply,
    "author",
  ]);
  assert.equal((await policyFor(follower, id))![0], "followers,author / public,me");
});

test("the default of who may reply is read and changed by GoToSocial's request", async () => {
  const person = await t.person("careful");
  const path = "/api/v1/interaction_policies/defaults";
  const repliers = ({ can_reply: { always, automatic_approval: automatic } }: Json): string => {
    assert.deepEqual(automatic, always);
    return always.join();
  };
  const all = (policies: Json): string[] => Object.values(policies).map(repliers);
  const usual = await person.get(path).ok();
  assert.deepEqual(Object.keys(usual), ["public", "unlisted", "private", "direct"]);
  assert.deepEqual(all(usual), Array(4).fill("public,author"));
  assert.deepEqual(
    Object.values<Json>(usual).map(({ can_reblog: rule }) => rule.always.join()),
    ["public,author", "public,author", "author", "author"],
  );
  // An app sends back what it got, with another choice, or that choice alone.
  const followers = { can_reply: { always: ["author", "followers", "mentioned"] } };
  const sent = Object.fromEntries(
    ["public", "unlisted", "private"].map((name) => [name, { ...usual[name], ...followers }]),
  );
  const narrow = "followers,mentioned,author";
  const changed = await person.patch(path, { ...sent, direct: usual.direct }).ok();
  assert.deepEqual(all(changed), [narrow, narrow, narrow, "public,author"]);
  assert.deepEqual(await person.get(path).ok(), changed);
  assert.equal((await post(person))["interaction_policy"].can_reply.always[0], "followers");
  assert.equal("interaction_policy" in (await post(person, { visibility: "direct" })), false);
  await person.patch(path, { public: { can_reply: { always: ["author"] } } }).ok();
  assert.deepEqual(all(await person.get(path).ok()).slice(0, 2), ["author", "author"]);
  for (const [body, fault] of [
    [{ ...sent, unlisted: usual.unlisted }, /one choice for every visibility/],
    [{ public: { can_favourite: { always: ["author"] } } }, /can_favourite is narrower/],
    [{ unlisted: { can_reblog: { always: ["followers"] } } }, /can_reblog is narrower/],
    [{ public: { can_quote: { always: ["author"] } } }, /^Validation failed: can_quote says/],
    [{ direct: { can_reply: { always: ["author"] } } }, /may always reply/],
    [{ public: { can_reply: { always: ["mutuals"] } } }, /can_reply has "mutuals"/],
    [{ public: { can_boast: {} } }, /./],
  ] as const) {
    const answer = await person.patch(path, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.match(answer.json.error, fault);
  }
  assert.equal(repliers((await person.get(path).ok()).public), "author");
  // What is left out is everybody again.
  assert.deepEqual(all(await person.patch(path, {}).ok()), Array(4).fill("public,author"));
  assert.equal((await t.visitor.get(path)).status, 401);
  const reader = t.as({ token: await t.token(person.userId, ["read"]) });
  assert.equal((await reader.patch(path, {})).status, 403);
});

test("older apps find limits by Pleroma's names", async () => {
  const instance = await t.visitor.get("/api/v1/instance").ok();
  assertEntity("V1_Instance", instance);
  const { statuses, polls } = instance.configuration;
  assert.equal(instance.max_toot_chars, statuses.max_characters);
  assert.deepEqual(instance.poll_limits, {
    max_options: polls.max_options,
    max_option_chars: polls.max_characters_per_option,
    min_expiration: polls.min_expiration,
    max_expiration: polls.max_expiration,
  });
});
