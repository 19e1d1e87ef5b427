// Reads the directory whose passwords people sign in with, in Mastodon's variables.
// https://docs.joinmastodon.org/admin/config/#ldap

import { readFileSync } from "node:fs";
import { ConfigError } from "../errors.ts";
import { dnOf } from "./dn.ts";
import { boolean, integer, listed, oneOf, optional, roleIn, text } from "./parse.ts";
import type { Env } from "./parse.ts";

const METHODS = ["simple_tls", "start_tls", "plain"] as const;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/;
const ATTRIBUTE = /^[A-Za-z][\w.;-]*$/;

const attribute = (env: Env, name: string, fallback: string): string => {
  const value = text(env, name, fallback);
  if (!ATTRIBUTE.test(value)) throw new ConfigError(`${name} must be the name of an attribute.`);
  return value;
};

const readSubject = (env: Env, changing: string[]): string | null => {
  if (!optional(env, "LDAP_SUBJECT")) return null;
  const subject = attribute(env, "LDAP_SUBJECT", "");
  if (["dn", "entrydn", "distinguishedname", ...changing].includes(subject.toLowerCase()))
    throw new ConfigError(
      "LDAP_SUBJECT must be an attribute that never changes and is given to nobody else, such as entryUUID.",
    );
  return subject;
};

const readFilter = (env: Env): string => {
  const filter = text(env, "LDAP_SEARCH_FILTER", "(|(%{uid}=%{email})(%{mail}=%{email}))");
  if (!/%\{email\}|%<email>s/.test(filter))
    throw new ConfigError("LDAP_SEARCH_FILTER must have %{email}, for the name that is entered.");
  const depths = [...filter].map((sign) => (sign === "(" ? 1 : sign === ")" ? -1 : 0));
  if (!filter.startsWith("(") || depths.reduce<number>((sum, each) => sum + each, 0) !== 0)
    throw new ConfigError("LDAP_SEARCH_FILTER must begin with a bracket and close every one.");
  return filter;
};

const readReader = (env: Env) => {
  const [dn, password] = [optional(env, "LDAP_BIND_DN"), optional(env, "LDAP_PASSWORD")];
  if ((dn === null) !== (password === null))
    throw new ConfigError("Set LDAP_BIND_DN and LDAP_PASSWORD, or neither to search as anybody.");
  return dn !== null && password !== null ? { dn, password } : null;
};

const readAuthorities = (env: Env): string | null => {
  const path = optional(env, "LDAP_TLS_CA_FILE");
  try {
    return path === null ? null : readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`LDAP_TLS_CA_FILE can't be read: ${path}`);
  }
};

const readRole = (line: string) => {
  const { group, role } = roleIn("LDAP_ROLES", line);
  if (!group.includes("="))
    throw new ConfigError("LDAP_ROLES must have groups and roles: DN=role; DN=role.");
  return { group: dnOf(group), role };
};

const readConnection = (env: Env) => {
  const host = optional(env, "LDAP_HOST")?.replace(/^\[(.*)\]$/, "$1") ?? null;
  const security = oneOf(env, "LDAP_METHOD", METHODS, "simple_tls");
  const port = integer(env, "LDAP_PORT", security === "simple_tls" ? 636 : 389, 1, 65_535);
  const isPlainAllowed = boolean(env, "LDAP_ALLOW_PLAIN", false);
  const checksCertificate = !boolean(env, "LDAP_TLS_NO_VERIFY", false);
  return { host, security, port, isPlainAllowed, checksCertificate };
};

const readAttributes = (env: Env) => {
  const username = attribute(env, "LDAP_UID", "cn");
  const email = attribute(env, "LDAP_MAIL", "mail");
  const subject = readSubject(env, [username.toLowerCase(), email.toLowerCase()]);
  return { subject, username, email, name: attribute(env, "LDAP_DISPLAY_NAME_ATTRIBUTE", "cn") };
};

const readConversion = (env: Env) => ({
  is: boolean(env, "LDAP_UID_CONVERSION_ENABLED", false),
  search: text(env, "LDAP_UID_CONVERSION_SEARCH", ".,- "),
  replace: text(env, "LDAP_UID_CONVERSION_REPLACE", "_"),
});

const readRules = (env: Env) => ({
  groups: listed(env, "LDAP_GROUPS").map(dnOf),
  roles: listed(env, "LDAP_ROLES").map(readRole),
  linksByEmail: boolean(env, "ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH", false),
  signsUp: true,
  isStrong: false,
});

export const readLdap = (env: Env) => {
  const { host, isPlainAllowed, ...connection } = readConnection(env);
  const base = optional(env, "LDAP_BASE");
  const options = {
    ...connection,
    authorities: readAuthorities(env),
    reader: readReader(env),
    filter: readFilter(env),
    names: readAttributes(env),
    conversion: readConversion(env),
    groupBase: optional(env, "LDAP_GROUP_BASE"),
    assumesVerified: boolean(env, "LDAP_ASSUME_EMAIL_IS_VERIFIED", true),
  };
  const [name, rules] = [text(env, "LDAP_DISPLAY_NAME", host ?? ""), readRules(env)];
  if (!boolean(env, "LDAP_ENABLED", false)) return null;
  if (host === null) throw new ConfigError("Set LDAP_HOST too, or remove LDAP_ENABLED.");
  if (base === null) throw new ConfigError("Set LDAP_BASE too, or remove LDAP_ENABLED.");
  if (connection.security === "plain" && !LOOPBACK.test(host) && !isPlainAllowed)
    throw new ConfigError(
      "LDAP_METHOD=plain sends every password in the clear: use start_tls, or set LDAP_ALLOW_PLAIN=true.",
    );
  // The base names the directory: its hosts are replaced, and people stay who they are.
  const issuer = `ldap:///${dnOf(base)}`;
  return { name, issuer, settings: rules, ldap: { ...options, issuer, host, base } };
};
