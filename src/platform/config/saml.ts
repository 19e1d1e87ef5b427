// Reads the provider of SAML 2.0 that people sign in by, in Mastodon's variables where it has them.
// https://docs.joinmastodon.org/admin/config/#saml

import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "../errors.ts";
import { boolean, integer, listed, optional, roleIn, text } from "./parse.ts";
import type { Env } from "./parse.ts";

const PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
const PASSING = /:(?:transient|emailAddress)$/;
const PEM = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/g;

/** Reads PEM as .env files have it: with line breaks, with \n in their place, or without any of its frame. */
const bodiesIn = (value: string): string[] => {
  const pem = value.replaceAll(String.raw`\n`, "\n");
  const bodies = [...pem.matchAll(PEM)].map(([, , body]) => body!);
  return (bodies.length > 0 ? bodies : [pem]).map((body) => body.replaceAll(/\s/g, ""));
};

const certificates = (env: Env, name: string): string[] => {
  const value = optional(env, name);
  try {
    return bodiesIn(value ?? "")
      .filter((body) => body !== "")
      .map((body) => new X509Certificate(Buffer.from(body, "base64")).toString());
  } catch {
    throw new ConfigError(`${name} must be a certificate, as PEM.`);
  }
};

const privateKey = (env: Env): string | null => {
  const value = optional(env, "SAML_PRIVATE_KEY");
  if (value === null) return null;
  const der = Buffer.from(bodiesIn(value)[0]!, "base64");
  for (const type of ["pkcs8", "pkcs1"] as const) {
    try {
      const key = createPrivateKey({ key: der, format: "der", type });
      return key.export({ format: "pem", type: "pkcs8" }).toString();
    } catch {
      // It may be of the other type.
    }
  }
  throw new ConfigError("SAML_PRIVATE_KEY must be a private key, as PEM without a passphrase.");
};

const readKey = (env: Env) => {
  const key = privateKey(env);
  const [certificate] = certificates(env, "SAML_CERT");
  if (key === null) return null;
  if (!certificate)
    throw new ConfigError("Set SAML_CERT too, the certificate of SAML_PRIVATE_KEY.");
  return { privateKey: key, certificate };
};

const isAddress = (value: string): boolean => /^https?:/.test(value) && URL.canParse(value);

const readMetadata = (env: Env): { url: string } | { metadata: string } | null => {
  const place = optional(env, "SAML_IDP_METADATA");
  if (place === null) return null;
  if (isAddress(place)) return { url: place };
  try {
    return { metadata: readFileSync(place, "utf8") };
  } catch {
    throw new ConfigError(`SAML_IDP_METADATA must be an address or a file that can be read.`);
  }
};

const readPlace = (env: Env) => {
  const metadata = readMetadata(env);
  const signIn = optional(env, "SAML_IDP_SSO_TARGET_URL");
  const [pems, isOn] = [certificates(env, "SAML_IDP_CERT"), boolean(env, "SAML_ENABLED", false)];
  if (metadata !== null || !isOn) return metadata;
  if (signIn === null || !isAddress(signIn) || pems.length === 0)
    throw new ConfigError(
      "Set SAML_IDP_METADATA, or SAML_IDP_SSO_TARGET_URL (an address) and SAML_IDP_CERT.",
    );
  return { signIn, certificates: pems };
};

const readNames = (env: Env) => {
  const names = (name: string, ...usual: string[]): string[] => {
    const named = optional(env, name);
    return named === null ? usual : [named];
  };
  const of = "SAML_ATTRIBUTES_STATEMENTS";
  const oid = "urn:oid:0.9.2342.19200300.100.1";
  return {
    subject: optional(env, "SAML_UID_ATTRIBUTE"),
    username: names(`${of}_UID`, "uid", `${oid}.1`),
    email: names(`${of}_EMAIL`, "email", "mail", `${oid}.3`),
    name: names(`${of}_FULL_NAME`, "displayName", "urn:oid:2.16.840.1.113730.3.1.241", "name"),
    first: names(`${of}_FIRST_NAME`, "givenName", "urn:oid:2.5.4.42"),
    last: names(`${of}_LAST_NAME`, "sn", "urn:oid:2.5.4.4"),
    verified: names(`${of}_VERIFIED`),
    verifiedEmail: names(`${of}_VERIFIED_EMAIL`),
    groups: names("SAML_GROUPS_ATTRIBUTE", "groups"),
  };
};

const readRules = (env: Env) => ({
  groups: listed(env, "SAML_GROUPS"),
  roles: listed(env, "SAML_ROLES").map((line) => roleIn("SAML_ROLES", line)),
  linksByEmail: boolean(env, "ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH", false),
  assumesVerified: boolean(env, "SAML_SECURITY_ASSUME_EMAIL_IS_VERIFIED", false),
  // Whoever can write the environment may reach whatever the machine does.
  isInside: true,
  signsUp: true,
  isStrong: false,
});

/** A person is somebody for ever: neither an address nor what is another at each sign-in. */
const checkSubject = (format: string, { subject, email }: ReturnType<typeof readNames>): void => {
  if (subject === null && PASSING.test(format))
    throw new ConfigError(
      "With this SAML_NAME_IDENTIFIER_FORMAT, SAML_UID_ATTRIBUTE must name an attribute that never changes.",
    );
  if (subject !== null && email.includes(subject))
    throw new ConfigError("SAML_UID_ATTRIBUTE must not be an address: they are given to others.");
};

export const readSaml = (env: Env, origin: string) => {
  const [callback, issuer] = [
    `${origin}/auth/auth/saml/callback`,
    optional(env, "SAML_IDP_ENTITY_ID"),
  ];
  const [names, provider, rules] = [readNames(env), readPlace(env), readRules(env)];
  const acs = text(env, "SAML_ACS_URL", callback);
  const format = text(env, "SAML_NAME_IDENTIFIER_FORMAT", PERSISTENT);
  const saml = {
    audience: text(env, "SAML_ISSUER", `${origin}/auth/auth/saml/metadata`),
    format,
    names,
    wantsAssertionSigned: boolean(env, "SAML_SECURITY_WANT_ASSERTION_SIGNED", true),
    drift: integer(env, "SAML_ALLOWED_CLOCK_DRIFT", 30, 0, 300),
    key: readKey(env),
  };
  const name = text(env, "SAML_DISPLAY_NAME", URL.parse(issuer ?? "")?.host || "SAML");
  if (provider === null || !boolean(env, "SAML_ENABLED", false)) return null;
  if (issuer === null)
    throw new ConfigError("Set SAML_IDP_ENTITY_ID too, the entityID of the provider’s metadata.");
  if (acs !== callback)
    throw new ConfigError(`SAML_ACS_URL must be ${callback}, which the provider has to know.`);
  checkSubject(format, names);
  return { name, issuer, settings: rules, saml: { ...saml, issuer, provider } };
};
