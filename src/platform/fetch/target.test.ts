// What is refused by the text of a URL alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressPolicy } from "./addresses.ts";
import { FetchRefused, type RefusalReason } from "./errors.ts";
import { parseTarget } from "./target.ts";

const rules = { policy: addressPolicy([]), allowHttp: false };
const loose = { policy: addressPolicy(["127.0.0.0/8", "::1"]), allowHttp: true };

const REFUSED: [string, RefusalReason][] = [
  ["ftp://example.com/", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["data:text/plain,x", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["http://example.com/", "scheme"],
  ["https://user@example.com/", "credentials"],
  ["https://user:secret@example.com/", "credentials"],
  ["https://@example.com/", "credentials"],
  ["https://127.0.0.1/", "address"],
  ["https://[::1]/", "address"],
  ["https://[::ffff:127.0.0.1]/", "address"],
  ["https://[64:ff9b::7f00:1]/", "address"],
  ["https://169.254.169.254/latest/meta-data", "address"],
  ["https://example.com.:443/", "host"],
  ["https://ex%61mple.com/", "host"],
  ["https://example.com\\@127.0.0.1/", "credentials"],
  ["https://example.com\\.evil.example/", "host"],
  ["/relative", "url"],
  ["//example.com/", "url"],
  ["https:example.com", "url"],
  ["https:/example.com", "url"],
  [" https://example.com/", "url"],
  ["https://exa\tmple.com/", "url"],
  ["https://", "url"],
  ["", "url"],
  [`https://example.com/${"a".repeat(5000)}`, "url"],
];

/** URL parses all of them as 127.0.0.1: the text is refused even where that address is listed. */
const DISGUISED = [
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "127.1",
  "127.0.0.1.",
  "１２７.0.0.1",
  "127。0。0。1",
  "%31%32%37.0.0.1",
];

for (const [address, reason] of REFUSED) {
  test(`refused (${reason}): ${address.slice(0, 60)}`, () => {
    assert.throws(
      () => parseTarget(address, rules),
      (error) => error instanceof FetchRefused && error.reason === reason,
    );
  });
}

for (const host of DISGUISED) {
  test(`refused: the host ${host}`, () => {
    assert.throws(
      () => parseTarget(`http://${host}/`, loose),
      (error) => error instanceof FetchRefused && error.reason === "host",
    );
  });
}

test("usual addresses pass, in their normal form and without fragment", () => {
  const pass = (address: string, with_ = rules) => parseTarget(address, with_).href;
  assert.equal(pass("https://Example.COM:443/a?b=c#d"), "https://example.com/a?b=c");
  assert.equal(pass("https://bücher.example/x"), "https://xn--bcher-kva.example/x");
  assert.equal(pass("https://8.8.8.8/"), "https://8.8.8.8/");
  assert.equal(pass("https://under_score.example:8443/"), "https://under_score.example:8443/");
  assert.equal(pass("http://127.0.0.1:3000/", loose), "http://127.0.0.1:3000/");
  assert.equal(pass("http://[::1]:3000/", loose), "http://[::1]:3000/");
  assert.equal(pass("http://example.com/", loose), "http://example.com/");
});

test("plain http reaches only listed literals where http is not the rule", () => {
  const mixed = { policy: addressPolicy(["10.0.0.0/8"]), allowHttp: false };
  assert.equal(parseTarget("http://10.1.1.1/", mixed).href, "http://10.1.1.1/");
  assert.throws(() => parseTarget("http://8.8.8.8/", mixed), { reason: "scheme" });
});

test("a Location is read against its base, and checked like a first address", () => {
  const base = new URL("https://example.com/a/b");
  assert.equal(parseTarget("../c", rules, base).href, "https://example.com/c");
  assert.equal(parseTarget("//other.example/d", rules, base).href, "https://other.example/d");
  for (const location of ["\\\\127.1/", "/\\127.1/", "/\t/127.1/", "//127.1/", "//a@b.example/"]) {
    assert.throws(() => parseTarget(location, loose, base), FetchRefused, location);
  }
});
