// Reactions as apps for other software send and read them: Pleroma's and Akkoma's paths, members and type of
// notifications, glitch-soc's limit, who reacted with what, and the emojis of grouped notifications.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Person } from "../../../../test/harness.ts";
import {
  closeWorld,
  openWorld,
  people,
  post,
  reactFromElsewhere,
  remote,
  t,
} from "../../../../test/reaction-world.ts";
import type { Json } from "../../../../test/reaction-world.ts";
import { assertEntity } from "../../../../test/schema.ts";

const pathOf = (id: string, name?: string): string =>
  `/api/v1/pleroma/statuses/${id}/reactions${name === undefined ? "" : `/${encodeURI(name)}`}`;

/** Reacts as an app for Pleroma does. */
const put = (who: Person, id: string, name: string) => who.put(pathOf(id, name));

type Listed = [name: string, count: number, me: boolean, people: string[]];
const listed = (reactions: Json[]): Listed[] =>
  reactions.map(({ name, count, me, accounts }) => [
    name,
    count,
    me,
    accounts.map(({ username }: Json) => username),
  ]);

before(openWorld);
after(closeWorld);

test("an app for Pleroma reacts, sees it by its own names, and takes it back", async () => {
  const { author, fan } = people;
  const plain = await post();
  assert.deepEqual(plain["pleroma"], { local: true, emoji_reactions: [] });
  assert.equal("emoji_reactions" in plain, false);
  const { id } = plain;
  const answer = await put(fan, id, "🎉");
  assert.equal(answer.status, 200);
  assertEntity("Status", answer.json);
  const shown = [{ name: "🎉", count: 1, me: true }];
  const { reactions, emoji_reactions, pleroma, favourited } = answer.json;
  assert.deepEqual([reactions, emoji_reactions, pleroma.emoji_reactions], [shown, shown, shown]);
  assert.equal(favourited, true);
  // Another takes its place, also with colons; once more changes nothing.
  for (const name of ["rook", ":rook:"]) await put(fan, id, name).ok();
  const seen = await author.get(`/api/v1/statuses/${id}`).ok();
  const url = `${t.url}/media/emojis/12/34.png`;
  const rook = { name: "rook", count: 1, me: false, url, static_url: url };
  assert.deepEqual(seen.pleroma.emoji_reactions, [rook]);
  assert.equal(seen.favourites_count, 1);
  // An emoji that one did not react with ends nothing.
  const kept = await fan.delete(pathOf(id, "🎉")).ok();
  assert.equal(kept.emoji_reactions[0].me, true);
  const ended = await fan.delete(pathOf(id, "rook")).ok();
  assert.deepEqual([ended.pleroma.emoji_reactions, ended.favourited], [[], false]);
});

test("who reacted with what is listed for all emojis and for one, at both addresses", async () => {
  const { author, fan, other } = people;
  const status = await post();
  const { id } = status;
  await put(fan, id, "rook").ok();
  await put(other, id, "🎉").ok();
  await reactFromElsewhere(status, "🎉");
  const all = await fan.get(pathOf(id)).ok();
  assert.deepEqual(listed(all), [
    ["🎉", 2, false, ["remote", "other"]],
    ["rook", 1, true, ["fan"]],
  ]);
  for (const { accounts } of all) for (const each of accounts) assertEntity("Account", each);
  assert.deepEqual(await fan.get(`/api/v1/statuses/${id}/reactions`).ok(), all);
  for (const name of ["rook", ":rook:"])
    assert.deepEqual(listed(await author.get(pathOf(id, name)).ok()), [
      ["rook", 1, false, ["fan"]],
    ]);
  assert.deepEqual(await fan.get(`/api/v1/statuses/${id}/reactions/${encodeURI("👍")}`).ok(), []);
  assert.deepEqual(listed(await t.visitor.get(pathOf(id, "🎉")).ok()), [
    ["🎉", 2, false, ["remote", "other"]],
  ]);
  // A boost has the reactions of the post.
  const boost = await other.post(`/api/v1/statuses/${id}/reblog`).ok();
  assert.deepEqual(listed(await other.get(pathOf(boost.id, "rook")).ok())[0]![3], ["fan"]);
  // Ten of each are named in the list of all.
  for (let n = 0; n < 11; n++) await put(await t.person(`many${n}`), id, "👍").ok();
  const [most] = await fan.get(pathOf(id)).ok();
  assert.deepEqual([most.name, most.count, most.accounts.length], ["👍", 11, 10]);
  assert.equal((await fan.get(pathOf(id, "👍")).ok())[0].accounts.length, 11);
});

