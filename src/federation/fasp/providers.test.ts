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
    { baseUrl: "http://10.0.0.1/" },
    { baseUrl: "ftp://finder.example" },
    { baseUrl: `${world.t.url}/x` },
    { serverId: 'a"b' },
    { publicKey: "c2hvcnQ=" },
    { name: "x".repeat(20_000) },
  ]) {
    const { status } = await provider.register(world.t.url, wrong);
    assert.ok(status === 422 || status === 413, `${JSON.stringify(wrong).slice(0, 50)}: ${status}`);
  }
  assert.equal(await count(), before);
});

test("strangers cannot fill the table, and old registrations go", async () => {
  const { app, fixture, url } = world.t;
  const { id, ...row } = (await app.sql`SELECT * FROM fasp_providers`)[0]!;
  await fixture(async (sql) => {
    for (let n = 0; n < 30; n++) await sql`INSERT INTO fasp_providers ${sql(row as never)}`;
  });
  assert.equal((await provider.register(url)).status, 201);
  const kept = await app.sql<{ id: string }[]>`SELECT id FROM fasp_providers ORDER BY id`;
  assert.equal(kept.length, 20);
  assert.ok(!kept.some((one) => one.id === id));
  assert.equal(kept.at(-1)!.id, provider.state.id);
  await deleteOldRegistrations(app, addDays(new Date(), 6));
  assert.equal(await count(), 20);
  await deleteOldRegistrations(app, addDays(new Date(), 8));
  assert.equal(await count(), 0);
  await provider.register(url);
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
