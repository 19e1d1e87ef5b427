// Colours of links and buttons: whatever is chosen can be read on light and dark pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ENOUGH,
  accentStyle,
  contrast,
  contrastOnLight,
  darkened,
  isColour,
  onDark,
} from "./colours.ts";

test("the contrast of two colours is that of WCAG, whichever comes first", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#ffffff", "#000000"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#767676", "#ffffff").toFixed(2), "4.54");
});

test("only six digits after a hash are a colour", () => {
  assert.ok(isColour("#5B3fc4"));
  for (const text of ["5b3fc4", "#fff", "red", "#12345g", "#5b3fc4; }", ""])
    assert.ok(!isColour(text));
});

test("any colour has a darker one that is read on light pages, and one for dark pages", () => {
  for (const hex of ["#ffff00", "#ffffff", "#ff8800", "#00ff00", "#000000", "#5b3fc4"]) {
    assert.ok(contrastOnLight(darkened(hex)) >= ENOUGH, hex);
    assert.ok(contrast(onDark(hex), "#1d1a27") >= ENOUGH, hex);
    assert.ok(contrast(onDark(hex), "#14121b") >= ENOUGH, hex);
  }
  assert.equal(darkened("#5b3fc4"), "#5b3fc4");
  assert.match(accentStyle("#0a5c36"), /--accent: light-dark\(#0a5c36, #/);
});
