// Coerces and validates parameters by TypeBox schemas, because every value may come as text. Booleans: false, 0, f, off
// and the empty text are false, any other text is true (contract README).

import { invalidFields, notIncluded, tooLong } from "../errors.ts";
import type { FieldFault } from "../errors.ts";
import { says } from "../text/texts.ts";
import { UploadedFile } from "./uploaded-file.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  /** For a text with an `enum`: whether other words are left to the command, which refuses them in its own words. */
  "x-judged"?: boolean;
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  maxItems?: number;
  maxLength?: number;
  /** For an object: whether members without a schema are refused instead of left out. */
  additionalProperties?: boolean;
  /** For a boolean: whether a text that is neither a word for true nor one for false is refused instead of true. */
  "x-strict"?: boolean;
};

type Faults = FieldFault[];
type Scalar = string | number | boolean;

const fault = (
  faults: Faults,
  field: string,
  code: string,
  description: string,
  more: Pick<FieldFault, "count" | "said"> = {},
): undefined => {
  faults.push({ field, code, description, ...more });
  return undefined;
};

/**
 * Parameters that were given several times without brackets (`limit=1&limit=2`). They are a list where the schema
 * expects one; elsewhere the last one counts, as clients that append to an address expect.
 */
const repeated = new WeakSet<unknown[]>();

/** Returns the names in the keys of these parameters that have brackets behind them: `a` and `b` of `a[b][]=1`. */
const bracketedIn = (pairs: readonly string[]): Set<string> =>
  new Set(
    pairs.flatMap((pair) => {
      const [key] = pair.split("=", 1);
      const plain = key!.replaceAll(/%5b/gi, "[").replaceAll(/%5d/gi, "]");
      return plain.split(/\]?\[/).slice(0, -1);
    }),
  );

const isInside = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

type IsBracketed = (name: string) => boolean;

/** Of a name within brackets that was given several times, `a[0][b]=1&a[0][b]=2`, the last counts. */
const keepLast = (inside: Record<string, unknown>, isBracketed: IsBracketed): void => {
  for (const [name, value] of Object.entries(inside)) {
    if (!isInside(value)) continue;
    const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
    if (isList && !isBracketed(name)) inside[name] = value.at(-1);
    else keepLast(value, isBracketed);
  }
};

/** Remembers which lists in `parsed` come from repeated parameters among `pairs`. */
export const markRepeated = (parsed: Record<string, unknown>, pairs: readonly string[]): void => {
  let bracketed: Set<string> | null = null;
  const isBracketed: IsBracketed = (name) => (bracketed ??= bracketedIn(pairs)).has(name);
  for (const [name, value] of Object.entries(parsed)) {
    if (Array.isArray(value) && !isBracketed(name)) repeated.add(value);
    else if (isInside(value)) keepLast(value, isBracketed);
  }
};

/** Returns the last value of a repeated parameter, and any other value unchanged. */
export const lastOf = (value: unknown): unknown =>
  Array.isArray(value) && repeated.has(value) ? value.at(-1) : value;

const FALSE_WORDS = new Set(["false", "0", "f", "off", ""]);

export const toBoolean = (value: string | number | boolean): boolean =>
  !FALSE_WORDS.has(String(value).toLowerCase());

const TRUE_WORDS = new Set(["true", "1", "t", "on"]);

const toStrictBoolean = (value: Scalar, field: string, faults: Faults) => {
  const isKnown = !toBoolean(value) || TRUE_WORDS.has(String(value).toLowerCase());
  return isKnown
    ? toBoolean(value)
    : fault(faults, field, "ERR_INCLUSION", "is neither true nor false");
};

const toNumber = (schema: Schema, value: Scalar, field: string, faults: Faults) => {
  if (value === "") return null; // an empty field of a form
  const number = typeof value === "number" ? value : Number(String(value).trim() || Number.NaN);
  const whole = schema.type === "integer";
  if (!Number.isFinite(number) || (whole && !Number.isSafeInteger(number))) {
    return fault(faults, field, "ERR_INVALID", "is not a number");
  }
  return number;
};

const toText = (schema: Schema, value: Scalar, field: string, faults: Faults) => {
  const text = String(value);
  // PostgreSQL cannot store NUL in text.
  if (text.includes("\0"))
    return fault(faults, field, "ERR_INVALID", "contains a null byte", {
      said: says("invalid.null_byte"),
    });
  if (schema.maxLength !== undefined && text.length > schema.maxLength)
    return void faults.push(tooLong(field, schema.maxLength));
  return text.isWellFormed() ? text : text.toWellFormed();
};

const listOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  if (value instanceof UploadedFile) return [value];
  if (typeof value === "object" && value !== null) return Object.values(value);
  return value === "" ? [] : [value];
};

/** Names one of the objects of a list as a form does: the only one `list[]`, one of several by its place, `list[1]`. */
const placeIn = (items: unknown[], n: number, field: string): string =>
  `${field}[${items.length > 1 ? n : ""}]`;

const toList = (schema: Schema, value: unknown, field: string, faults: Faults) => {
  // A single word is no list of objects: some clients send one for "unchanged".
  if (schema.items?.type === "object" && typeof value !== "object") return undefined;
  const items = listOf(value);
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return fault(
      faults,
      field,
      "ERR_TOO_LONG",
      `has too many items (maximum is ${schema.maxItems})`,
      { count: schema.maxItems, said: says("invalid.too_many", { count: schema.maxItems }) },
    );
  }
  const isOfObjects = schema.items?.type === "object";
  const coerced = items.map((item, n) =>
    coerce(schema.items ?? {}, item, isOfObjects ? placeIn(items, n, field) : field, faults),
  );
  return coerced.filter((item) => item !== null);
};

