// Storing remote actors: the same one twice, changed URIs, contested handles.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { getAccount } from "./load.ts";
import { takeHandle, upsertRemoteAccount } from "./upsert-remote.ts";
import type { RemoteAccount } from "./tables.ts";

let server: TestApp;

before(async () => {
  server = await startTestApp();
});

after(() => server.close());

const actor = (name: string, more: Partial<RemoteAccount> = {}): RemoteAccount => ({
  username: name,
  domain: "there.example",
  uri: `https://there.example/users/${name}`,
  url: `https://there.example/@${name}`,
  inbox_url: `https://there.example/users/${name}/inbox`,
  public_key: "key",
  key_id: null,
  fetched_at: new Date(),
  ...more,
});

const upsert = (account: RemoteAccount) => upsertRemoteAccount(server.app.sql, account);

/** As an actor is stored whose handle was confirmed. */
const take = async (account: RemoteAccount, isShared = false) => {
  const { sql } = server.app;
  const { username, formerId } = await takeHandle(sql, account, isShared);
  return { id: await upsert({ ...account, username }), formerId };
};
const view = (id: string) => getAccount(server.app, id);

test("a new actor is inserted with its counts, a known one updated", async () => {
  const fields = [{ name: "a", value: "", value_html: "b", verified_at: null }];
  const created = new Date("2020-02-02T00:00:00Z");
  const id = await upsert(actor("ann", { fields, display_name: "Ann", created_at: created }));
  const first = await view(id);
  assert.deepEqual(first.fields, fields);
  assert.deepEqual(first.created_at, created);
  assert.equal(await upsert(actor("ann", { display_name: "Anne", locked: true })), id);
  const second = await view(id);
  assert.deepEqual([second.display_name, second.locked], ["Anne", true]);
  assert.deepEqual(second.fields, fields);
  assert.deepEqual(second.created_at, created);
  const [row] = await server.app.sql`SELECT FROM account_stats WHERE account_id = ${id}`;
  assert.ok(row);
});

test("concurrent inserts make one account", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => upsert(actor("ben"))));
  assert.equal(new Set(ids).size, 1);
});

test("another actor with the handle is another account: who had it keeps row and address", async () => {
  const old = await upsert(actor("cem"));
  const uri = "https://there.example/ap/users/77";
  const { id, formerId } = await take(actor("cem", { uri, public_key: "another" }));
  assert.equal(formerId, old);
  assert.notEqual(id, old);
  const [before, now] = [await view(old), await view(id)];
  assert.deepEqual([before.uri, before.username], [actor("cem").uri, `former-${old}`]);
  assert.deepEqual([now.uri, now.username], [uri, "cem"]);
  const entity = async (of: string) => (await server.visitor.get(`/api/v1/accounts/${of}`)).json;
  assert.equal((await entity(old)).invalid_handle, true);
  assert.ok(!("invalid_handle" in (await entity(id))));
  const [row] = await server.app.sql`SELECT public_key FROM accounts WHERE id = ${old}`;
  assert.equal(row?.["public_key"], "key");
});

test("a handle that another known actor takes over leaves the one that had it", async () => {
  const dan = await upsert(actor("dan"));
  const eve = await upsert(actor("eve"));
  const taken = await take(actor("dan", { uri: "https://there.example/users/eve" }));
  assert.deepEqual(taken, { id: eve, formerId: dan });
  assert.equal((await view(eve)).username, "dan");
  assert.equal((await view(dan)).username, `former-${dan}`);
});

test("a name that this server gave takes no one's", async () => {
  const first = await upsert(actor("fay.person"));
  const other = actor("fay.person", { uri: "https://there.example/u/fay" });
  const { id, formerId } = await take(other, true);
  assert.equal(formerId, null);
  assert.equal((await view(first)).username, "fay.person");
  assert.match((await view(id)).username, /^fay\.person\.[0-9a-f]{12}$/);
  assert.deepEqual(await take(other, true), { id, formerId: null });
});

test("a local account is never changed", async () => {
  const alice = await server.person("alice");
  const uri = `${server.url}/users/alice`;
  await assert.rejects(upsert(actor("alice", { uri, display_name: "stolen" })));
  assert.equal((await view(alice.accountId)).display_name, "");
});
