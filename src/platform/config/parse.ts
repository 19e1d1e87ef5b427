// Parsers of single values. Each fails with one sentence that names the variable and says what it must be.

import ipaddr from "ipaddr.js";
import { ConfigError } from "../errors.ts";
import { normaliseLanguage } from "../text/language.ts";
import { says } from "../text/texts.ts";

export type Env = Record<string, string | undefined>;

export const text = (env: Env, name: string, fallback: string): string => {
  const value = env[name]?.trim();
  return value ? value : fallback;
};

export const optional = (env: Env, name: string): string | null => text(env, name, "") || null;

export const integer = (env: Env, name: string, fallback: number, min: number, max: number) => {
  const value = optional(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    const range = { min: String(min), max: String(max) };
    throw new ConfigError(says("reason.config.number", { name, value, ...range }));
  }
  return number;
};

export const boolean = (env: Env, name: string, fallback: boolean): boolean => {
  const value = optional(env, name)?.toLowerCase();
  if (value === undefined) return fallback;
  if (["true", "1", "yes", "on"].includes(value)) return true;
  if (["false", "0", "no", "off"].includes(value)) return false;
  throw new ConfigError(`${name} must be true or false, not "${value}".`);
};

export const oneOf = <const T extends string>(
  env: Env,
  name: string,
  words: readonly T[],
  fallback: T,
): T => {
  const value = optional(env, name);
  if (value === null) return fallback;
  const known = words.find((word) => word === value);
  if (!known)
    throw new ConfigError(says("reason.config.word", { name, value, words: words.join(", ") }));
  return known;
};

/** Parses a language tag into the code by which the language is stored. */
export const language = (env: Env, name: string, fallback: string): string => {
  const value = text(env, name, fallback);
  const code = normaliseLanguage(value);
  if (code === null)
    throw new ConfigError(
      `${name} must be the code of a language, such as en or pt-BR, not "${value}".`,
    );
  return code;
};

/** Whether a value is an IP address. ipaddr.js would also accept `1` and `0x7f.1`, which are typing errors. */
const isAddress = (value: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);

/** Parses comma-separated CIDRs or addresses. */
export const addresses = (env: Env, name: string, fallback: string[]): string[] => {
  const value = optional(env, name);
  if (value === null) return fallback;
  const items = value.split(/[\s,]+/).filter(Boolean);
  for (const item of items) {
    if (!isAddress(item.split("/", 1)[0]!) || (item.includes("/") && !ipaddr.isValidCIDR(item))) {
      throw new ConfigError(
        `${name} must be a list of IP addresses or CIDRs, separated by commas; "${item}" is neither.`,
      );
    }
  }
  return items;
};

const LABEL = String.raw`[\da-z](?:[\w-]*[\da-z])?`;
/**
 * Matches labels with dots between them, also with the root's dot at the end, or an IPv6 address in brackets; and an
 * optional port.
 */
const HOST = new RegExp(String.raw`^(?:${LABEL}(?:\.${LABEL})*\.?|\[[\da-f:.]+\])(?::\d+)?$`);

/** Parses a host name with an optional port, in lower case and ASCII (punycode). */
export const domain = (env: Env, name: string, fallback: string): string => {
  const value = text(env, name, fallback);
  const host = /[/\\@\s?#]/.test(value) ? null : URL.parse(`http://${value}`)?.host;
  if (!host || !HOST.test(host))
    throw new ConfigError(says("reason.config.domain", { name, value }));
  return host;
};

/** Reads a list whose items may have commas of their own. */
export const listed = (env: Env, name: string): string[] =>
  text(env, name, "")
    .split(/[;\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Reads which role a group gives: `group=role`, where names of groups may have the sign, too. Either may be empty. */
export const readGroupRole = (line: string) => {
  const at = line.lastIndexOf("=");
  return { group: line.slice(0, Math.max(at, 0)).trim(), role: line.slice(at + 1).trim() };
};

export const roleIn = (name: string, line: string) => {
  const { group, role } = readGroupRole(line);
  if (group === "" || role === "")
    throw new ConfigError(`${name} must have groups and roles: GROUP=role; GROUP=role.`);
  return { group, role };
};
