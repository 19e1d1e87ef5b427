// Reads JSON of remote servers, where every value may be missing, of another type, single or an array.

import { instantOf } from "../time.ts";
import { MAX_COUNT, MAX_JSON_DEPTH, MAX_URL_BYTES, YEARS } from "../remote-limits.ts";

export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a missing value, a single one or an array as an array of at most `max`. */
export const listOf = (value: unknown, max = 1000): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, max) : [value];
};

/** JSON-LD does not distinguish a value from a list of only that value. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** Returns a string, or the first of several. */
export const textOf = (value: unknown): string | null => {
  const first = firstOf(value);
  return typeof first === "string" ? first : null;
};

/** Returns a number, also one written as text, or the first of several; NaN for anything else. */
export const numberOf = (value: unknown): number => {
  const first = firstOf(value);
  return typeof first === "number" || typeof first === "string" ? Number(first) : Number.NaN;
};

/** Returns a member's string, or one from its map by language. */
export const translated = (object: Json, member: string): string | null => {
  const plain = textOf(object[member]);
  if (plain !== null) return plain;
  const map = object[`${member}Map`];
  return isRecord(map)
    ? (Object.values(map).find((text) => typeof text === "string") ?? null)
    : null;
};

/** Whether a value is true, or the string "true". */
export const isTrue = (value: unknown): boolean => {
  const first = firstOf(value);
  return first === true || first === "true";
};

/** Returns the URL of a value that is a string, an object with `id`, or a list that begins with one. */
export const idOf = (value: unknown): string | null => {
  const first = firstOf(value);
  if (typeof first === "string") return first;
  return isRecord(first) ? textOf(first["id"]) : null;
};

/** Returns all URLs of a value, each read as by `idOf`. */
export const idsOf = (value: unknown, max = 1000): string[] =>
  listOf(value, max).flatMap((item) => idOf(item) ?? []);

/** Returns the types of an object, which may have several. */
export const typesOf = (value: unknown): string[] =>
  isRecord(value) ? listOf(value["type"], 10).filter((type) => typeof type === "string") : [];

/** Matches nearly all URLs: for these a URL parser would find the same host and nothing to refuse. */
const PLAIN = /^https?:\/\/((?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+)\//;

/** Returns host and port, normalised for comparison; null when the text is not a URL. */
export const hostIn = (address: string): string | null =>
  PLAIN.exec(address)?.[1] ?? URL.parse(address)?.host ?? null;

const isWebAddress = (value: string): boolean => {
  if (PLAIN.test(value)) return true;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
};

/** Whether a text is short enough for an index. */
export const isIndexable = (text: string): boolean =>
  text.length * 3 <= MAX_URL_BYTES ||
  (text.length <= MAX_URL_BYTES && Buffer.byteLength(text) <= MAX_URL_BYTES);

/** Returns the text when it is an http(s) URL without user info that fits an index, else null. */
export const httpUrl = (value: unknown): string | null => {
  if (typeof value !== "string" || !isIndexable(value) || !isWebAddress(value)) return null;
  // oxlint-disable-next-line no-control-regex
  return /[\0-\x20\x7f"<>\\]/.test(value) ? null : value;
};

/**
 * Returns a URL given as a string, as a Link object (`href`) or as several of them: the one whose media type begins
 * with `type`, else the first.
 */
export const linkOf = (value: unknown, type: string): string | null => {
  const links = listOf(value, 50).map((item) =>
    isRecord(item)
      ? { url: httpUrl(item["href"] ?? item["url"]), type: textOf(item["mediaType"]) ?? "" }
      : { url: httpUrl(item), type: "" },
  );
  const usable = links.filter((link) => link.url !== null);
  return (usable.find((link) => link.type.startsWith(type)) ?? usable[0])?.url ?? null;
};

/** Returns the `totalItems` of a collection; null where it is missing or unusable. */
export const totalOf = (collection: unknown): number | null => {
  const total = isRecord(collection) ? collection["totalItems"] : null;
  const isCount = Number.isInteger(total) && Number(total) >= 0 && Number(total) <= MAX_COUNT;
  return isCount ? Number(total) : null;
};

/** Whether both are URLs and have the same host and port. */
export const sameHost = (a: string | null, b: string | null): boolean => {
  const host = hostIn(a ?? "");
  return host !== null && host === hostIn(b ?? "");
};

/** Parses a date and time given as a string; null when it is invalid or outside the years that the database stores. */
export const dateOf = (value: unknown): Date | null => {
  const text = textOf(value);
  if (text === null || text.length > 64) return null;
  const date = instantOf(text);
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return year >= YEARS.first && year <= YEARS.last ? date : null;
};

/** Whether the brackets of a JSON text nest deeper than `max`; checked without parsing it. */
const nestsDeeper = (text: string, max: number): boolean => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
};

/** Escapes that PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

const storable = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;

/** Parses JSON to a value whose texts can be stored; null when it is no JSON or nests too deep. */
export const parseValue = (text: string, maxDepth = MAX_JSON_DEPTH): unknown => {
  if (nestsDeeper(text, maxDepth)) return null;
  try {
    return JSON.parse(text, UNSTORABLE.test(text) ? storable : undefined);
  } catch {
    return null;
  }
};

/** Like parseValue; null also when the value is not an object. */
export const parseRecord = (text: string, maxDepth = MAX_JSON_DEPTH): Json | null => {
  const value = parseValue(text, maxDepth);
  return isRecord(value) ? value : null;
};
