import assert from "node:assert/strict";
import { test } from "node:test";
import { addressReader, believable } from "./incoming.ts";

test("addresses are believed up to the first entry that is none", () => {
  const cases: [string, string | null][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, 203.0.113.9", "198.51.100.1, 203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["anything, 203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, anything, 203.0.113.9", "203.0.113.9"],
    ["203.0.113.9, anything", null],
    ["x".repeat(10_000), null],
    ["", null],
    ["unknown", null],
  ];
  for (const [header, expected] of cases) assert.equal(believable(header), expected, header);
});

test("the address is what the nearest trusted proxies name, as for other requests", () => {
  const read = addressReader(["127.0.0.1/8", "::1/128", "10.1.2.3"]);
  const from = (remoteAddress: string, header?: string) =>
    read({
      headers: header === undefined ? {} : { "x-forwarded-for": header },
      socket: { remoteAddress },
    } as never);
  assert.equal(from("127.0.0.1", "203.0.113.7"), "203.0.113.7");
  assert.equal(from("127.0.0.1", "198.51.100.1, 203.0.113.7"), "203.0.113.7");
  assert.equal(from("127.0.0.1", "203.0.113.7, 10.1.2.3"), "203.0.113.7");
  assert.equal(from("::1", "2001:db8::7"), "2001:db8::7");
  assert.equal(from("127.0.0.1"), "127.0.0.1");
  assert.equal(from("127.0.0.1", "nonsense"), "127.0.0.1");
  // Nobody else may name an address.
  assert.equal(from("192.0.2.9", "203.0.113.7"), "192.0.2.9");
});
