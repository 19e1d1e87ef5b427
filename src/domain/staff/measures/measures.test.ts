// POST /api/v1/admin/measures and dimensions about one server and one hashtag, as facts that were made for them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let owner: Person;
let peer: FakePeer;
let actor: PeerActor;
let domain: string;

before(async () => {
  t = await startTestApp();
  owner = await t.person("owner", {
    role: "Owner",
    scopes: ["read", "write", "follow", "admin:read", "admin:write"],
  });
  peer = await startPeer();
  actor = peer.actor("carol");
  domain = peer.host;
  const ownerUri = `${t.url}/users/owner`;
  const follow = {
    id: `${actor.uri}/follows/1`,
    type: "Follow",
    actor: actor.uri,
    object: ownerUri,
  };
  await peer.post(`${t.url}/inbox`, actor, follow);
  const note = peer.note(actor, "/notes/1", {
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    cc: [ownerUri],
    published: new Date().toISOString(),
    content: "<p>Hei <a href='https://x.example/tags/owls'>#owls</a></p>",
    contentMap: { fi: "<p>Hei #owls</p>" },
    tag: [
      { type: "Hashtag", name: "#owls", href: "https://x.example/tags/owls" },
      { type: "Mention", href: ownerUri },
    ],
    attachment: [{ type: "Document", mediaType: "image/png", url: `${peer.origin}/owl.png` }],
  });
  await actor.deliver(t, {
    id: `${note["id"]}/activity`,
    type: "Create",
    to: note["to"],
    cc: note["cc"],
    object: note,
  });
  const [account] = await t.app.sql`SELECT id FROM accounts WHERE uri = ${actor.uri}`;
  const id = account!["id"];
  await owner.post(`/api/v1/accounts/${id}/follow`, {}).ok();
  await t.runJobs();
  const request = peer.inbox().find(({ type }) => type === "Follow");
  await peer.post(`${t.url}/inbox`, actor, {
    id: `${actor.uri}/accepts/1`,
    type: "Accept",
    actor: actor.uri,
    object: request,
  });
  await owner.post("/api/v1/reports", { account_id: id, comment: "An owl." }).ok();
  await t.runJobs();
});
after(async () => {
  await peer.close();
  await t.close();
});

const DAY_MS = 86_400_000;
const period = () => ({
  start_at: new Date(Date.now() - DAY_MS).toISOString(),
  end_at: new Date(Date.now() + DAY_MS).toISOString(),
});

test("measures of one server count what is its", async () => {
  const keys = [
    "instance_accounts",
    "instance_media_attachments",
    "instance_reports",
    "instance_statuses",
    "instance_follows",
    "instance_followers",
  ];
  const about = (of: string) =>
    Object.fromEntries(keys.map((key) => [key, { domain: of }] as const));
  const read = async (of: string) => {
    const measures = await owner
      .post("/api/v1/admin/measures", { keys, ...period(), ...about(of) })
      .ok();
    return Object.fromEntries(measures.map(({ key, total }: any) => [key, total]));
  };
  assert.deepEqual(await read(domain), Object.fromEntries(keys.map((key) => [key, "1"])));
  assert.deepEqual(await read("other.example"), Object.fromEntries(keys.map((key) => [key, "0"])));
});

test("reports count on the day when they come, and on that when they are resolved", async () => {
  const keys = ["opened_reports", "resolved_reports"];
  const read = async () =>
    (await owner.post("/api/v1/admin/measures", { keys, ...period() }).ok()).map(
      ({ total }: any) => total,
    );
  assert.deepEqual(await read(), ["1", "0"]);
  const [report] = await t.app.sql<{ id: string }[]>`SELECT id FROM reports`;
  await owner.post(`/api/v1/admin/reports/${report!.id}/resolve`, {}).ok();
  assert.deepEqual(await read(), ["1", "1"]);
});

test("a hashtag is measured by uses, people and servers", async () => {
  const [tag] = await t.app.sql`SELECT id FROM tags WHERE name = 'owls'`;
  const id = tag!["id"];
  const keys = ["tag_uses", "tag_accounts", "tag_servers"];
  const about = Object.fromEntries(keys.map((key) => [key, { id }]));
  const measures = await owner.post("/api/v1/admin/measures", { keys, ...period(), ...about }).ok();
  assert.deepEqual(
    measures.map(({ total }: any) => total),
    ["1", "1", "1"],
  );
});

test("what is no number, list or time is refused in words", async () => {
  for (const odd of [{ toString: 1 }, [{ valueOf: 1 }]]) {
    for (const name of ["limit", "keys", "start_at", "end_at"]) {
      const json = { keys: ["languages"], ...period(), [name]: odd };
      for (const path of ["dimensions", "measures", "retention"]) {
        const answer = await owner.post(`/api/v1/admin/${path}`, json);
        assert.ok(answer.status < 500, `${path} ${name}: ${answer.text}`);
        if (name === "limit" && path === "dimensions") {
          assert.equal(answer.status, 422);
          assert.match(answer.json.error, /limit is invalid/i);
        }
      }
    }
  }
});

test("dimensions of one server and of one hashtag name their parts", async () => {
  const [tag] = await t.app.sql`SELECT id FROM tags WHERE name = 'owls'`;
  const id = tag!["id"];
  const dimensions = await owner
    .post("/api/v1/admin/dimensions", {
      keys: ["instance_accounts", "instance_languages", "tag_servers", "tag_languages"],
      ...period(),
      limit: 5,
      instance_accounts: { domain },
      instance_languages: { domain },
      tag_servers: { id },
      tag_languages: { id },
    })
    .ok();
  const parts = dimensions.map(({ key, data }: any) => [
    key,
    data.map((part: any) => [part.key, part.value]),
  ]);
  assert.deepEqual(parts, [
    ["instance_accounts", [["carol", "1"]]],
    ["instance_languages", [["fi", "1"]]],
    ["tag_servers", [[domain, "1"]]],
    ["tag_languages", [["fi", "1"]]],
  ]);
});
