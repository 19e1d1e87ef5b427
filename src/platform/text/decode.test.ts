// Files as spreadsheets write them are read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "./decode.ts";

const TEXT = "Account address;Größe\nzoë@münchen.example;日本\n";

const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

test("UTF-8 and UTF-16 with a mark and without, and letters of Western Europe", () => {
  assert.equal(decodeText(Buffer.from(TEXT)), TEXT);
  assert.equal(decodeText(Buffer.from(`\ufeff${TEXT}`)), TEXT);
  assert.equal(decodeText(Buffer.from(`\ufeff${TEXT}`, "utf16le")), TEXT);
  assert.equal(decodeText(utf16be(`\ufeff${TEXT}`)), TEXT);
  assert.equal(decodeText(Buffer.from("alice@one.example\n", "utf16le")), "alice@one.example\n");
  assert.equal(decodeText(utf16be("alice@one.example\n")), "alice@one.example\n");
  assert.equal(decodeText(Buffer.from("Größe;Zoë\n", "latin1")), "Größe;Zoë\n");
  assert.equal(decodeText(Buffer.alloc(0)), "");
});
