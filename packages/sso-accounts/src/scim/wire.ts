// What SCIM requests and answers look like: refusals, lists, filters, pages (RFC 7644, 3).

import { isRecord, parseValue } from "../uses.ts";

const PREFIX = "urn:ietf:params:scim:";
export const USER_SCHEMA = `${PREFIX}schemas:core:2.0:User`;
export const GROUP_SCHEMA = `${PREFIX}schemas:core:2.0:Group`;
const LIST = `${PREFIX}api:messages:2.0:ListResponse`;

export const MAX_PAGE = 100;
const MAX_TEXT = 500;

type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "tooMany"
  | "uniqueness";

/** A refusal, in the shape of the protocol. */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, detail: string, scimType: ScimType | null = null) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalid = (detail: string): ScimError => new ScimError(400, detail, "invalidValue");

export const listBody = (resources: object[], total: number, startIndex: number) => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

export type Json = Record<string, unknown>;

export const recordIn = (value: unknown, what = "The body"): Json => {
  if (!isRecord(value)) throw new ScimError(400, `${what} must be a JSON object.`, "invalidSyntax");
  return value as Json;
};

/** An escaped NUL, which no text can be stored with: without it a name may be that of somebody else. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

const parsed = (text: string): unknown => {
  if (NUL.test(text)) throw invalid("No text may contain a null character.");
  return parseValue(text);
};

/** Reads a body, which is a text where there is one. */
export const bodyIn = (body: unknown): Json =>
  recordIn(typeof body === "string" ? parsed(body) : body);

/** Returns the text of an attribute; null where there is none. */
export const textIn = (value: unknown, name: string): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string" || value.length > MAX_TEXT)
    throw invalid(`${name} must be a text of up to ${MAX_TEXT} characters.`);
  return value;
};

/** Returns the values of an attribute that has several; none where it is missing. */
export const listIn = (value: unknown, name: string): unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`${name} must be a list.`);
  return value;
};

export const requiredIn = (value: unknown, name: string): string => {
  const text = textIn(value, name);
  if (text === null || text.trim() === "") throw invalid(`${name} is required.`);
  return text;
};

/** Entra sends "True" and "False". */
export const flagIn = (value: unknown, name: string): boolean => {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text !== "true" && text !== "false") throw invalid(`${name} must be true or false.`);
  return text === "true";
};

export type Filter = { attribute: string; value: string };

const FILTER = /^\s*(?:urn:[\w:.]+:)?(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** Reads `attribute eq "value"`, the one kind of filter that there is; null for none. */
export const filterIn = (text: string | undefined, allowed: readonly string[]): Filter | null => {
  if (text === undefined || text === "") return null;
  const [, name = "", quoted = ""] = text.length > 1000 ? [] : (FILTER.exec(text) ?? []);
  const attribute = allowed.find((each) => each.toLowerCase() === name.toLowerCase());
  if (attribute === undefined)
    throw new ScimError(400, `Filter by ${allowed.join(", ")} with eq.`, "invalidFilter");
  const value = parsed(quoted);
  if (typeof value !== "string")
    throw new ScimError(400, "The filter's value is no JSON text.", "invalidFilter");
  return { attribute, value };
};

const countIn = (text: string | undefined, usual: number): number => {
  const count = Number(text ?? usual);
  return Number.isInteger(count) && Math.abs(count) < 1e9 ? count : usual;
};

export type Page = { startIndex: number; count: number };

export const pageIn = ({ startIndex, count }: Partial<Record<string, string>>): Page => ({
  startIndex: Math.max(1, countIn(startIndex, 1)),
  count: Math.min(MAX_PAGE, Math.max(0, countIn(count, MAX_PAGE))),
});

const etagOf = (version: number): string => `W/"${version}"`;

/** Throws unless the version that the request names is the present one. */
export const checkVersion = (match: string | null, version: number): void => {
  if (match === null || match === "*" || match.split(/\s*,\s*/).includes(etagOf(version))) return;
  throw new ScimError(412, "The resource has changed since.");
};

type Stored = { id: string; version: number; created_at: Date; updated_at: Date };

export const metaOf = (
  base: string,
  resourceType: "User" | "Group",
  { id, version, created_at, updated_at }: Stored,
) => ({
  resourceType,
  created: created_at.toISOString(),
  lastModified: updated_at.toISOString(),
  location: `${base}/${resourceType}s/${id}`,
  version: etagOf(version),
});