test("people whom the reader blocks are neither named nor counted beside the names, nor are suspended ones", async () => {
  const { fan, other } = people;
  const status = await post();
  await put(other, status["id"], "🎉").ok();
  await reactFromElsewhere(status, "🎉");
  await fan.post(`/api/v1/accounts/${other.accountId}/block`).ok();
  assert.deepEqual(listed(await fan.get(pathOf(status["id"])).ok()), [
    ["🎉", 1, false, ["remote"]],
  ]);
  const alone = await post();
  await put(other, alone["id"], "🎉").ok();
  assert.deepEqual(await fan.get(pathOf(alone["id"])).ok(), []);
  assert.deepEqual(listed(await t.visitor.get(pathOf(alone["id"])).ok()), [
    ["🎉", 1, false, ["other"]],
  ]);
  await fan.post(`/api/v1/accounts/${other.accountId}/unblock`).ok();
  const scopes = ["read", "write", "admin:read", "admin:write"];
  const staff = await t.person("staff", { role: "Admin", scopes });
  const [account] = await t.app.sql`SELECT id FROM accounts WHERE uri = ${remote.uri}`;
  await staff.post(`/api/v1/admin/accounts/${account!["id"]}/action`, { type: "suspend" }).ok();
  await t.runJobs();
  assert.deepEqual(listed(await fan.get(pathOf(status["id"])).ok()), [["🎉", 1, false, ["other"]]]);
  await staff.post(`/api/v1/admin/accounts/${account!["id"]}/unsuspend`).ok();
});

test("only who sees a post and may favourite it reacts, and only with one emoji", async () => {
  const { author, fan } = people;
  const { id } = await post();
  for (const name of ["words", "nobody_has_this", "rook@elsewhere.example"])
    assert.equal((await put(fan, id, name)).status, 422, name);
  assert.equal((await t.visitor.put(pathOf(id, "🎉"))).status, 401);
  const hidden = (await post({ visibility: "direct" }))["id"];
  assert.equal((await put(fan, hidden, "🎉")).status, 404);
  assert.equal((await fan.get(pathOf(hidden))).status, 404);
  assert.equal((await t.visitor.get(pathOf(hidden))).status, 404);
  assert.equal((await fan.delete(pathOf(hidden, "🎉"))).status, 404);
  // canLike: nobody.
  await t.write`UPDATE statuses SET interaction_policy = ${16 << 5} WHERE id = ${id}`;
  assert.equal((await put(fan, id, "🎉")).status, 403);
  await author.post(`/api/v1/accounts/${fan.accountId}/block`).ok();
  assert.equal((await put(fan, id, "🎉")).status, 404);
  await author.post(`/api/v1/accounts/${fan.accountId}/unblock`).ok();
  for (const version of ["v1", "v2"]) {
    const { configuration } = await t.visitor.get(`/api/${version}/instance`).ok();
    assert.deepEqual(configuration.reactions, { max_reactions: 1 }, version);
  }
});

const TYPE = "pleroma:emoji_reaction";

test("whoever names Pleroma's type gets reactions by it, all others as favourites", async () => {
  const { author, fan, other } = people;
  await author.post("/api/v1/notifications/clear").ok();
  const { id } = await post({ status: "@other hello" });
  await put(fan, id, "rook").ok();
  await other.post(`/api/v1/statuses/${id}/favourite`).ok();
  await other.post("/api/v1/statuses", { status: "@author hello" }).ok();
  await t.runJobs();
  const told = async (query: string): Promise<string[]> => {
    const list = await author.get(`/api/v1/notifications?${query}`).ok();
    const { count } = await author.get(`/api/v1/notifications/unread_count?${query}`).ok();
    assert.equal(count, list.length, query);
    return list.map(({ type, emoji = "" }: Json) => `${type} ${emoji}`.trim()).toSorted();
  };
  const asFavourites = ["favourite", "favourite :rook:"];
  const apart = [`${TYPE} :rook:`];
  assert.deepEqual(await told(""), [...asFavourites, "mention"]);
  assert.deepEqual(await told("types[]=favourite"), asFavourites);
  for (const parameter of ["types", "include_types"]) {
    assert.deepEqual(await told(`${parameter}[]=${TYPE}`), apart, parameter);
    const both = `${parameter}[]=${TYPE}&${parameter}[]=favourite`;
    assert.deepEqual(await told(both), ["favourite", ...apart], parameter);
    assert.deepEqual(await told(`${both}&exclude_types[]=favourite`), apart, parameter);
  }
  assert.deepEqual(await told("include_types[]=mention"), ["mention"]);
  assert.deepEqual(await told(`types[]=mention&types[]=${TYPE}`), ["mention", ...apart]);
  assert.deepEqual(await told(`exclude_types[]=${TYPE}`), ["favourite", "mention"]);
  assert.deepEqual(await told(`exclude_types[]=favourite`), ["mention"]);
  assert.deepEqual(await told(`types[]=${TYPE}&account_id=${other.accountId}`), []);
  assert.deepEqual(await told(`types[]=${TYPE}&account_id=${fan.accountId}`), apart);
  const [first] = await author.get(`/api/v1/notifications?types[]=${TYPE}`).ok();
  assert.deepEqual([first.status.id, first.account.username], [id, "fan"]);
  assert.equal(first.emoji_url, `${t.url}/media/emojis/12/34.png`);
  // Another emoji, the first one and the last keep the notification, with what is true now.
  const now = async (act: Promise<unknown>) => {
    await act;
    await t.runJobs();
    return [await told(`types[]=${TYPE}`), await told("types[]=favourite")];
  };
  const whole = ["favourite", "favourite 🎉"];
  assert.deepEqual(await now(put(fan, id, "🎉").ok()), [[`${TYPE} 🎉`], whole]);
  const two = [`${TYPE} 👍`, `${TYPE} 🎉`].toSorted();
  assert.deepEqual((await now(put(other, id, "👍").ok()))[0], two);
  const favourite = () => fan.post(`/api/v1/statuses/${id}/favourite`).ok();
  const ended = fan.delete(pathOf(id, "🎉")).ok().then(favourite);
  assert.deepEqual(await now(ended), [[`${TYPE} 👍`], ["favourite", "favourite 👍"]]);
  await other.delete(pathOf(id, "👍")).ok();
  await t.runJobs();
  assert.deepEqual(await told(`types[]=${TYPE}`), []);
});

