// A server with people who have used every feature a little: each page of the client has something to show.

import assert from "node:assert/strict";
import { createAnnouncement } from "../../src/domain/reading/announcements/announce.ts";
import { createRule } from "../../src/domain/staff/moderation/server.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { formOf, picture } from "../files.ts";
import type { Person, TestApp } from "../harness.ts";

export type Village = {
  /** Alice is on the staff, and the person who looks around. */
  alice: Person;
  bob: Person;
  carol: Person;
  /** Ids by what they name: `thread`, `poll`, `picture`, `own`, `edited` … */
  ids: Record<string, string>;
};

type Call = (who: Person, method: string, path: string, json?: object) => Promise<any>;

export const caller =
  (server: TestApp): Call =>
  async (who, method, path, json) => {
    const answer = await server.request(method, path, { token: who.token, ...(json && { json }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };

/** Returns somebody's newest post, as they see it. */
export const newestOf = async (server: TestApp, who: Person): Promise<any> => {
  const path = `/api/v1/accounts/${who.accountId}/statuses?limit=1`;
  return (await caller(server)(who, "GET", path))[0];
};

export const upload = async (
  server: TestApp,
  who: Person,
  description: string,
): Promise<string> => {
  const multipart = formOf(await picture("png", 600, 400), { description });
  const answer = await server.request("POST", "/api/v2/media", { token: who.token, multipart });
  assert.ok(answer.status < 300, answer.text);
  return answer.json.id;
};

const POSTS: Record<string, object> = {
  warned: { status: "The rook did it", spoiler_text: "The end", language: "de" },
  poll: { status: "Which?", poll: { options: ["Rook", "Owl"], expires_in: 86_400 } },
  several: {
    status: "Which ones?",
    poll: { options: ["Rook", "Owl"], multiple: true, expires_in: 86_400 },
  },
  arabic: { status: "صباح الخير يا جيران", language: "ar" },
  hebrew: { status: "בוקר טוב לשכנים", language: "he" },
  filtered: { status: "All about turnips" },
};

/** Makes the posts of bob and carol, and what others do with them. */
const write = async (server: TestApp, call: Call, { alice, bob, carol }: Village) => {
  const ids: Record<string, string> = {};
  const post = async (name: string, who: Person, json: object): Promise<void> =>
    void (ids[name] = (await call(who, "POST", "/api/v1/statuses", json)).id);
  await post("thread", bob, { status: "Has anybody seen the #owls at https://example.com/mill?" });
  await post("answer", alice, { status: "@bob yes", in_reply_to_id: ids["thread"] });
  await post("back", bob, { status: "@alice where?", in_reply_to_id: ids["answer"] });
  for (const [name, json] of Object.entries(POSTS)) await post(name, bob, json);
  const media_ids = [
    await upload(server, bob, "A grey owl"),
    await upload(server, bob, "The mill at night"),
  ];
  await post("picture", bob, { status: "Two pictures", media_ids });
  const secret = [await upload(server, bob, "Better not")];
  await post("sensitive", bob, { status: "One more", media_ids: secret, sensitive: true });
  await post("quote", bob, { status: "Look at this", quoted_status_id: ids["thread"] });
  await post("direct", bob, { status: "@alice between us", visibility: "direct" });
  await post("own", alice, { status: "The mill is open on Sundays #mill" });
  await post("edited", alice, { status: "The first wording" });
  await call(alice, "PUT", `/api/v1/statuses/${ids["edited"]}`, { status: "The second wording" });
  await post("quoting", bob, { status: "See here", quoted_status_id: ids["own"] });
  for (const who of [bob, carol])
    for (const act of ["favourite", "reblog"])
      await call(who, "POST", `/api/v1/statuses/${ids["own"]}/${act}`);
  for (const act of ["favourite", "reblog", "bookmark"])
    await call(alice, "POST", `/api/v1/statuses/${ids["thread"]}/${act}`);
  return ids;
};

/** Makes what moderators did to alice, and files that she imported. */
const addHistory = async (server: TestApp, { alice, ids }: Village): Promise<void> => {
  const [strike] = await server.write<{ id: string }[]>`
    INSERT INTO strikes (target_account_id, action, text)
    VALUES (${alice.accountId}, 'sensitive', 'Please mark pictures of prey') RETURNING id`;
  const multipart = new FormData();
  multipart.set("type", "blocks");
  multipart.set("data", new Blob(["Account address\nbob@nowhere.example\n"]), "blocks.csv");
  const { token } = alice;
  const imported = await server.request("POST", "/api/v1/imports", { token, multipart });
  assert.ok(imported.status < 300, imported.text);
  Object.assign(ids, { strikes: strike!.id, import: imported.json.id });
};

/** Makes what waits for the staff. */
const arrangeStaff = async (
  server: TestApp,
  call: Call,
  { alice, bob, ids }: Village,
  eve: Person,
): Promise<void> => {
  const token = await server.token(alice.userId, ["admin:read", "admin:write"]);
  const staff = { ...alice, token };
  const unkind = await call(eve, "POST", "/api/v1/statuses", { status: "Nobody likes owls" });
  await call(bob, "POST", "/api/v1/reports", {
    account_id: eve.accountId,
    status_ids: [unkind.id],
    comment: "Unkind",
  });
  const [report] = await call(staff, "GET", "/api/v1/admin/reports");
  Object.assign(ids, { reports: report.id, accounts: eve.accountId });
  await call(staff, "POST", "/api/v1/admin/domain_blocks", { domain: "spam.example" });
  await call(staff, "POST", "/api/v1/admin/domain_allows", { domain: "kind.example" });
  const network = { ip: "192.0.2.0/24", severity: "no_access" };
  await call(staff, "POST", "/api/v1/admin/ip_blocks", network);
  await call(staff, "POST", "/api/v1/admin/email_domain_blocks", { domain: "mail.example" });
};

/** Makes alice's lists, filters and requests. */
const arrange = async (server: TestApp, call: Call, village: Village) => {
  const { alice, bob, carol, ids } = village;
  const list = await call(alice, "POST", "/api/v1/lists", { title: "Neighbours" });
  await call(alice, "POST", `/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] });
  const filter = await call(alice, "POST", "/api/v2/filters", {
    title: "Vegetables",
    context: ["home", "account", "thread"],
    keywords_attributes: [{ keyword: "turnips" }],
  });
  const collection = await call(alice, "POST", "/api/v1/collections", {
    name: "Millers",
    description: "Who knows the mill",
    account_ids: [bob.accountId],
  });
  Object.assign(ids, { list: list.id, filter: filter.id, collection: collection.collection.id });
  await call(alice, "POST", "/api/v1/tags/owls/follow");
  const scheduled_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await call(alice, "POST", "/api/v1/statuses", { status: "Later", scheduled_at });
  const [dora, eve, finn] = await Promise.all(
    ["dora", "eve", "finn"].map((name) => server.person(name)),
  );
  await call(alice, "POST", `/api/v1/accounts/${dora!.accountId}/mute`);
  await call(alice, "POST", `/api/v1/accounts/${eve!.accountId}/block`);
  await call(alice, "POST", "/api/v1/domain_blocks", { domain: "elsewhere.example" });
  await call(alice, "PATCH", "/api/v1/accounts/update_credentials", { locked: true });
  await call(carol, "POST", `/api/v1/accounts/${alice.accountId}/follow`);
  await call(alice, "PATCH", "/api/v2/notifications/policy", { for_not_following: "filter" });
  await call(finn!, "POST", "/api/v1/statuses", { status: "@alice may I ask something?" });
  await server.runJobs();
  const [request] = await call(alice, "GET", "/api/v1/notifications/requests");
  const [newest] = await call(alice, "GET", "/api/v1/notifications?limit=1");
  Object.assign(ids, { request: request.id, notification: newest.id });
  await createAnnouncement(server.app, COMMAND_LINE, { text: "The mill feast is on Saturday" });
  await createRule(server.app, COMMAND_LINE, {
    text: "Be kind to owls",
    hint: "They work at night",
  });
  await arrangeStaff(server, call, village, eve!);
  await addHistory(server, village);
};

export const makeVillage = async (server: TestApp): Promise<Village> => {
  const call = caller(server);
  const village: Village = {
    alice: await server.person("alice", { role: "Owner" }),
    bob: await server.person("bob"),
    carol: await server.person("carol"),
    ids: {},
  };
  const { alice, bob } = village;
  const open = { discoverable: true, indexable: true };
  await call(bob, "PATCH", "/api/v1/accounts/update_credentials", open);
  await call(alice, "POST", `/api/v1/accounts/${bob.accountId}/follow`);
  await call(bob, "POST", `/api/v1/accounts/${alice.accountId}/follow`);
  Object.assign(village.ids, await write(server, call, village));
  await server.runJobs();
  await arrange(server, call, village);
  await server.runJobs();
  return village;
};
