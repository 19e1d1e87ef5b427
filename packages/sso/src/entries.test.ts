// What entries of directories other than slapd's say: Active Directory, 389 Directory Server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { identityOf, isClosed } from "./entries.ts";

const OF = {
  issuer: "ldap:///dc=city",
  names: { subject: null, username: "sAMAccountName", email: "mail", name: "cn" },
  conversion: { is: false, search: ".,- ", replace: "_" },
  assumesVerified: true,
};

test("a closed entry is recognised in each directory, a temporary lock is none", () => {
  const dn = "cn=x";
  assert.ok(isClosed({ dn, userAccountControl: "514" }));
  assert.ok(!isClosed({ dn, userAccountControl: "512" }));
  assert.ok(isClosed({ dn, nsaccountlock: "TRUE" }));
  assert.ok(isClosed({ dn, pwdAccountLockedTime: "000001010000Z" }));
  assert.ok(!isClosed({ dn, pwdAccountLockedTime: "20261130051500Z" }));
  assert.ok(!isClosed({ dn }));
});

test("an objectGUID of bytes is the person; without any such attribute nobody is", () => {
  const objectGUID = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  const entry = { dn: "cn=x", objectGUID, SAMACCOUNTNAME: "ada", memberOf: "CN=A, DC=City" };
  const identity = identityOf(OF, entry);
  assert.equal(identity?.subject, "00112233445566778899aabbccddeeff");
  assert.deepEqual([identity?.username, identity?.groups], ["ada", ["CN=A, DC=City"]]);
  assert.equal(identityOf(OF, { dn: "cn=x", mail: "ada@city.example" }), null);
});
