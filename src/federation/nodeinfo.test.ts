// The server's NodeInfo: valid, correct and cacheable.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";
import { setSetting } from "../domain/settings/settings.ts";
import { VERSION } from "../platform/version.ts";
import { validateNodeInfo } from "./nodeinfo-validator.ts";

let server: TestApp;

before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: "Nest", INSTANCE_DESCRIPTION: "Birds" } });
});

after(() => server.close());

test("the discovery document leads to the document", async () => {
  const discovery = await server.request("GET", "/.well-known/nodeinfo");
  assertEntity("NodeInfoDiscovery", discovery.json);
  assert.deepEqual(discovery.json, {
    links: [
      {
        rel: "http://nodeinfo.diaspora.software/ns/schema/2.0",
        href: `${server.url}/nodeinfo/2.0`,
      },
    ],
  });
  assert.equal(discovery.headers.get("cache-control"), "max-age=259200, public");
  assert.equal(discovery.headers.get("access-control-allow-origin"), "*");
});

test("the document is valid and correct", async () => {
  const alice = await server.person("alice");
  await server.person("bob");
  await setSetting(server.app, "registrations", "open");
  for (const visibility of ["public", "private"]) {
    const json = { status: "hello", visibility };
    await server.request("POST", "/api/v1/statuses", { token: alice.token, json });
  }
  await server.write`UPDATE users SET last_active_at = now() WHERE id = ${alice.userId}`;
  const { json, headers } = await server.request("GET", "/nodeinfo/2.0");
  assert.deepEqual(validateNodeInfo(json), []);
  assertEntity("NodeInfo", json);
  assert.deepEqual(json, {
    version: "2.0",
    software: { name: "rookery", version: VERSION },
    protocols: ["activitypub"],
    services: { outbound: [], inbound: [] },
    usage: { users: { total: 2, activeMonth: 1, activeHalfyear: 1 }, localPosts: 2 },
    openRegistrations: true,
    metadata: {
      nodeName: "Nest",
      nodeDescription: "Birds",
      upstream: { name: "mastodon" },
    },
  });
  assert.equal(headers.get("cache-control"), "max-age=1800, public");
});
