// The directory over real connections, with Debian's slapd.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BASE, READER, startSlapd, withoutSlapd } from "../../../test/slapd.ts";
import type { Slapd } from "../../../test/slapd.ts";
import { SsoError, ldap } from "./index.ts";
import type { Directory, LdapSettings, SsoFault } from "./index.ts";

const options = { skip: withoutSlapd };
let city: Slapd;
const admit = async (): Promise<boolean> => true;

before(async () => {
  if (withoutSlapd) return;
  city = await startSlapd();
  await city.addPerson("ada", { cn: "Ada Lovelace" });
  await city.addPerson("bo.b-2");
  await city.addGroup("posters", "ada");
});
after(() => city?.close());

const directory = (changes: Partial<LdapSettings> = {}): Directory =>
  ldap({
    issuer: `ldap:///${BASE}`,
    host: "localhost",
    port: city.tlsPort,
    security: "simple_tls",
    checksCertificate: true,
    authorities: city.certificate,
    base: BASE,
    reader: READER,
    filter: "(|(%{uid}=%{email})(%{mail}=%{email}))",
    names: { subject: null, username: "uid", email: "mail", name: "cn" },
    conversion: { is: false, search: ".,- ", replace: "_" },
    groupBase: null,
    assumesVerified: true,
    ...changes,
  });

const fails = (work: Promise<unknown>, fault: SsoFault) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof SsoError, String(error));
    assert.equal(error.fault, fault, error.message);
    assert.doesNotMatch(error.message, /secret|password/);
    return true;
  });

const METHODS = [
  ["LDAPS", () => ({})],
  ["STARTTLS", () => ({ security: "start_tls", port: city.port })],
  ["an address in place of a name", () => ({ host: "127.0.0.1" })],
  [
    "STARTTLS and an address",
    () => ({ security: "start_tls", port: city.port, host: "127.0.0.1" }),
  ],
  ["no TLS", () => ({ security: "plain", port: city.port })],
  ["a certificate that is not looked at", () => ({ authorities: null, checksCertificate: false })],
] as const;

for (const [name, changes] of METHODS) {
  test(`somebody is known by name or address, with ${name}`, options, async () => {
    const at = directory(changes());
    await at.examine();
    const found = await at.check("ada", "ada's password", admit);
    const { subject, ...identity } = found!.identity;
    assert.match(subject, /^[\da-f]{8}-[\da-f-]{27}$/);
    assert.deepEqual(identity, {
      issuer: `ldap:///${BASE}`,
      email: "ada@city.example",
      emailVerified: true,
      name: "Ada Lovelace",
      username: "ada",
      picture: null,
      groups: [`cn=posters,${BASE}`],
    });
    const again = await at.check("ADA@city.example", "ada's password", admit);
    assert.equal(again?.identity.subject, subject);
    assert.equal(await at.check("ada", "another password", admit), null);
    assert.equal(await at.check("nobody", "ada's password", admit), null);
    assert.deepEqual((await at.refresh(subject)).identity, found!.identity);
  });
}

const isOfCertificate = (error: unknown): boolean =>
  error instanceof SsoError && /certificate|altnames/i.test(error.message);

test("a certificate that nobody vouches for, or of another host, is refused", options, async () => {
  for (const security of ["simple_tls", "start_tls"] as const) {
    const port = security === "start_tls" ? city.port : city.tlsPort;
    const at = directory({ security, port, authorities: null });
    await assert.rejects(at.check("ada", "ada's password", admit), isOfCertificate);
    const elsewhere = directory({ security, port, host: "127.0.0.2" });
    await assert.rejects(elsewhere.check("ada", "ada's password", admit), isOfCertificate);
  }
});

test("an empty password is refused, although a bind with it succeeds", options, async () => {
  const asked: string[] = [];
  const note = async (subject: string) => asked.push(subject) > 0;
  assert.equal(await directory().check("ada", "", note), null);
  assert.deepEqual(asked, []);
});

test("nothing that is entered becomes a part of the filter", options, async () => {
  const names = ["*", "a*", "ada)(uid=*", "ada)(|(uid=*", "*)(mail=*", "ada\0", "(", ")", "\\2a"];
  const asked: string[] = [];
  const note = async (subject: string) => asked.push(subject) > 0;
  for (const name of names)
    assert.equal(await directory().check(name, "ada's password", note), null, name);
  assert.deepEqual(asked, []);
  const at = directory({ conversion: { is: true, search: ".,- ", replace: "_" } });
  const found = await at.check("bo.b-2", "bo.b-2's password", admit);
  assert.equal(found?.identity.username, "bo_b_2");
});

test("a name with signs of DNs and filters is somebody's own", options, async () => {
  await city.addPerson("odd", { mail: "o(d)d*@city.example" });
  const found = await directory().check("o(d)d*@city.example", "odd's password", admit);
  assert.equal(found?.identity.username, "odd");
});

test("two entries that fit are nobody's", options, async () => {
  await city.addPerson("twin", { mail: "ada@city.example" });
  assert.equal(await directory().check("ada@city.example", "ada's password", admit), null);
  await city.removePerson("twin");
});

test("the password is not tried where it was guessed too often", options, async () => {
  const refuse = async (): Promise<boolean> => false;
  assert.equal(await directory().check("ada", "ada's password", refuse), null);
});

test("groups are found by their members where entries do not say them", options, async () => {
  const at = directory({ groupBase: BASE });
  const found = await at.check("ada", "ada's password", admit);
  assert.deepEqual(found?.identity.groups, [`cn=posters,${BASE}`]);
});

test(
  "who is renamed stays, who is gone or not found by the filter has ended",
  options,
  async () => {
    await city.addPerson("cleo");
    const { subject } = (await directory().check("cleo", "cleo's password", admit))!.identity;
    await city.rename("cleo", "cleopatra");
    const renamed = await directory().refresh(subject);
    assert.deepEqual([renamed.identity.subject, renamed.identity.username], [subject, "cleopatra"]);
    const filter = "(&(!(title=left))(|(%{uid}=%{email})(%{mail}=%{email})))";
    await city.replace("cleopatra", { title: "left" });
    await fails(directory({ filter }).refresh(subject), "ended");
    await city.removePerson("cleopatra");
    await fails(directory().refresh(subject), "ended");
  },
);

test("a wrong reader or base is a fault, not a wrong password", options, async () => {
  const reader = { ...READER, password: "wrong" };
  await fails(directory({ reader }).check("ada", "ada's password", admit), "invalid");
  await fails(directory({ base: `ou=none,${BASE}` }).examine(), "invalid");
  await fails(directory({ port: 1 }).examine(), "unreachable");
});

test("more than twenty at a time are refused, and none stays", options, async () => {
  const at = directory();
  const all = Array.from({ length: 21 }, () => at.check("ada", "ada's password", admit));
  const ends = await Promise.allSettled(all);
  assert.equal(ends.filter(({ status }) => status === "rejected").length, 1);
  assert.ok(await at.check("ada", "ada's password", admit));
});
