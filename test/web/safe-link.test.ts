// Which links the server's own pages draw.

import assert from "node:assert/strict";
import { test } from "node:test";
import { safeLink } from "../../web/src/served/safe-link.ts";

test("links open pages, mails and apps for codes", () => {
  for (const link of [
    "/settings",
    "?max_id=7",
    "#edit",
    "https://there.example/@alice",
    "http://127.0.0.1:3000/@alice",
    "mailto:staff@here.example",
    "otpauth://totp/here:alice?secret=A",
  ])
    assert.equal(safeLink(link), link);
});

test("links run nothing, however they are written", () => {
  for (const link of [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://here.example/x",
    "file:///etc/passwd",
    "https://[",
  ])
    assert.equal(safeLink(link), "#", link);
});
