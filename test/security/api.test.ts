// Authorization of the API: every route with every kind of token, and with other people's ids.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { changePassword } from "../../src/domain/people/users/change-password.ts";
import { shareOf } from "../fuzz.ts";
import type { Person } from "../harness.ts";
import { openStream } from "../stream-client.ts";
import { KINDS, kindsFor, makeTokens, wantedOf } from "./matrix.ts";
import type { Tokens } from "./matrix.ts";
import { ID_ROUTES, filled, listRoutes, nameOf, withIds } from "./routes.ts";
import type { Route } from "./routes.ts";
import { formOf, picture as drawn } from "../files.ts";
import { picture, startStage, unchanged } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

let stage: Stage;
let routes: Route[];
let tokens: Tokens;

before(async () => {
  stage = await startStage();
  routes = await listRoutes(stage.server.app);
  ({ tokens } = await makeTokens(stage.server));
});
after(() => stage.close());

const call = ({ method, url }: Pick<Route, "method" | "url">, token: string | null, json?: Json) =>
  stage.server.request(method, url, {
    token,
    ...(json && !["GET", "HEAD"].includes(method) && { json }),
  });

/** Routes of the API without a rule: public ones, and streams, which check tokens themselves. */
const WITHOUT_RULE =
  /^\/api\/(?:v[12]\/instance(?:\/(?:peers|rules|extended_description))?|v1\/streaming\/.*)$/;

