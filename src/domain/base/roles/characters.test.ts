// How long posts of people with a role may be: set by the staff, told to apps, enforced when they write and edit.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { createRoleAs, modifyRoleAs } from "../../staff/moderation/roles.ts";
import { COMMAND_LINE } from "./permissions.ts";
import { findRole } from "./roles.ts";

let t: TestApp;
let writer: Person;
let other: Person;

before(async () => {
  t = await startTestApp();
  [writer, other] = [await t.person("writer"), await t.person("other")];
  await createRoleAs(t.app, COMMAND_LINE, { name: "Writer", maxCharacters: 2000 });
  const { id } = await findRole(t.app, "Writer");
  await t.write`UPDATE users SET role_id = ${id} WHERE account_id = ${writer.accountId}`;
});
after(() => t?.close());

const own = async (by: Person) => {
  const answer = await by.get("/api/v1/accounts/verify_credentials");
  assertEntity("CredentialAccount", answer.json);
  return answer.json.role;
};

test("those who have the role may write so much, and are told; others may not", async () => {
  const json = await writer.post("/api/v1/statuses", { status: "a".repeat(2000) }).ok();
  const path = `/api/v1/statuses/${json.id}`;
  await writer.put(path, { status: "a".repeat(1999) }).ok();
  await writer.post("/api/v1/statuses/preview", { status: "a".repeat(1999) }).ok();
  for (const [method, at] of [
    ["POST", "/api/v1/statuses"],
    ["PUT", path],
    ["POST", "/api/v1/statuses/preview"],
  ] as const) {
    const refused = await writer.send(method, at, { status: "a".repeat(2001) });
    assert.deepEqual(
      [refused.status, refused.json.error],
      [422, "Validation failed: Text character limit of 2000 exceeded"],
    );
  }
  assert.equal((await other.post("/api/v1/statuses", { status: "a".repeat(501) })).status, 422);
  assert.equal((await own(writer)).max_characters, 2000);
  assert.equal("max_characters" in (await own(other)), false);
  const instance = await t.visitor.get("/api/v2/instance");
  assert.equal(instance.json.configuration.statuses.max_characters, 500);
  assert.equal(instance.json.configuration.rookery.role_characters, true);
});

test("a change holds at once, is bounded and in the audit log", async () => {
  const role = await findRole(t.app, "Writer");
  for (const maxCharacters of [0, 100_001, 1.5, Number.NaN])
    await assert.rejects(modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters }), /characters/);
  await modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters: 100 });
  assert.equal((await writer.post("/api/v1/statuses", { status: "a".repeat(101) })).status, 422);
  await modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters: null });
  await writer.post("/api/v1/statuses", { status: "a".repeat(500) }).ok();
  assert.equal((await writer.post("/api/v1/statuses", { status: "a".repeat(501) })).status, 422);
  const rows = await t.app.sql<{ details: { maxCharacters: number | null } }[]>`
    SELECT details FROM audit_log WHERE action = 'role.update' ORDER BY id
  `;
  assert.deepEqual(
    rows.map(({ details }) => details.maxCharacters),
    [100, null],
  );
});
