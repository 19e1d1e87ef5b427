// What is refused at the start of the directory's variables, in one sentence each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dnOf } from "./dn.ts";
import { readLdap } from "./ldap.ts";
import type { Env } from "./parse.ts";

const RIGHT = {
  LDAP_ENABLED: "true",
  LDAP_HOST: "ldap.city.example",
  LDAP_BASE: "DC=city, DC=example",
};

const refused = (changes: Env, sentence: RegExp): void => {
  assert.throws(() => readLdap({ ...RIGHT, ...changes }), { message: sentence });
};

test("a directory needs a host and a base, by which its people are known", () => {
  assert.equal(readLdap({}), null);
  const { issuer, ldap } = readLdap(RIGHT)!;
  assert.deepEqual([issuer, ldap.port], ["ldap:///dc=city,dc=example", 636]);
  assert.equal(readLdap({ ...RIGHT, LDAP_METHOD: "start_tls" })!.ldap.port, 389);
  refused({ LDAP_HOST: "" }, /^Set LDAP_HOST/);
  refused({ LDAP_BASE: "" }, /^Set LDAP_BASE/);
});

test("passwords are sent in the clear to the same machine alone, unless that is said", () => {
  refused({ LDAP_METHOD: "plain" }, /in the clear/);
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.ok(readLdap({ ...RIGHT, LDAP_METHOD: "plain", LDAP_HOST: host }));
  assert.ok(readLdap({ ...RIGHT, LDAP_METHOD: "plain", LDAP_ALLOW_PLAIN: "true" }));
});

test("what cannot work, or would mean somebody else later, is refused", () => {
  refused({ LDAP_BIND_DN: "cn=reader" }, /LDAP_PASSWORD/);
  refused({ LDAP_PASSWORD: "x" }, /LDAP_BIND_DN/);
  for (const LDAP_SUBJECT of ["mail", "DN", "cn", "entryDN"])
    refused({ LDAP_SUBJECT }, /never changes/);
  refused({ LDAP_UID: "uid=*)(" }, /LDAP_UID must be the name/);
  refused({ LDAP_SEARCH_FILTER: "(uid=ada)" }, /must have %\{email\}/);
  refused({ LDAP_SEARCH_FILTER: "(&(uid=%{email})" }, /close every one/);
  refused({ LDAP_ROLES: "Moderator" }, /GROUP=role/);
  refused({ LDAP_ROLES: "staff=Moderator" }, /DN=role/);
  refused({ LDAP_TLS_CA_FILE: "/nowhere" }, /can't be read/);
  refused({ LDAP_METHOD: "tls" }, /LDAP_METHOD/);
});

test("DNs are compared whatever their case and spaces", () => {
  assert.equal(dnOf(" CN = Staff , DC=City"), "cn=staff,dc=city");
});
