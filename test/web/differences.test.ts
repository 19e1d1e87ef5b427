// What the history of a post shows as changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../web/src/text/differences.ts";

const shown = (before: string, after: string): string =>
  differences(before, after)
    .map(({ kind, text }) => ({ same: text, added: `+${text}+`, removed: `-${text}-` })[kind])
    .join("");

test("words that were added, removed and kept", () => {
  assert.equal(shown("two owls sat", "two grey owls"), "two +grey +owls- sat-");
  assert.equal(shown("", "new"), "+new+");
  assert.equal(shown("old", ""), "-old-");
  assert.equal(shown("same", "same"), "same");
  assert.deepEqual(differences("", ""), []);
});

test("texts too long to compare are shown whole", () => {
  const long = "a ".repeat(2000);
  assert.deepEqual(
    differences(long, `${long}b`).map(({ kind }) => kind),
    ["removed", "added"],
  );
});
