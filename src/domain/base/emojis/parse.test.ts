// Emojis of other servers, and names that files of a pack have.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shortcodeOfFile } from "./pack.ts";
import { emojisOf } from "./parse.ts";

test("shortcodes of others may have hyphens", () => {
  const icon = { url: "https://a.example/laugh.png" };
  const emojis = emojisOf([{ type: "Emoji", name: ":big-laugh:", icon }]);
  assert.deepEqual(
    emojis.map(({ shortcode }) => shortcode),
    ["big-laugh"],
  );
});

test("a name beyond ASCII is not made into another one", () => {
  assert.equal(shortcodeOfFile("blob-cat.png"), "blob_cat");
  for (const name of ["größe.png", "猫.png", "cat🎉.gif"]) {
    assert.equal(`${shortcodeOfFile(name)}${name.slice(-4)}`, name);
  }
});
