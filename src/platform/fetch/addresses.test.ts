// Which IP addresses the guarded client may connect to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressPolicy } from "./addresses.ts";
import { ConfigError } from "../errors.ts";

const REFUSED: [string, string[]][] = [
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]],
  ["unique local", ["fc00::1", "fd12:3456::1"]],
  ["link-local", ["169.254.169.254", "fe80::1", "fe80::1%eth0", "fec0::1"]],
  ["carrier NAT", ["100.64.0.1", "100.127.255.255"]],
  ["benchmark", ["198.18.0.1", "198.19.255.255", "2001:2::1"]],
  ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
  ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1"]],
  ["reserved", ["192.0.0.1", "192.88.99.1", "240.0.0.1", "255.255.255.255", "4000::1"]],
  ["mapped", ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1"]],
  ["compatible", ["::127.0.0.1", "::8.8.8.8"]],
  ["NAT64", ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1"]],
  ["6to4", ["2002:7f00:1::", "2002:808:808::1"]],
  ["Teredo", ["2001::1", "2001:0:4136:e378::1"]],
  ["not addresses", ["", "localhost", "0x7f.1", "2130706433", "127.1", "[::1]"]],
];

for (const [kind, addresses] of REFUSED) {
  test(`${kind} addresses are refused`, () => {
    const { allowed } = addressPolicy([]);
    for (const address of addresses) assert.equal(allowed(address), false, address);
  });
}

test("public addresses are allowed", () => {
  const { allowed, listed } = addressPolicy([]);
  const addresses = ["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"];
  for (const address of addresses) {
    assert.equal(allowed(address), true, address);
    assert.equal(listed(address), false, address);
  }
});

test("listed addresses and ranges are allowed, their neighbours are not", () => {
  const { allowed } = addressPolicy(["127.0.0.0/8", "10.1.2.3", " fd00::/16 ", "::1"]);
  for (const address of ["127.9.9.9", "10.1.2.3", "fd00:1::1", "::1"]) {
    assert.equal(allowed(address), true, address);
  }
  for (const address of ["10.1.2.4", "fd01::1", "::2", "::ffff:127.0.0.1", "192.168.0.1"]) {
    assert.equal(allowed(address), false, address);
  }
});

test("an entry that is not an address or a range stops the start", () => {
  for (const entry of [
    "",
    "intranet",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "10/8",
  ]) {
    assert.throws(() => addressPolicy([entry]), ConfigError, entry);
  }
});