/** Whether the schema allows null; otherwise a given null counts as absent. */
const takesNull = (schema: Schema): boolean =>
  schema.type === "null" ||
  (schema.anyOf
    ? schema.anyOf.some((option) => option.type === "null")
    : schema.type === undefined && schema.enum === undefined);

const takesList = (schema: Schema): boolean =>
  schema.type === "array" || (schema.anyOf?.some(takesList) ?? false);

/** Returns the name with which a form sends a member of an object. */
const within = (object: string, name: string): string => (object ? `${object}[${name}]` : name);

const toObject = (schema: Schema, value: unknown, field: string, faults: Faults) => {
  if (typeof value !== "object" || value === null || value instanceof UploadedFile) {
    return fault(faults, field || "body", "ERR_INVALID", "is invalid");
  }
  const source = value as Record<string, unknown>;
  const properties = schema.properties ?? {};
  if (schema.additionalProperties === false) {
    for (const name of Object.keys(source).filter((each) => !Object.hasOwn(properties, each)))
      fault(faults, within(field, name), "ERR_INCLUSION", "is not known here");
  }
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(properties)) {
    const path = within(field, name);
    const raw = Object.hasOwn(source, name) ? source[name] : undefined;
    const value = raw === undefined ? undefined : coerce(inner, raw, path, faults);
    if (value !== undefined && (value !== null || takesNull(inner))) result[name] = value;
    else if ((raw ?? "") === "" && schema.required?.includes(name)) {
      fault(faults, path, "ERR_BLANK", "can't be blank");
    }
  }
  return result;
};

const words = (schema: Schema): unknown[] | null => {
  if (schema.enum) return schema["x-judged"] ? null : schema.enum;
  const options = schema.anyOf?.filter((option) => option.type !== "null");
  return options?.length && options.every((option) => option.const !== undefined)
    ? options.map((option) => option.const)
    : null;
};

const toWord = (allowed: unknown[], value: Scalar, field: string, faults: Faults) => {
  const known = allowed.find((word) => String(word) === String(value));
  if (known === undefined && value === "") return null; // an empty field of a form
  return known ?? fault(faults, field, "ERR_INCLUSION", notIncluded(allowed));
};

const toUnion = (schema: Schema, value: unknown, field: string, faults: Faults): unknown => {
  const options = (schema.anyOf ?? []).filter((option) => option.type !== "null");
  if (options.length === 1) return coerce(options[0]!, value, field, faults);
  for (const option of options) {
    const inner: Faults = [];
    const result = coerce(option, value, field, inner);
    if (inner.length === 0) return result;
  }
  return fault(faults, field, "ERR_INVALID", "is invalid");
};

/** Lists and objects are refused: they may contain anything (even a `toString`), so String() is not safe. */
const toScalar = (schema: Schema, value: unknown, field: string, faults: Faults): unknown => {
  if (typeof value === "object") return fault(faults, field, "ERR_INVALID", "is invalid");
  const scalar = value as Scalar;
  const allowed = words(schema);
  if (allowed) return toWord(allowed, scalar, field, faults);
  if (schema.type === "boolean")
    return schema["x-strict"] ? toStrictBoolean(scalar, field, faults) : toBoolean(scalar);
  return schema.type === "string"
    ? toText(schema, scalar, field, faults)
    : toNumber(schema, scalar, field, faults);
};

const MAX_LEVELS = 100;

/**
 * Whether a value cannot be converted by String(): a JSON object with a member such as `toString` would make it throw,
 * as would a list with one. Deeply nested values are not converted either.
 */
const isWithoutText = (value: unknown, level = 0): boolean => {
  if (typeof value !== "object" || value === null || value instanceof UploadedFile) return false;
  if (level > MAX_LEVELS || Object.hasOwn(value, "toString") || Object.hasOwn(value, "valueOf"))
    return true;
  return Object.values(value).some((inner) => isWithoutText(inner, level + 1));
};

/**
 * Converts a value to the schema's type and adds what cannot be converted to `faults`. Null stays null. A schema
 * without a type accepts anything, and only it accepts an uploaded file.
 */
const coerce = (schema: Schema, raw: unknown, field: string, faults: Faults): unknown => {
  const value = takesList(schema) ? raw : lastOf(raw);
  if (value === null || value === undefined) return null;
  if (words(schema)) return toScalar(schema, value, field, faults);
  if (schema.anyOf) return toUnion(schema, value, field, faults);
  switch (schema.type) {
    case "boolean":
    case "integer":
    case "number":
    case "string":
      return toScalar(schema, value, field, faults);
    case "array":
      return toList(schema, value, field, faults);
    case "object":
      return toObject(schema, value, field, faults);
    case "null":
      return fault(faults, field, "ERR_INVALID", "is invalid");
    default:
      return isWithoutText(value) ? fault(faults, field, "ERR_INVALID", "is invalid") : value;
  }
};

/** Makes validators for fastify: 422 with every fault. Path parameters stay text. */
export const compileValidator = ({ schema }: { schema: unknown }) => {
  const shape = schema as Schema;
  return (data: unknown) => {
    const faults: Faults = [];
    const value = coerce(shape, data ?? {}, "", faults);
    return faults.length > 0 ? { error: invalidFields(faults) } : { value };
  };
};
