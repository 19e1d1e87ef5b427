// Commands are named as they can be typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asTyped } from "./command-name.ts";

test("in a clone by npm, unpacked by its path, once installed by the program's name", () => {
  const text = "Run rookery backup, then `rookery restore --check` (rookery doctor says more).";
  assert.equal(asTyped(text, "rookery"), text);
  assert.equal(
    asTyped(text, "npm run rookery --"),
    "Run npm run rookery -- backup, then `npm run rookery -- restore --check` (npm run rookery -- doctor says more).",
  );
  assert.equal(asTyped("Run `rookery setup`", "/opt/bin/rookery"), "Run `/opt/bin/rookery setup`");
  const typed = "npm run rookery -- doctor, in /srv/rookery: Rookery itself";
  assert.equal(asTyped(typed, "npm run rookery --"), typed);
});
