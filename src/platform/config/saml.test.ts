// What is refused at the start of the variables of SAML, in one sentence each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newSamlKey } from "../../../test/saml-server.ts";
import type { Env } from "./parse.ts";
import { readSaml } from "./saml.ts";

const ORIGIN = "https://rookery.example";
const { certificate, privateKey } = newSamlKey();
const RIGHT = {
  SAML_ENABLED: "true",
  SAML_IDP_ENTITY_ID: "https://login.city.example/realm",
  SAML_IDP_SSO_TARGET_URL: "https://login.city.example/sso",
  SAML_IDP_CERT: certificate,
};

const read = (changes: Env = {}) => readSaml({ ...RIGHT, ...changes }, ORIGIN);

const refused = (changes: Env, sentence: RegExp): void => {
  assert.throws(() => read(changes), { message: sentence });
};

test("a provider is known by its entityID, its address and its certificate, however PEM is written", () => {
  assert.equal(readSaml({}, ORIGIN), null);
  const { name, issuer, saml } = read()!;
  assert.deepEqual([name, issuer], ["login.city.example", RIGHT.SAML_IDP_ENTITY_ID]);
  assert.equal(saml.audience, `${ORIGIN}/auth/auth/saml/metadata`);
  const bare = certificate.replaceAll(/-----[^-]+-----|\s/g, "");
  for (const pem of [certificate.replaceAll("\n", String.raw`\n`), bare, certificate.repeat(2)]) {
    const place = read({ SAML_IDP_CERT: pem })!.saml.provider;
    assert.ok("certificates" in place && place.certificates.every((each) => each === certificate));
  }
  const url = "https://login.city.example/metadata";
  const byMetadata = { SAML_IDP_METADATA: url, SAML_IDP_CERT: "", SAML_IDP_SSO_TARGET_URL: "" };
  assert.deepEqual(read(byMetadata)!.saml.provider, { url });
  assert.ok(read({ SAML_PRIVATE_KEY: privateKey, SAML_CERT: certificate })!.saml.key);
});

test("what is missing or cannot be read is named", () => {
  refused({ SAML_IDP_ENTITY_ID: "" }, /^Set SAML_IDP_ENTITY_ID/);
  refused({ SAML_IDP_CERT: "" }, /^Set SAML_IDP_METADATA/);
  refused({ SAML_IDP_CERT: "nonsense" }, /SAML_IDP_CERT must be a certificate/);
  refused({ SAML_IDP_SSO_TARGET_URL: "javascript:1" }, /an address/);
  refused({ SAML_IDP_METADATA: "/nowhere" }, /SAML_IDP_METADATA/);
  refused({ SAML_ACS_URL: `${ORIGIN}/elsewhere` }, /SAML_ACS_URL must be/);
  refused({ SAML_PRIVATE_KEY: privateKey }, /SAML_CERT/);
  refused({ SAML_PRIVATE_KEY: certificate, SAML_CERT: certificate }, /SAML_PRIVATE_KEY must be/);
  refused({ SAML_ROLES: "Moderator" }, /SAML_ROLES must have/);
});

test("what would mean somebody else later is no person", () => {
  const format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
  refused({ SAML_NAME_IDENTIFIER_FORMAT: format }, /SAML_UID_ATTRIBUTE must name/);
  refused({ SAML_UID_ATTRIBUTE: "mail" }, /must not be an address/);
  assert.ok(read({ SAML_NAME_IDENTIFIER_FORMAT: format, SAML_UID_ATTRIBUTE: "employeeNumber" }));
});
