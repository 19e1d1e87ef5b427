// Two servers: one asks to quote, the other approves and revokes, and both show it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { untilQuiet } from "../../test/until-quiet.ts";

let here: TestApp;
let there: TestApp;
let alice: Person;
let bob: Person;
let fan: Person;

before(async () => {
  [here, there] = await Promise.all([startTestApp(), startTestApp()]);
  [alice, bob, fan] = [
    await here.person("alice"),
    await there.person("bob"),
    await here.person("fan"),
  ];
});
after(() => Promise.all([here?.close(), there?.close()]));

const call = async (
  server: TestApp,
  by: Person | null,
  method: string,
  path: string,
  json?: unknown,
): Promise<any> => {
  const token = by?.token ?? null;
  return server.as(token).send(method, path, json).ok();
};

const settle = () => untilQuiet(here, there);

const find = async (server: TestApp, by: Person, uri: string): Promise<any> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(uri)}`;
  const { statuses, accounts } = await call(server, by, "GET", path);
  return statuses[0] ?? accounts[0];
};

test("a quote over two servers, from the question to the revocation", async () => {
  const bobHere = await find(here, fan, `${there.url}/users/bob`);
  await call(here, fan, "POST", `/api/v1/accounts/${bobHere.id}/follow`);
  await settle();
  const original = await call(here, alice, "POST", "/api/v1/statuses", {
    status: "worth quoting",
    quote_approval_policy: "public",
  });
  const seen = await find(there, bob, original.uri);
  assert.equal(seen.quote_approval.current_user, "automatic");
  const quoting = await call(there, bob, "POST", "/api/v1/statuses", {
    status: "look",
    quoted_status_id: seen.id,
  });
  assert.equal(quoting.quote.state, "pending");
  await settle();

  const accepted = await call(there, bob, "GET", `/api/v1/statuses/${quoting.id}`);
  assert.equal(accepted.quote.quoted_status.id, seen.id);
  const [notification] = await call(here, alice, "GET", "/api/v1/notifications?types[]=quote");
  assert.equal(notification.status.uri, quoting.uri);
  assert.equal(notification.status.quote.quoted_status.id, original.id);
  assert.equal((await call(here, null, "GET", `/api/v1/statuses/${original.id}`)).quotes_count, 1);
  const home = await call(here, fan, "GET", "/api/v1/timelines/home");
  const shown = home.find((status: any) => status.uri === quoting.uri);
  assert.equal(shown.quote.quoted_status.id, original.id);

  await call(here, alice, "POST", `/api/v1/statuses/${original.id}/quotes/${shown.id}/revoke`);
  await settle();
  const revoked = await call(there, bob, "GET", `/api/v1/statuses/${quoting.id}`);
  assert.deepEqual(revoked.quote, { state: "revoked", quoted_status: null });
  assert.equal(
    (await call(here, fan, "GET", `/api/v1/statuses/${shown.id}`)).quote.state,
    "revoked",
  );
});

test("a request that the policy refuses now is rejected", async () => {
  const original = await call(here, alice, "POST", "/api/v1/statuses", {
    status: "for a while",
    quote_approval_policy: "public",
  });
  const seen = await find(there, bob, original.uri);
  await call(here, alice, "PUT", `/api/v1/statuses/${original.id}/interaction_policy`, {
    quote_approval_policy: "nobody",
  });
  // Nobody on the other server follows alice, so it did not get the change: it asks, and is refused.
  const quoting = await call(there, bob, "POST", "/api/v1/statuses", {
    status: "too late",
    quoted_status_id: seen.id,
  });
  await settle();
  const refused = await call(there, bob, "GET", `/api/v1/statuses/${quoting.id}`);
  assert.deepEqual(refused.quote, { state: "rejected", quoted_status: null });
  assert.match(refused.content, new RegExp(`RE: <a href="${original.url}"`));
});
