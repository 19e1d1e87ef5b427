// Hosts have one form in addresses, and another for people.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asciiHost, shownHost } from "./hosts.ts";

test("names of hosts in ASCII, and as they are read", () => {
  for (const [written, ascii, shown] of [
    ["Example.COM", "example.com", "example.com"],
    ["münchen.example", "xn--mnchen-3ya.example", "münchen.example"],
    ["XN--MNCHEN-3YA.example:3000", "xn--mnchen-3ya.example:3000", "münchen.example:3000"],
    ["🌈🌈🌈.st", "xn--og8haa.st", "🌈🌈🌈.st"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト"],
    ["127.0.0.1:3000", "127.0.0.1:3000", "127.0.0.1:3000"],
  ] as const) {
    assert.equal(asciiHost(written), ascii);
    assert.equal(shownHost(ascii), shown);
  }
  for (const none of ["", "-a.example", "a b", "１２３", "a/b", "🌈/x", "a@b", "\u202ea.example"]) {
    assert.equal(asciiHost(none), null, none);
  }
  // What is no Punycode is shown as it is.
  assert.equal(shownHost("xn--a.example"), "xn--a.example");
});
