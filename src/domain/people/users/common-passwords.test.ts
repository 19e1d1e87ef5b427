// Passwords that are guessed first are refused wherever one is set.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { InvalidFields } from "../../../platform/errors.ts";
import { changePassword, resetPassword } from "./change-password.ts";
import { hasName, isCommon } from "./passwords.ts";

let server: TestApp;
before(async () => {
  server = await startTestApp();
});
after(() => server.close());

test("the list has ten thousand passwords in order, each long enough to be allowed otherwise", async () => {
  const file = new URL("../../../../assets/common-passwords.txt", import.meta.url);
  const lines = readFileSync(file, "latin1").trimEnd().split("\n");
  const passwords = lines.filter((line) => !line.startsWith("#"));
  assert.equal(passwords.length, 10_000);
  assert.ok(
    passwords.every((line) => /^[\x21-\x7e]{8,}$/.test(line) && line === line.toLowerCase()),
  );
  assert.equal(new Set(passwords).size, 10_000);
  for (const line of [passwords[0], passwords[5_000], passwords.at(-1)]) {
    assert.ok(await isCommon(line!));
    assert.ok(await isCommon(line!.toUpperCase()));
  }
  for (const other of ["", "correct horse", "password\n", "#", passwords[0]!.slice(1), lines[0]!]) {
    assert.equal(await isCommon(other), false, other);
  }
});

test("a name counts wherever it stands, if it has three letters or more", () => {
  assert.ok(hasName("xXAliceXx", "alice"));
  assert.ok(hasName("bob is here", "BOB"));
  assert.equal(hasName("always good", "al"), false);
  assert.equal(hasName("correct horse", ""), false);
});

test("neither a change nor a reset takes one", async () => {
  const { userId } = await server.person("magnolia");
  for (const [password, code] of [
    ["iloveyou", "ERR_BLOCKED"],
    ["my magnolia tree", "ERR_INVALID"],
  ] as const) {
    await assert.rejects(changePassword(server.app, userId, password), (error: unknown) => {
      assert.ok(error instanceof InvalidFields);
      assert.deepEqual(
        error.faults.map((fault) => [fault.field, fault.code]),
        [["password", code]],
      );
      return true;
    });
  }
  await assert.rejects(resetPassword(server.app, "no token", "iloveyou"), InvalidFields);
  await changePassword(server.app, userId, "correct horse 2");
});