test("a group of favourites says who chose which emoji", async () => {
  const { author, fan, other } = people;
  const status = await post();
  await put(fan, status["id"], "rook").ok();
  await (await t.person("quiet")).post(`/api/v1/statuses/${status["id"]}/favourite`).ok();
  await put(other, status["id"], "rook").ok();
  await reactFromElsewhere(status, "🎉");
  await t.runJobs();
  const groups = async (query = ""): Promise<Json[]> =>
    (await author.get(`/api/v2/notifications?${query}`).ok()).notification_groups;
  const ofPost = (all: Json[]): Json[] =>
    all.filter((group) => group["status_id"] === status["id"]);
  const emojisOf = ({ emoji_reactions: reactions = [] }: Json) =>
    reactions.map(({ name, count, account_ids: ids }: Json) => [name, count, ids]);
  const [group] = ofPost(await groups());
  assertEntity("NotificationGroup", group);
  assert.deepEqual([group!["type"], group!["notifications_count"]], ["favourite", 4]);
  const [newest] = group!["sample_account_ids"];
  const shown = [
    ["🎉", 1, [newest]],
    ["rook", 2, [other.accountId, fan.accountId]],
  ];
  assert.deepEqual(emojisOf(group!), shown);
  assert.equal(group!["emoji_reactions"][1].url, `${t.url}/media/emojis/12/34.png`);
  const key = encodeURIComponent(group!["group_key"]);
  const alone = await author.get(`/api/v2/notifications/${key}`).ok();
  assert.deepEqual(emojisOf(alone.notification_groups[0]), shown);
  // An app that names reactions gets each by its type, and favourites alone, since a group has both.
  const singles = async (query: string) => {
    const list = ofPost(await groups(query));
    for (const each of list) assertEntity("NotificationGroup", { ...each, type: "favourite" });
    const { count } = await author.get(`/api/v2/notifications/unread_count?${query}`).ok();
    assert.ok(count >= list.length, query);
    return list.map((each) => [each["type"], each["notifications_count"], emojisOf(each)[0]?.[0]]);
  };
  const reacted = [
    [TYPE, 1, "🎉"],
    [TYPE, 1, "rook"],
    [TYPE, 1, "rook"],
  ];
  const plain = ["favourite", 1, undefined];
  assert.deepEqual(await singles(`types[]=${TYPE}`), reacted);
  assert.deepEqual(await singles(`types[]=${TYPE}&account_id=${fan.accountId}`), [reacted[1]]);
  assert.deepEqual(await singles(`types[]=${TYPE}&types[]=favourite`), [
    ...reacted.slice(0, 2),
    plain,
    reacted[2],
  ]);
  assert.deepEqual(await singles(`exclude_types[]=${TYPE}`), [plain]);
  const single = ofPost(await groups("grouped_types[]=follow"));
  assert.deepEqual(
    single
      .map(emojisOf)
      .flat()
      .map(([name]) => name)
      .toSorted(),
    ["rook", "rook", "🎉"],
  );
  await author.post(`/api/v1/accounts/${other.accountId}/block`).ok();
  const [without] = ofPost(await groups());
  assert.deepEqual(emojisOf(without!)[1], ["rook", 1, [fan.accountId]]);
  await author.post(`/api/v1/accounts/${other.accountId}/unblock`).ok();
});
