// A server with people who have used every feature a little: each page of the client has something to show.

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

/** Returns somebody's newest post, as they see it. */
export const newestOf = async (who: Person): Promise<any> => {
  const path = `/api/v1/accounts/${who.accountId}/statuses?limit=1`;
  return (await who.get(path).ok())[0];
};

export const upload = async (who: Person, description: string): Promise<string> => {
  const multipart = formOf(await picture("png", 600, 400), { description });
  return (await who.post("/api/v2/media", multipart).ok()).id;
};

const POSTS: Record<string, object> = {
  warned: { status: "The rook did it", spoiler_text: "The end", language: "de" },
  poll: { status: "Which?", poll: { options: ["Rook", "Owl"], expires_in: 86_400 } },
  several: {
    status: "Which ones?",
    poll: { options: ["Rook", "Owl"], multiple: true, expires_in: 86_400 },
  },
  arabic: { status: "صباح الخير يا جيران", language: "ar" },
  hebrew: { status: "בוקר טוב @carol", language: "he" },
  filtered: { status: "All about turnips" },
};

/** Makes the posts of bob and carol, and what others do with them. */
const write = async ({ alice, bob, carol }: Village) => {
  const ids: Record<string, string> = {};
  const post = async (name: string, who: Person, json: object): Promise<void> =>
    void (ids[name] = (await who.post("/api/v1/statuses", json).ok()).id);
  await post("thread", bob, { status: "Has anybody seen the #owls at https://example.com/mill?" });
  await post("answer", alice, { status: "@bob yes", in_reply_to_id: ids["thread"] });
  await post("back", bob, { status: "@alice where?", in_reply_to_id: ids["answer"] });
  for (const [name, json] of Object.entries(POSTS)) await post(name, bob, json);
  const media_ids = [await upload(bob, "A grey owl"), await upload(bob, "The mill at night")];
  await post("picture", bob, { status: "Two pictures", media_ids });
  const secret = [await upload(bob, "Better not")];
  await post("sensitive", bob, { status: "One more", media_ids: secret, sensitive: true });
  await post("quote", bob, { status: "Look at this", quoted_status_id: ids["thread"] });
  await post("direct", bob, { status: "@alice between us", visibility: "direct" });
  await post("own", alice, { status: "The mill is open on Sundays #mill" });
  await post("edited", alice, { status: "The first wording" });
  await alice.put(`/api/v1/statuses/${ids["edited"]}`, { status: "The second wording" }).ok();
  await post("quoting", bob, { status: "See here", quoted_status_id: ids["own"] });
  for (const who of [bob, carol])
    for (const act of ["favourite", "reblog"])
      await who.post(`/api/v1/statuses/${ids["own"]}/${act}`).ok();
  for (const act of ["favourite", "reblog", "bookmark"])
    await alice.post(`/api/v1/statuses/${ids["thread"]}/${act}`).ok();
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
  const imported = await alice.post("/api/v1/imports", multipart).ok();
  Object.assign(ids, { strikes: strike!.id, import: imported.id });
};

/** Makes what waits for the staff. */
const arrangeStaff = async (
  server: TestApp,
  { alice, bob, ids }: Village,
  eve: Person,
): Promise<void> => {
  const token = await server.token(alice.userId, ["admin:read", "admin:write"]);
  const staff = { ...alice, token };
  const unkind = await eve.post("/api/v1/statuses", { status: "Nobody likes owls" }).ok();
  await bob
    .post("/api/v1/reports", {
      account_id: eve.accountId,
      status_ids: [unkind.id],
      comment: "Unkind",
    })
    .ok();
  const [report] = await staff.get("/api/v1/admin/reports").ok();
  Object.assign(ids, { reports: report.id, accounts: eve.accountId });
  await staff.post("/api/v1/admin/domain_blocks", { domain: "spam.example" }).ok();
  await staff.post("/api/v1/admin/domain_allows", { domain: "kind.example" }).ok();
  const network = { ip: "192.0.2.0/24", severity: "no_access" };
  await staff.post("/api/v1/admin/ip_blocks", network).ok();
  await staff.post("/api/v1/admin/email_domain_blocks", { domain: "mail.example" }).ok();
};

/** Makes alice's lists, filters and requests. */
const arrange = async (server: TestApp, village: Village) => {
  const { alice, bob, carol, ids } = village;
  const list = await alice.post("/api/v1/lists", { title: "Neighbours" }).ok();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }).ok();
  const filter = await alice
    .post("/api/v2/filters", {
      title: "Vegetables",
      context: ["home", "account", "thread"],
      keywords_attributes: [{ keyword: "turnips" }],
    })
    .ok();
  const collection = await alice
    .post("/api/v1/collections", {
      name: "Millers",
      description: "Who knows the mill",
      account_ids: [bob.accountId],
    })
    .ok();
  Object.assign(ids, { list: list.id, filter: filter.id, collection: collection.collection.id });
  await alice.post("/api/v1/tags/owls/follow").ok();
  const scheduled_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await alice.post("/api/v1/statuses", { status: "Later", scheduled_at }).ok();
  const [dora, eve, finn] = await Promise.all(
    ["dora", "eve", "finn"].map((name) => server.person(name)),
  );
  await alice.post(`/api/v1/accounts/${dora!.accountId}/mute`).ok();
  await alice.post(`/api/v1/accounts/${eve!.accountId}/block`).ok();
  await alice.post("/api/v1/domain_blocks", { domain: "elsewhere.example" }).ok();
  await alice.patch("/api/v1/accounts/update_credentials", { locked: true }).ok();
  await carol.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  await alice.patch("/api/v2/notifications/policy", { for_not_following: "filter" }).ok();
  await finn!.post("/api/v1/statuses", { status: "@alice may I ask something?" }).ok();
  await server.runJobs();
  const [request] = await alice.get("/api/v1/notifications/requests").ok();
  const [newest] = await alice.get("/api/v1/notifications?limit=1").ok();
  Object.assign(ids, { request: request.id, notification: newest.id });
  await createAnnouncement(server.app, COMMAND_LINE, { text: "The mill feast is on Saturday" });
  await createRule(server.app, COMMAND_LINE, {
    text: "Be kind to owls",
    hint: "They work at night",
  });
  await arrangeStaff(server, village, eve!);
  await addHistory(server, village);
};

export const makeVillage = async (server: TestApp): Promise<Village> => {
  const village: Village = {
    alice: await server.person("alice", { role: "Owner" }),
    bob: await server.person("bob"),
    carol: await server.person("carol"),
    ids: {},
  };
  const { alice, bob } = village;
  const open = { discoverable: true, indexable: true };
  await bob.patch("/api/v1/accounts/update_credentials", open).ok();
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  Object.assign(village.ids, await write(village));
  await server.runJobs();
  await arrange(server, village);
  await server.runJobs();
  return village;
};