describe("A matrix: every endpoint with no token, with every wrong scope, with the right one", () => {
  test("every route of the API states who may ask", () => {
    assert.ok(routes.length > 100);
    const silent = routes
      .filter(({ url, access }) => url.startsWith("/api/") && !access)
      .map(({ url }) => url);
    assert.deepEqual(
      silent.filter((url) => !WITHOUT_RULE.test(url)),
      [],
    );
  });

  test("what it states is the contract's row", () => {
    type Row = { method: string; path: string; auth: string; scopes: string[] };
    const rows = JSON.parse(
      readFileSync(new URL("../contract/endpoints.json", import.meta.url), "utf8"),
    ) as Row[];
    const contract = new Map(rows.map((row) => [`${row.method} ${row.path}`, row]));
    // Their handlers answer the token of an app with another status.
    const looser = new Set([
      "GET /api/v1/announcements",
      "GET /api/v1/accounts/{id}/identity_proofs",
      "GET /api/v1/emails/check_confirmation",
      "POST /api/v1/emails/confirmations",
      "GET /oauth/userinfo",
      "POST /oauth/userinfo",
      "GET /oauth/token/info",
    ]);
    for (const route of routes.filter(({ access, method }) => access && method !== "HEAD")) {
      const name = nameOf(route).replace(/:(\w+)/g, "{$1}");
      const row = contract.get(name);
      if (!row || looser.has(name)) continue;
      // What a role allows is asked after the token: domain/staff/moderation/permissions.test.ts.
      assert.equal(route.access!.auth, row.auth === "admin" ? "user" : row.auth, name);
      const broad = (scopes: string[]) =>
        scopes.filter((scope) => !["read", "write", "follow"].includes(scope)).toSorted();
      assert.deepEqual(broad(route.access!.scopes), broad(row.scopes), name);
    }
  });

  test("each kind of token gets its status, refusals cost one look-up at most and change nothing", async () => {
    // Written before the snapshot: once an hour a signed-in person's last visit is stored.
    for (const kind of ["right", "wrong scope"] as const) {
      await call({ method: "GET", url: "/api/v1/preferences" }, tokens[kind]);
    }
    const guarded = routes.filter(({ access }) => access);
    const wrong: string[] = [];
    const start = await picture(stage.server);
    for (const [turn, route] of guarded.entries()) {
      for (const kind of kindsFor(route, turn)) {
        const expected = wantedOf(route, kind);
        if (expected === "passes") continue;
        const url = filled(route.url);
        const ask = () =>
          stage.server.countQueries(() => call({ method: route.method, url }, tokens[kind], {}), {
            warm: true,
          });
        const { result, queries: first } = await ask();
        // The server's own statement by the clock may have come between.
        const queries = first > 1 ? (await ask()).queries : first;
        const where = `${nameOf(route)}, ${kind}: ${result.status}`;
        if (!expected.includes(result.status)) wrong.push(`${where}, not ${expected.join(" or ")}`);
        if (route.access!.auth === "user" && queries > 1)
          wrong.push(`${where} after ${queries} queries`);
        if (result.status === 401 && !result.headers.has("www-authenticate"))
          wrong.push(`${where} without WWW-Authenticate`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(await picture(stage.server), start);
  });

  test("a valid token passes", async () => {
    const wrong: string[] = [];
    for (const [turn, route] of routes.filter(({ access }) => access).entries()) {
      for (const kind of kindsFor(route, turn)) {
        if (wantedOf(route, kind) !== "passes") continue;
        if (kind === "revoked" && route.access!.auth !== "public") continue;
        // A role is needed besides: domain/staff/moderation/permissions.test.ts.
        if (route.url.includes("/admin/")) continue;
        const { status } = await call(
          { method: route.method, url: filled(route.url) },
          tokens[kind],
          {},
        );
        if ([401, 403].includes(status) || status >= 500)
          wrong.push(`${nameOf(route)}, ${kind}: ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test("streams: only for an active person with their scope", async () => {
    const paths = routes.filter(
      ({ url, method }) =>
        method === "GET" && url.startsWith("/api/v1/streaming/") && !url.endsWith("/health"),
    );
    assert.ok(paths.length >= 9);
    for (const kind of KINDS.filter((other) => other !== "right")) {
      for (const route of paths) {
        const { status } = await call({ method: "GET", url: filled(route.url) }, tokens[kind]);
        assert.equal(status, 401, `${route.url}, ${kind}`);
      }
      const query = { stream: "user", ...(tokens[kind] && { access_token: tokens[kind] }) };
      await assert.rejects(openStream(stage.server.url, { query }), /401/, kind);
    }
  });
});

test("Revoking a token or app, changing a password, suspending, disabling: HTTP is refused and open streams are closed.", async () => {
  const { server } = stage;
  const scopes = ["admin:read", "admin:write"];
  const owner = await server.person("owner", { role: "Owner", scopes });
  const act = (type: string) => async (id: string) => {
    await owner.post(`/api/v1/admin/accounts/${id}/action`, { type }).ok();
  };
  const ends: [string, (person: Person) => Promise<unknown>, number][] = [
    [
      "revoke",
      ({ token }) => server.visitor.post("/oauth/revoke", new URLSearchParams({ token })),
      401,
    ],
    // As the pages and the CLI change it.
    ["password", ({ userId }) => changePassword(server.app, userId, "another long one"), 401],
    ["disable", ({ accountId }) => act("disable")(accountId), 403],
    ["suspend", ({ accountId }) => act("suspend")(accountId), 403],
  ];
  for (const [name, end, status] of ends) {
    const person = await server.person(`leaver_${name}`);
    const query = { stream: "user", access_token: person.token };
    const stream = await openStream(server.url, { query });
    assert.equal((await stage.get("/api/v1/timelines/home", person)).status < 300, true, name);
    await end(person);
    await server.runJobs();
    await stream.closed();
    assert.equal((await stage.get("/api/v1/timelines/home", person)).status, status, name);
    const json = { status: "x" };
    const posted = await person.post("/api/v1/statuses", json);
    assert.equal(posted.status, status, name);
    await assert.rejects(openStream(server.url, { query }), /401/, name);
  }
});

describe("Every endpoint that takes an id, called with another user's id", () => {
  test("every route with an id is known here", () => {
    const unknown = routes.filter(
      ({ url }) => /:(?:\w+_)?id\b/.test(url) && !ID_ROUTES.some(([pattern]) => pattern.test(url)),
    );
    assert.deepEqual(unknown.map(nameOf), []);
  });

  test("notifications and follow requests: as if there were none", async () => {
    const { alice, carol, bob } = stage;
    const own = await stage.write(alice, "like me");
    await stage.send(bob, { type: "Like", object: own.uri });
    await alice.patch("/api/v1/accounts/update_credentials", { locked: true });
    await stage.send(stage.eve, { type: "Follow", object: stage.uriOf(alice) });
    const { json: notifications } = await stage.get("/api/v1/notifications", alice);
    const ids = { notification: notifications[0].id, request: await stage.accountId(stage.eve) };
    assert.equal((await stage.get(`/api/v1/notifications/${ids.notification}`, alice)).status, 200);
    assert.equal((await stage.get("/api/v1/follow_requests", alice)).json[0].id, ids.request);
    await carol.post("/api/v1/notifications/clear");
    await unchanged(stage, async () => {
      for (const kind of ["notification", "request"] as const) {
        for (const { method, url } of withIds(routes, kind)) {
          const answer = await call({ method, url: filled(url, ids[kind]) }, carol.token, {});
          const missing = await call({ method, url: filled(url, "1") }, carol.token, {});
          assert.deepEqual([answer.status, answer.text], [404, missing.text], `${method} ${url}`);
        }
      }
      await carol.post("/api/v1/notifications/clear").ok();
    });
    await alice.patch("/api/v1/accounts/update_credentials", { locked: false });
  });

  test("uploads: as if there were none", async () => {
    const { alice, carol } = stage;
    const form = formOf(await drawn("png"));
    const answer = await alice.post("/api/v2/media", form);
    const { id } = answer.json as { id: string };
    assert.ok(id, answer.text);
    await unchanged(stage, async () => {
      for (const { method, url } of withIds(routes, "upload")) {
        const answer = await call({ method, url: filled(url, id) }, carol.token, {});
        const missing = await call({ method, url: filled(url, "1") }, carol.token, {});
        assert.deepEqual([answer.status, answer.text], [404, missing.text], `${method} ${url}`);
      }
    });
    assert.equal((await stage.get(`/api/v1/media/${id}`, alice)).status, 200);
    const stolen = await carol.post("/api/v1/statuses", { status: "mine?", media_ids: [id] });
    assert.equal(stolen.status, 422);
  });

  test("other people's posts cannot be edited, deleted, pinned", async () => {
    const { alice, carol } = stage;
    const own = await stage.write(alice, "mine");
    await unchanged(stage, async () => {
      const path = `/api/v1/statuses/${own.id}`;
      for (const [method, url] of [
        ["PUT", path],
        ["DELETE", path],
        ["POST", `${path}/pin`],
        ["POST", `${path}/unpin`],
        ["POST", `${path}/unreblog`],
      ] as const) {
        const answer = await carol.send(method, url, {
          status: "theirs",
          id: own.id,
          account_id: carol.accountId,
        });
        assert.ok(
          [404, 422, 200].includes(answer.status) && (answer.status !== 200 || /un/.test(url)),
          `${method} ${url}: ${answer.status}`,
        );
      }
    });
  });

  test("ids in any form are refused or found, never a 5xx", async () => {
    const odd = [
      "0",
      "-1",
      "abc",
      "9223372036854775807",
      "9223372036854775808",
      "99999999999999999999999",
      "1e3",
      "1.5",
      "%00",
      "%27",
      "1%20OR%201=1",
      "١",
      "%ff",
      "..%2f..%2f",
      "__proto__",
      "null",
      "undefined",
      "x".repeat(400),
    ];
    const wrong: string[] = [];
    for (const [turn, route] of routes.filter(({ url }) => /:/.test(url)).entries()) {
      for (const id of shareOf(odd, turn)) {
        const url = route.url.replace(/:(?:account_)?id\b/g, id).replace(/:\w+/g, id);
        const { status } = await call({ method: route.method, url }, stage.carol.token, {});
        if (status < 300 && /(?<!\/tags\/):(?:account_)?id\b/.test(route.url))
          wrong.push(`${route.method} ${url}: ${status}`);
        if (status >= 500) wrong.push(`${route.method} ${url}: ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
