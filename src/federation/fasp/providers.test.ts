// Auxiliary providers register, are confirmed and used by the staff on its pages, and are believed only what they sign.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startProvider } from "../../../test/fasp-provider.ts";
import type { Provider } from "../../../test/fasp-provider.ts";
import { lastAudit, openStaffWorld, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";
import { addDays } from "../../platform/ids/index.ts";
import { deleteOldRegistrations } from "./providers.ts";
import { getSetting } from "../../domain/base/settings/settings.ts";
import type { ProviderRow } from "./tables.ts";

const PAGE = "/admin/domains/fasp";

let world: StaffWorld;
let provider: Provider;

before(async () => {
  world = await openStaffWorld();
  provider = await startProvider();
});
after(async () => {
  await provider.close();
  await world.t.close();
});
beforeEach(() => {
  provider.faults.length = 0;
  Object.assign(provider.state, { key: provider.privateKey, status: 200, created: 0 });
  provider.state.isUnsigned = false;
});

const count = async (): Promise<number> =>
  (await world.t.app.sql`SELECT FROM fasp_providers`).length;

const pathOf = () => `${PAGE}/${provider.state.id}`;

test("a registration waits for the staff, who compares the key", async () => {
  const { status, json } = await provider.register(world.t.url);
  assert.equal(status, 201);
  assert.equal(json.registrationCompletionUri, world.t.url + PAGE);
  const page = await world.owner.get(PAGE);
  for (const text of [provider.fingerprint, "Finder", provider.origin, "Compare the fingerprint"])
    assert.ok(page.text.includes(text), text);
  assert.equal((await world.mod.get(PAGE)).status, 403);
});

test("what cannot be a provider is not stored", async () => {
  const before = await count();
  for (const wrong of [
    { name: " " },
    { name: "x".repeat(101) },
    { baseUrl: "http://10.0.0.1/" },
    { baseUrl: "ftp://finder.example" },
    { baseUrl: `${world.t.url}/x` },
    { serverId: 'a"b' },
    { publicKey: "c2hvcnQ=" },
    { name: "", serverId: 3, publicKey: null },
  ]) {
    const { status, json } = await provider.register(world.t.url, wrong);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(json.details), Object.keys(wrong));
    for (const [{ error, description }] of Object.values<any>(json.details)) {
      assert.equal(error, "ERR_INVALID");
      assert.ok(json.error.includes(description), json.error);
    }
  }
  assert.equal((await provider.register(world.t.url, { name: "x".repeat(20_000) })).status, 413);
  assert.equal(await count(), before);
});

/** Stores registrations as they would come from others, each with the values of `more`. */
const store = (rows: Partial<ProviderRow>[]) =>
  world.t.fixture(async (sql) => {
    const [like] = await sql`SELECT * FROM fasp_providers ORDER BY id DESC LIMIT 1`;
    const { id: _id, ...row } = like!;
    for (const more of rows)
      await sql`INSERT INTO fasp_providers ${sql({ ...row, ...more } as never)}`;
  });

const addresses = async (): Promise<string[]> =>
  (await world.t.app.sql<ProviderRow[]>`SELECT * FROM fasp_providers ORDER BY id`).map(
    ({ base_url }) => base_url,
  );

test("a provider that registers again takes its own place alone", async () => {
  const { app, fixture, url } = world.t;
  const [first] = await app.sql<ProviderRow[]>`SELECT * FROM fasp_providers`;
  const other = provider.newKeys().publicKey.export({ format: "jwk" }).x!;
  const strange = { public_key: other, sender: "192.0.2.7" };
  await store([
    { ...strange, name: "Same key", public_key: first!.public_key },
    { ...strange, name: "Somebody else" },
    { ...strange, name: "Confirmed", public_key: first!.public_key, confirmed_at: new Date() },
  ]);
  await provider.register(url, { name: "Again" });
  const names = await app.sql`SELECT name FROM fasp_providers ORDER BY id`;
  assert.deepEqual(
    names.map((row) => row["name"]),
    ["Somebody else", "Confirmed", "Again"],
  );
  await fixture((sql) => sql`DELETE FROM fasp_providers WHERE name <> 'Again'`);
});

