// Applies the operations of a PATCH to a resource (RFC 7644, 3.5.2), in the spellings of Entra and Okta: capital verbs,
// values without a path, keys that are paths, attributes of extensions, which are left out.

import { isRecord } from "../uses.ts";
import { ScimError, recordIn } from "./wire.ts";
import type { Json } from "./wire.ts";

const MAX_OPERATIONS = 100;

type Path = { attribute: string; where: { key: string; value: string } | null; sub: string | null };

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const PATH = /^(\w+)(?:\[\s*(\w+)\s+eq\s+"?([^"\]]*)"?\s*\])?(?:\.(\w+))?$/i;

/** Returns null for an attribute of an extension, or another one that is not kept. */
const pathIn = (text: string, attributes: readonly string[]): Path | null => {
  const own = text.replace(CORE, "");
  if (own.startsWith("urn:")) return null;
  const [, name, key, value = "", sub] = own.length > 500 ? [] : (PATH.exec(own) ?? []);
  if (name === undefined) throw new ScimError(400, `There is no path ${own}.`, "invalidPath");
  const attribute = attributes.find((each) => each.toLowerCase() === name.toLowerCase());
  if (attribute === undefined) return null;
  return { attribute, where: key === undefined ? null : { key, value }, sub: sub ?? null };
};

const listIn = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

const valueOf = (item: unknown): unknown => (isRecord(item) ? item["value"] : item);

type Verb = "add" | "replace" | "remove";

/** Changes a list of values: all of it, or those that the path or the operation names. */
const patchedList = (list: unknown[], verb: Verb, { where, sub }: Path, value: unknown) => {
  if (where === null) {
    const values = listIn(value);
    const named = new Set(values.map(valueOf));
    if (verb === "replace") return values;
    const others = list.filter((item) => !named.has(valueOf(item)));
    if (verb === "add") return [...others, ...values];
    return values.length === 0 ? [] : others;
  }
  const isMeant = (item: unknown): item is Json =>
    isRecord(item) && String(item[where.key]).toLowerCase() === where.value.toLowerCase();
  if (verb === "remove" && sub === null) return list.filter((item) => !isMeant(item));
  const change: Json = sub !== null ? { [sub]: verb === "remove" ? undefined : value } : {};
  const all = { ...change, ...(sub === null && isRecord(value) ? value : {}) };
  const changed = list.map((item) => (isMeant(item) ? { ...item, ...all } : item));
  return list.some(isMeant) || verb === "remove"
    ? changed
    : [...changed, { [where.key]: where.value, ...all }];
};

const patchedOne = (before: unknown, verb: Verb, { sub }: Path, value: unknown): unknown => {
  const parts = isRecord(before) ? before : {};
  if (sub !== null) return { ...parts, [sub]: verb === "remove" ? undefined : value };
  if (verb === "remove") return undefined;
  return isRecord(value) ? { ...parts, ...value } : value;
};

const applied = (
  resource: Json,
  verb: Verb,
  { path, value }: { path: string; value: unknown },
  lists: readonly string[],
): Json => {
  const target = pathIn(path, Object.keys(resource));
  if (target === null) return resource;
  const before = resource[target.attribute];
  const after = lists.includes(target.attribute)
    ? patchedList(listIn(before), verb, target, value)
    : patchedOne(before, verb, target, value);
  return { ...resource, [target.attribute]: after };
};

const VERBS = ["add", "replace", "remove"] as const;

/** `resource` has all attributes that are kept; `lists` names those with several values. */
export const patched = (resource: Json, body: Json, lists: readonly string[]): Json => {
  const operations = body["Operations"] ?? body["operations"];
  if (!Array.isArray(operations))
    throw new ScimError(400, "Operations must be a list.", "invalidSyntax");
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError(400, `There may be up to ${MAX_OPERATIONS} operations.`, "tooMany");
  return operations.reduce<Json>((so, operation) => {
    const { op, path, value } = recordIn(operation, "An operation");
    const verb = VERBS.find((each) => each === String(op).toLowerCase());
    if (verb === undefined)
      throw new ScimError(400, "op must be add, replace or remove.", "invalidValue");
    if (typeof path === "string" && path !== "") return applied(so, verb, { path, value }, lists);
    if (verb === "remove") throw new ScimError(400, "remove needs a path.", "invalidPath");
    return Object.entries(recordIn(value, "The value of an operation without a path")).reduce(
      (next, [key, each]) => applied(next, verb, { path: key, value: each }, lists),
      so,
    );
  }, resource);
};
