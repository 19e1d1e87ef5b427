// URLs: what is read from them without a parser is the same as what a parser finds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOf, hostIn, httpUrl, isTrue, sameHost, textOf } from "./read.ts";

const HOSTS =
  "h1.example H1.example h1.example. h1.example:443 h1.example:8080 xn--nxasmq6b.example a--b.example -a.example 1.2.3.4 1.2.3 0x1.0x2 a.0x1 a.1 localhost é.example %61.example u@h1.example a..example".split(
    " ",
  );
const PATHS = ["", "/", "/a/@b?c#d", "/%zz", "/[", "?a", "#a", "/é", "\\a", "/\\", "/\ta", ":80/"];
const addresses = ["http", "https", "HTTPS", "ftp", "mailto"].flatMap((scheme) =>
  HOSTS.flatMap((host) => PATHS.map((path) => `${scheme}://${host}${path}`)),
);

test("the host of a URL is the one that a parser finds", () => {
  for (const address of ["", "a", "//h1.example/", ...addresses]) {
    assert.equal(hostIn(address), URL.parse(address)?.host ?? null, address);
  }
});

test("http and https URLs are accepted, others and malformed ones are not", () => {
  for (const address of addresses) {
    const url = URL.parse(address);
    const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "";
    const expected = isWeb && !/[\s\\]/.test(address) ? address : null;
    assert.equal(httpUrl(address), expected, address);
  }
  assert.equal(httpUrl(`https://h1.example/${"a".repeat(2048)}`), null);
});

test("hosts are the same however they are written", () => {
  assert.ok(sameHost("https://h1.example/a", "https://H1.EXAMPLE:443"));
  assert.ok(!sameHost("https://h1.example/a", "https://h1.example:8443/a"));
  assert.ok(!sameHost("https://h1.example/a", "https://h2.example/a"));
  assert.ok(!sameHost("https://h1.example/a", null));
  assert.ok(!sameHost("nothing", "nothing"));
});

test("a value and a list of it alone are the same", () => {
  for (const value of ["warning", ["warning"], ["warning", "another"]]) {
    assert.equal(textOf(value), "warning");
  }
  for (const value of [null, 5, {}, [], [5], [["warning"]]]) assert.equal(textOf(value), null);
  assert.deepEqual(dateOf(["2026-01-02T03:04:05Z"]), new Date("2026-01-02T03:04:05Z"));
  assert.equal(dateOf([1700000000000]), null);
  for (const value of [true, "true", [true], ["true"]]) assert.ok(isTrue(value));
  for (const value of [false, "false", "yes", 1, null, undefined, [], {}]) {
    assert.ok(!isTrue(value));
  }
});