test("one sender of many registrations takes nobody else’s place, and old ones go", async () => {
  const { app, url } = world.t;
  const [own, rare] = [provider.origin, "https://rare.example"];
  await store([{ base_url: rare, sender: "192.0.2.7" }]);
  await store(
    Array.from({ length: 30 }, (_, n) => ({
      base_url: `https://flood-${n}.example`,
      sender: "192.0.2.8",
    })),
  );
  assert.equal((await provider.register(url)).status, 201);
  const kept = await addresses();
  assert.equal(kept.length, 20);
  assert.ok(kept.includes(rare));
  assert.deepEqual(kept.slice(-2), ["https://flood-29.example", own]);
  await deleteOldRegistrations(app, addDays(new Date(), 6));
  assert.equal(await count(), 20);
  await deleteOldRegistrations(app, addDays(new Date(), 8));
  assert.equal(await count(), 0);
  await provider.register(url);
});

test("this server's key is sealed", async () => {
  const [row] = await world.t.app.sql`SELECT sealed_key, private_key FROM fasp_providers`;
  assert.equal(row!["private_key"], null);
  assert.doesNotMatch(row!["sealed_key"].toString("latin1"), /PRIVATE KEY/);
});

test("confirming asks the provider, and believes only its signature", async () => {
  const other = provider.newKeys().privateKey;
  for (const wrong of [
    { key: other },
    { status: 500 },
    { created: 1_000_000_000 },
    { isUnsigned: true },
  ]) {
    Object.assign(provider.state, wrong);
    const page = await world.owner.get(PAGE);
    const refused = await world.owner.submit(page, `${pathOf()}/confirm`, {});
    assert.equal(refused.status, 422, JSON.stringify(wrong));
    assert.match(refused.text, /didn’t respond as it should/);
    Object.assign(provider.state, { key: provider.privateKey, status: 200, created: 0 });
    provider.state.isUnsigned = false;
  }
  const page = await submit(world.owner, PAGE, `${pathOf()}/confirm`);
  assert.equal(await lastAudit(world.t), "fasp.confirm");
  assert.match(page.text, /Provider confirmed\./);
  assert.match(page.text, /Search for people/);
  assert.deepEqual(
    [...(await world.t.app.sql`SELECT sender FROM fasp_providers`)],
    [{ sender: null }],
  );
  assert.ok(!page.text.includes("unheard_of"));
  assert.deepEqual(provider.faults, []);
});

test("capabilities are switched on and off, and the provider is told of each", async () => {
  const values = { account_search: "1", follow_recommendation: "1" };
  await submit(world.owner, PAGE, `${pathOf()}/update`, values);
  assert.equal(await lastAudit(world.t), "fasp.update");
  const said = () =>
    provider.asked.flatMap(({ method, path }) => {
      const [, id] = /^\/capabilities\/(\w+)\/0\/activation$/.exec(path) ?? [];
      return id === undefined ? [] : [`${method} ${id}`];
    });
  assert.deepEqual(said().toSorted(), ["POST account_search", "POST follow_recommendation"]);
  const inUse = () => getSetting(world.t.app, "fasp_in_use", []);
  assert.deepEqual(await inUse(), ["account_search", "follow_recommendation"]);
  // Somebody of the staff can end the use of a provider that is down, but not begin it.
  provider.state.status = 500;
  const change = async (fields: Record<string, string>) =>
    (await world.owner.submit(await world.owner.get(PAGE), `${pathOf()}/update`, fields)).status;
  assert.equal(await change({ account_search: "1", follow_recommendation: "" }), 302);
  assert.deepEqual(await inUse(), ["account_search"]);
  assert.equal(await change({ account_search: "1", follow_recommendation: "1" }), 422);
  assert.deepEqual(await inUse(), ["account_search"]);
  assert.ok(said().includes("DELETE follow_recommendation"));
  assert.deepEqual(provider.faults, []);
});

test("a provider is removed after a question, and is nobody then", async () => {
  await submit(world.owner, PAGE, `${pathOf()}/delete`);
  assert.equal(await lastAudit(world.t), "fasp.remove");
  assert.deepEqual(await getSetting(world.t.app, "fasp_in_use", []), []);
  assert.equal(await count(), 0);
});
