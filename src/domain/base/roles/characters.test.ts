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

const send = (by: Person, length: number, method = "POST", path = "/api/v1/statuses") =>
  t.request(method, path, { token: by.token, json: { status: "a".repeat(length) } });

const own = async (by: Person) => {
  const answer = await t.request("GET", "/api/v1/accounts/verify_credentials", { token: by.token });
  assertEntity("CredentialAccount", answer.json);
  return answer.json.role;
};

test("those who have the role may write so much, and are told; others may not", async () => {
  const { status, json } = await send(writer, 2000);
  assert.equal(status, 200);
  const path = `/api/v1/statuses/${json.id}`;
  assert.equal((await send(writer, 1999, "PUT", path)).status, 200);
  assert.equal((await send(writer, 1999, "POST", "/api/v1/statuses/preview")).status, 200);
  for (const [method, at] of [
    ["POST", "/api/v1/statuses"],
    ["PUT", path],
    ["POST", "/api/v1/statuses/preview"],
  ] as const) {
    const refused = await send(writer, 2001, method, at);
    assert.deepEqual(
      [refused.status, refused.json.error],
      [422, "Validation failed: Text character limit of 2000 exceeded"],
    );
  }
  assert.equal((await send(other, 501)).status, 422);
  assert.equal((await own(writer)).max_characters, 2000);
  assert.equal("max_characters" in (await own(other)), false);
  const instance = await t.request("GET", "/api/v2/instance");
  assert.equal(instance.json.configuration.statuses.max_characters, 500);
  assert.equal(instance.json.configuration.rookery.role_characters, true);
});

test("a change holds at once, is bounded and in the audit log", async () => {
  const role = await findRole(t.app, "Writer");
  for (const maxCharacters of [0, 100_001, 1.5, Number.NaN])
    await assert.rejects(modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters }), /characters/);
  await modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters: 100 });
  assert.equal((await send(writer, 101)).status, 422);
  await modifyRoleAs(t.app, COMMAND_LINE, role, { maxCharacters: null });
  assert.equal((await send(writer, 500)).status, 200);
  assert.equal((await send(writer, 501)).status, 422);
  const rows = await t.app.sql<{ details: { maxCharacters: number | null } }[]>`
    SELECT details FROM audit_log WHERE action = 'role.update' ORDER BY id
  `;
  assert.deepEqual(
    rows.map(({ details }) => details.maxCharacters),
    [100, null],
  );
});
