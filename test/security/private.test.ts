// Privacy: private posts look like missing ones, and nothing of suspended people is shown. The table of cases is
// in api.test.ts.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { craft } from "./raw.ts";
import { filled, listRoutes, withIds } from "./routes.ts";
import type { Route } from "./routes.ts";
import { PUBLIC, requestsOf, startStage, unchanged } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

let stage: Stage;
let routes: Route[];
let appToken: string;

before(async () => {
  stage = await startStage();
  routes = await listRoutes(stage.server.app);
  appToken = await stage.server.token(null, ["read", "write"]);
});
after(() => stage.close());

const call = ({ method, url }: Pick<Route, "method" | "url">, token: string | null, json?: Json) =>
  stage.server.request(method, url, {
    token,
    ...(json && !["GET", "HEAD"].includes(method) && { json }),
  });

describe("A private status answers exactly like a missing one, with every verb.", () => {
  const HIDDEN = ["private", "direct"] as const;
  const bodies: Json = { status: "x", visibility: "public" };

  test("on every route that takes a status", async () => {
    const { alice, carol, server } = stage;
    const dora = await server.person("dora");
    await stage.get("/api/v1/preferences", dora);
    const shown = await stage.write(alice, "blocked from this");
    await alice.post(`/api/v1/accounts/${dora.accountId}/block`);
    const cases: { id: string; viewers: (string | null)[] }[] = [
      { id: shown.id, viewers: [dora.token] },
    ];
    for (const visibility of HIDDEN) {
      const { id } = await stage.write(alice, "secret", { visibility });
      cases.push({ id, viewers: [null, carol.token, dora.token, appToken] });
    }
    const missing = "117000000000000001";
    await unchanged(stage, async () => {
      for (const { id, viewers } of cases) {
        for (const token of viewers) {
          for (const { method, url } of withIds(routes, "status")) {
            // Documents and pages do not know who is signed in.
            if (id === shown.id && /^\/(?:users\/|contexts\/|@)/.test(url)) continue;
            const [real, none] = await Promise.all(
              [id, missing].map((target) =>
                call({ method, url: filled(url, target) }, token, bodies),
              ),
            );
            const where = `${method} ${url}`;
            assert.ok(real!.status >= 400, where);
            assert.equal(real!.status, none!.status, where);
            assert.equal(real!.text.replaceAll(id, missing), none!.text, where);
            const headers = ({ headers: all }: typeof real & object) =>
              [...all].filter(([name]) => !["date", "x-request-id"].includes(name));
            assert.deepEqual(headers(real!), headers(none!), where);
          }
        }
      }
    });
  });

  test("where it is named in a body, a list, a search or a thread", async () => {
    const { alice, carol } = stage;
    const root = await stage.write(alice, "open");
    for (const visibility of HIDDEN) {
      const secret = await stage.write(alice, "s3cret words", {
        visibility,
        in_reply_to_id: root.id,
      });
      const below = await stage.write(alice, "open again", {
        in_reply_to_id: secret.id,
        visibility: "public",
      });
      await unchanged(stage, async () => {
        const reply = await carol.post("/api/v1/statuses", {
          status: "x",
          in_reply_to_id: secret.id,
        });
        assert.equal(reply.status, 404);
      });
      for (const by of [carol, null]) {
        const paths = [
          `/api/v1/statuses?id[]=${secret.id}`,
          `/api/v1/statuses/${root.id}/context`,
          `/api/v1/statuses/${below.id}/context`,
          `/api/v1/accounts/${alice.accountId}/statuses`,
          "/api/v1/timelines/public",
          `/api/v2/search?q=${encodeURIComponent(secret.uri)}`,
          `/api/v2/search?q=s3cret`,
          `/@alice/${root.id}`,
          `/@alice/${below.id}`,
          "/@alice",
          "/",
          "/users/alice/outbox?page=true",
          `/users/alice/statuses/${root.id}/replies`,
          "/api/v1/timelines/direct",
          "/api/v1/timelines/home",
        ];
        for (const path of paths) {
          const { text } = await stage.get(path, by);
          assert.doesNotMatch(text, /s3cret words/, path);
          // The id may appear where a public reply names the post that it replies to.
          if (!/context|\/statuses$|public|home|outbox|@alice|^\/$/.test(path))
            assert.ok(!text.includes(secret.id), path);
        }
      }
    }
  });

  test("to remote servers, signed: the same answer, and no request that would reveal the difference", async () => {
    const { mallory, otherPeer, alice, server } = stage;
    const secret = await stage.write(alice, "secret", { visibility: "private" });
    const get = async (id: string, path = "") => {
      await server.app.kv.delete(`key-away:${mallory.keyId}`);
      const before = requestsOf(otherPeer);
      const { keyId, privateKeyPem } = mallory;
      const bodies = {
        method: "GET",
        path: `/users/alice/statuses/${id}${path}`,
        keyId,
        privateKeyPem,
        signed: ["(request-target)", "host", "date"],
        headers: { digest: undefined, "content-type": undefined },
      };
      const status = await craft(server.url, bodies);
      await server.write`DELETE FROM accounts WHERE uri = ${mallory.uri}`;
      return [status, requestsOf(otherPeer) - before];
    };
    for (const path of ["", "/activity", "/replies", "/likes", "/shares"]) {
      const real = await get(secret.id, path);
      assert.equal(real[0], 404);
      assert.deepEqual(real, await get("117000000000000001", path), path);
    }
  });
});

