// Sentences are whole in the catalogue, so that each language has its own order and marks: no source puts a time, a name
// or another value beside a text, or marks between texts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGLISH } from "../texts/english.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { Message } from "../texts/translate.ts";
import { isNode, walk } from "../web/texts.ts";
import type { Node } from "../web/texts.ts";
import { parsedSources } from "./parsed-sources.ts";

const messages = ENGLISH as Record<string, Message>;

/** Sources of what people read. */
const sources = parsedSources("{web/src/**/*.{ts,tsx},src/**/*.ts}");

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node["name"] ?? nameOf(node["property"])) : "";

/** The texts that an expression can be, if all of it is from the catalogue; of those made by a pattern, its pattern. */
const saidBy = (node: unknown): string[] | null => {
  if (!isNode(node)) return null;
  if (node.type === "JSXExpressionContainer") return saidBy(node["expression"]);
  if (node.type === "ConditionalExpression") {
    const [one, other] = [saidBy(node["consequent"]), saidBy(node["alternate"])];
    return one && other && [...one, ...other];
  }
  if (node.type !== "CallExpression" || !/^(?:t|say)$/.test(nameOf(node["callee"]))) return null;
  const found: string[] = [];
  walk((node["arguments"] as Node[])[0]!, ({ type, value, quasis }) => {
    if (type === "Literal" && Object.hasOwn(messages, String(value)))
      found.push(...textsOf(messages[String(value)]!));
    if (type === "TemplateLiteral")
      found.push((quasis as { value: { raw: string } }[])[0]!.value.raw);
  });
  return found;
};

/** Whether one of them needs what stands beside it: a whole sentence, or what introduces a list, does not. */
const isOpen = (texts: string[] | null): boolean =>
  texts?.some((text) => !/[.?!:…]$/.test(text)) ?? false;

const TIMES = new Set(["time", "Ago", "Age", "Moment", "When", "Day", "Name"]);
const SPANS = new Set(["a", "b", "bdi", "code", "em", "strong"]);

const elementName = (node: Node): string =>
  node.type === "JSXElement" ? nameOf((node["openingElement"] as Node)["name"]) : "";

const speaks = (node: Node): boolean => {
  let isFound = false;
  walk(node, (each) => (isFound ||= saidBy(each) !== null));
  return isFound;
};

const isValue = (node: Node): boolean => {
  const name = elementName(node);
  if (TIMES.has(name) || (SPANS.has(name) && !speaks(node))) return true;
  const { expression } = node as { expression?: Node };
  return (
    /^(?:Identifier|MemberExpression|CallExpression)$/.test(expression?.type ?? "") &&
    !speaks(node) &&
    !/^children$/.test(nameOf(expression))
  );
};

const isSpace = (node: Node): boolean => {
  const { expression } = node as { expression?: Node };
  return String(node["value"] ?? expression?.["value"] ?? "x").trim() === "";
};

const pairsOf = <T>(all: readonly T[]): [T, T][] => all.slice(1).map((each, n) => [all[n]!, each]);

const isGlued = ([one, other]: [Node, Node], isOther: (node: Node) => boolean): boolean =>
  (isOpen(saidBy(one)) && isOther(other)) || (isOpen(saidBy(other)) && isOther(one));

const lineOf = (path: string, node: Node): string => `${path} at ${node.start}`;

test("no time, name or link stands beside a text that is part of its sentence", () => {
  const faults: string[] = [];
  for (const { path, tree } of sources)
    walk(tree, (node) => {
      if (!/^JSX(?:Element|Fragment)$/.test(node.type)) return;
      const children = (node["children"] as Node[]).filter((child) => !isSpace(child));
      if (pairsOf(children).some((pair) => isGlued(pair, isValue))) faults.push(lineOf(path, node));
    });
  assert.deepEqual(faults, []);
});

/** What parts of a line hold beside texts on the pages of the staff. */
const isPart = (node: Node): boolean => {
  if (/^(?:Identifier|MemberExpression|NewExpression)$/.test(node.type)) return true;
  const properties = (node["properties"] ?? []) as { key?: Node }[];
  return properties.some(({ key }) => /^(?:code|day|english|strong|name)$/.test(nameOf(key)));
};

/** Files with other lists: a table of cells, and the client's. */
const OTHER = /settings-mail\.ts$|^web\//;

test("no time, name or command stands beside a text in a line that the server declares", () => {
  const faults: string[] = [];
  for (const { path, tree } of sources) {
    const separate = new Set<unknown>();
    walk(tree, (node) => {
      const { key, value } = node as { key?: Node; value?: unknown };
      if (/^(?:joined|lines)$/.test(nameOf(key))) separate.add(value);
      if (node.type !== "ArrayExpression" || separate.has(node) || OTHER.test(path)) return;
      const parts = (node["elements"] as (Node | null)[]).filter((part) => part !== null);
      if (pairsOf(parts).some((pair) => isGlued(pair, isPart))) faults.push(lineOf(path, node));
    });
  }
  assert.deepEqual(faults, []);
});

/** What browsers read. */
const HEADERS = /document\.ts$/;

test("no marks are put between texts: `words.pair`, `words.comma` and `listed` have those of the language", () => {
  const faults: string[] = [];
  for (const { path, tree } of sources)
    walk(tree, (node) => {
      if (node.type === "TemplateLiteral") {
        const { quasis, expressions } = node as { quasis?: Node[]; expressions?: Node[] };
        const between = quasis!.map(({ value }) => (value as { cooked: string }).cooked).join("");
        if (/[,.;:()]/.test(between) && expressions!.some((each) => saidBy(each)))
          faults.push(lineOf(path, node));
      }
      const children = (node["children"] ?? []) as Node[];
      const written = children.map(({ type, value }) => (type === "JSXText" ? String(value) : ""));
      if (/[,.;:()]/.test(written.join("")) && children.some((child) => saidBy(child)))
        faults.push(lineOf(path, node));
      if (!/^web\/src|^src\/pages|\/pages/.test(path) || HEADERS.test(path)) return;
      const { callee, arguments: given } = node as { callee?: Node; arguments?: Node[] };
      const isJoin = node.type === "CallExpression" && nameOf(callee) === "join";
      if (isJoin && /^[,;.:] $/.test(String(given?.[0]?.["value"])))
        faults.push(lineOf(path, node));
    });
  assert.deepEqual(faults, []);
});
