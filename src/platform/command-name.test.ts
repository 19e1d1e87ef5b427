// Commands are named as they can be typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asTyped } from "./command-name.ts";

test("in a clone by npm, once installed by the program's name", () => {
  const text = "Run rookery backup, then `rookery restore --check` (rookery doctor says more).";
  assert.equal(asTyped(text, true), text);
  assert.equal(
    asTyped(text, false),
    "Run npm run rookery -- backup, then `npm run rookery -- restore --check` (npm run rookery -- doctor says more).",
  );
  const typed = "npm run rookery -- doctor, in /srv/rookery: Rookery itself";
  assert.equal(asTyped(typed, false), typed);
});
