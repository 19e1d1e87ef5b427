// The terms of JSON-LD contexts in their simple forms, which is what our own documents use: what a member's name
// stands for, and how its values are read. https://www.w3.org/TR/json-ld11/#create-term-definition

import { isRecord } from "../../platform/json/read.ts";
import { loadContext } from "./contexts.ts";

/** `type`: "@id", or the address of a data type. Null: the member is dropped. */
export type Term = {
  iri: string;
  type: string | null;
  isByLanguage: boolean;
  /** Only then does an order, a set or something else matter. */
  isOther: boolean;
} | null;

export type Terms = ReadonlyMap<string, Term>;

const KEYWORDS: Record<string, string> = { id: "@id", type: "@type" };
const SIMPLE = new Set(["@id", "@type", "@container"]);
const ABSOLUTE = /^https?:\/\//;
const PREFIX_END = /[:/?#[\]@]$/;

class Unsupported extends Error {}

const add = (terms: Map<string, Term>, context: Record<string, unknown>): void => {
  const own = new Map<string, Term>();
  /** An address, whole or with a prefix that this context or an earlier one defines as plain text. */
  const addressOf = (text: string): string => {
    const [prefix = "", rest] = text.split(/:(.*)/s, 2);
    if (rest === undefined) throw new Unsupported();
    if (ABSOLUTE.test(text)) return text;
    if (prefix in context && typeof context[prefix] !== "string") throw new Unsupported();
    const start = (prefix in context ? define(prefix) : terms.get(prefix))?.iri ?? "";
    if (!PREFIX_END.test(start)) throw new Unsupported();
    return start + rest;
  };
  const make = (value: unknown): Term => {
    if (value === null) return null;
    if (typeof value === "string") {
      return { iri: addressOf(value), type: null, isByLanguage: false, isOther: false };
    }
    if (!isRecord(value) || Object.keys(value).some((key) => !SIMPLE.has(key)))
      throw new Unsupported();
    const { "@id": id, "@type": type = null, "@container": container = null } = value;
    if (typeof id !== "string") throw new Unsupported();
    return {
      iri: addressOf(id),
      type: type === null || type === "@id" ? type : addressOf(String(type)),
      isByLanguage: container === "@language",
      isOther: container !== null && container !== "@language" && container !== "@set",
    };
  };
  const define = (name: string, depth = 0): Term => {
    if (depth > 3) throw new Unsupported();
    const known = own.get(name);
    if (known !== undefined) return known;
    const term = make(context[name]);
    own.set(name, term);
    return term;
  };
  for (const name of Object.keys(context)) {
    if (KEYWORDS[name] && context[name] === KEYWORDS[name]) continue;
    if (name === "@vocab" && context[name] === "_:") continue;
    if (KEYWORDS[name] || name.startsWith("@") || name.includes(":")) throw new Unsupported();
    define(name);
  }
  for (const [name, term] of own) terms.set(name, term);
};

const build = async (contexts: unknown[]): Promise<Terms | null> => {
  const terms = new Map<string, Term>();
  try {
    for (const entry of contexts) {
      const { document } =
        typeof entry === "string" ? await loadContext(entry) : { document: { "@context": entry } };
      const context = isRecord(document) ? document["@context"] : null;
      if (!isRecord(context)) return null;
      add(terms, context);
    }
    return terms;
  } catch {
    return null;
  }
};

/** Of lists of contexts; those of our own documents are few. */
const built = new Map<string, Promise<Terms | null>>();
const MAX_BUILT = 50;
const MAX_KEY = 5000;

/** The terms of a document's contexts; null where one is unknown, or says more than can be read here. */
export const termsOf = (context: unknown): Promise<Terms | null> => {
  const contexts: unknown[] = Array.isArray(context) ? context : [context];
  const key = JSON.stringify(contexts);
  if (key.length > MAX_KEY) return build(contexts);
  const terms = built.get(key) ?? build(contexts);
  if (built.size >= MAX_BUILT) built.clear();
  built.set(key, terms);
  return terms;
};