test("After an account is suspended nothing of it leaks in: posts, boosts of old posts, notifications, search.", async () => {
  const { bob, eve, alice, carol, server } = stage;
  const sam = stage.peer.actor("sam", 2);
  await stage.send(eve, { type: "Follow", object: stage.uriOf(carol) });
  await stage.send(sam, { type: "Follow", object: stage.uriOf(carol) });
  const tag = [
    { type: "Mention", href: stage.uriOf(carol), name: "@carol" },
    { type: "Hashtag", name: "#samstag" },
  ];
  const old = await stage.create(sam, { tag, content: "sams words" });
  const id = (await stage.statusId(old["id"]))!;
  const reply = await stage.write(carol, "answer", { in_reply_to_id: id });
  await server.write`UPDATE accounts SET suspended_at = now() WHERE uri = ${sam.uri}`;
  await unchanged(stage, async () => {
    for (const activity of [
      { type: "Create", object: stage.note(sam, { tag }) },
      { type: "Like", object: reply.uri },
      { type: "Announce", object: reply.uri, to: [PUBLIC] },
      { type: "Update", object: { ...old, content: "new" } },
      { type: "Follow", object: stage.uriOf(alice) },
    ]) {
      await stage.post(sam, activity);
    }
    await stage.post(bob, { type: "Announce", object: old["id"], to: [PUBLIC] });
    await stage.post(eve, { type: "Create", actor: sam.uri, object: stage.note(sam, { tag }) });
  });
  const later = stage.note(sam);
  await unchanged(stage, () => stage.resolve(String(later["id"])), 3);
  const paths = [
    `/api/v1/statuses/${id}`,
    `/api/v1/statuses?id[]=${id}`,
    "/api/v1/timelines/public",
    "/api/v1/timelines/home",
    "/api/v1/timelines/tag/samstag",
    "/api/v1/notifications",
    `/api/v1/statuses/${reply.id}/context`,
    `/api/v2/search?q=sam`,
    `/api/v2/search?q=${encodeURIComponent(String(old["id"]))}`,
    "/tags/samstag",
    `/@carol/${reply.id}`,
    `/api/v1/accounts/${carol.accountId}/followers`,
  ];
  for (const path of paths) {
    const { text, status } = await stage.get(path, path.startsWith("/api") ? carol : null);
    assert.ok(
      status === 200 || status === 206 || (status === 404 && path.endsWith(id)),
      `${path}: ${status}`,
    );
    assert.doesNotMatch(text, /sams words|"acct":"sam@/, path);
  }
});
