// The English catalogue of texts (texts/): its words, and the sources that use it.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ENGLISH } from "../texts/english.ts";
import { areasOf, textsOf } from "../texts/catalogue.ts";
import { translator } from "../texts/translate.ts";
import type { Messages } from "../texts/translate.ts";
import { isNode, mentioned, walk } from "../web/texts.ts";
import type { Node } from "../web/texts.ts";
import { parsedSources } from "./parsed-sources.ts";
import type { ParsedSource } from "./parsed-sources.ts";

const english = areasOf("en");

/** What English texts do not say, by what stands in its place (texts/README.md). */
const REFUSED: Record<string, RegExp> = {
  "’ “ ” …": /["']|\.\.\.| …/,
  "British English":
    /\b(?:authoriz|color|favorit|organiz|recogniz|synchroniz)|\bcancel(?:ed|ing)\b/i,
  "a sentence without it": /\bplease\b/i,
  "(optional)": /left empty\b/i,
  "can, might": /\bmay\b/i,
  "everyone, anyone, someone, nobody": /\b(?:any|every|some)body\b|\bno one\b/i,
  "people, account": /\busers?\b/i,
  "the admins, the moderators": /\bpeople who run\b/i,
  "who, or a shorter sentence": /\bwhom\b/i,
  "server rules": /\bhouse rules?\b|\brules of (?:the|this) server\b/i,
  "sign in, sign out": /\blogin\b|\blog(?:ged|ging)?[ -](?:in|out)\b/i,
  post: /\bstatus(?:es)?\b|\btoots?\b/i,
  "favourite, boost": /\bliked\b|\breblog/i,
  "home timeline": /\b(?:in|my|your) home\b(?! timeline)|\bhome feed\b/,
  "approve, reject": /\brefus|\blets? \S+ (?:in|through)\b/i,
  notify: /\b(?:are|be|been|is) told\b/i,
  select: /\btick/i,
  image: /(?<!\bprofile )\bpictures?\b/i,
  audio: /\brecordings?\b/i,
  email: /\bmails?\b/i,
  "recently, right away, forever": /\b(?:afterwards|at once|for ever|lately|meanwhile)\b/i,
  "quiet public": /\b(?:not listed|unlisted)\b/i,
  "health check, template": /\bdoctor\b|\bprepared text/i,
};

/** Names of other things. */
const OTHER_THINGS =
  /rel="me"|\brookery [a-z]+\b|\{\w+\}|\bDATA_DIR\/mail\b|\bconnection was refused\b|\b[Mm]ail servers?\b|\b[Ss]tatus page\b|Delivery status\b/g;

test("English texts use the words of texts/README.md", () => {
  const faults = Object.values(english).flatMap((area) =>
    Object.entries(area).flatMap(([key, message]) =>
      textsOf(message).flatMap((text) =>
        Object.entries(REFUSED)
          .filter(([, pattern]) => pattern.test(text.replaceAll(OTHER_THINGS, "")))
          .map(([instead]) => `${key}: ${text} (${instead})`),
      ),
    ),
  );
  assert.deepEqual(faults, []);
});

test("errors of OAuth are ASCII, because headers carry them in English (RFC 6749, 5.2)", () => {
  const faults = Object.entries(english["auth"]!).filter(([key]) =>
    key.startsWith("consent.fault."),
  );
  assert.ok(faults.length > 3);
  for (const [key, message] of faults) assert.match(textsOf(message).join(), /^[ -~]+$/, key);
});

const ofClient = parsedSources("web/src/**/*.{ts,tsx}");
const ofServer = parsedSources("src/**/*.ts");
const ofPackages = parsedSources("packages/*/src/**/*.ts");

/** In which somebody reads or hears words. */
const SPOKEN = new Set(["alt", "aria-description", "aria-label", "label", "placeholder", "title"]);

/** Names, not words of a language. */
const NAMES = /ActivityPub|ALT|Ctrl|Enter|Esc|Rookery|Shift|UTC/g;

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replaceAll(NAMES, ""));

const literalOf = (value: unknown): string => {
  if (!isNode(value)) return "";
  if (value.type === "Literal") return String(value["value"]);
  return value.type === "JSXExpressionContainer" ? literalOf(value["expression"]) : "";
};

const wordsIn = (node: Node): string => {
  if (node.type === "JSXText") return String(node["value"]);
  if (node.type !== "JSXAttribute") return "";
  const { name } = node["name"] as Node;
  return SPOKEN.has(String(name)) ? literalOf(node["value"]) : "";
};

test("the client says nothing but what is in the catalogue", () => {
  const faulty: string[] = [];
  // Elements of the server's own pages take keys.
  const keys = new Set(Object.values(english).flatMap((area) => Object.keys(area)));
  for (const { path, tree } of ofClient) {
    walk(tree, (node) => {
      const words = wordsIn(node).trim();
      if (hasWords(words) && !keys.has(words)) faulty.push(`${path}: ${words}`);
    });
  }
  assert.deepEqual(faulty, []);
});

/** What stands between the tags of a template, and in the attributes that are read out. */
const wordsOfTemplate = (node: Node): string => {
  if (node.type !== "TaggedTemplateExpression" || (node["tag"] as Node)["name"] !== "html")
    return "";
  const { quasis } = node["quasi"] as { quasis: { value: { cooked: string } }[] };
  const markup = quasis.map(({ value }) => value.cooked).join("\uE000");
  if (/^[\w-]*="/.test(markup)) return "";
  const spoken = markup.matchAll(/\s(?:alt|aria-label|placeholder|title)="([^"]*)"/g);
  const attributes = [...spoken].map(([, text]) => text!);
  const between = markup.replaceAll(
    /<(?:code|style|svg)[^]*?<\/(?:code|style|svg)>|<[^>]*>|&\w+;/g,
    " ",
  );
  return [between, ...attributes]
    .join(" ")
    .replaceAll(/\uE000\/\w+\/?/g, " ")
    .replaceAll(/[\s\uE000]+/g, " ")
    .trim();
};

/** Feeds are no pages. */
const OTHERWISE = /^src\/pages\/rss\.ts/;

test("the pages that the server draws say nothing but what is in the catalogue", () => {
  const faulty: string[] = [];
  const pages = ofServer.filter(({ path }) => !OTHERWISE.test(path));
  for (const { path, tree } of pages) {
    walk(tree, (node) => {
      const words = wordsOfTemplate(node);
      if (hasWords(words)) faulty.push(`${path}: ${words}`);
    });
  }
  assert.deepEqual(faulty, []);
});

test("every message is used", () => {
  const isMentioned = mentioned([...ofClient, ...ofServer, ...ofPackages].map(({ tree }) => tree));
  // Refusals are found by what they say (texts-refusals.test.ts).
  const { refusals: _refusals, ...areas } = english;
  const unused = Object.values(areas)
    .flatMap((area) => Object.keys(area))
    .filter((key) => !isMentioned(key));
  assert.deepEqual(unused, []);
});

/** Modules that the sources import, by their paths: those of a file itself, or those that are loaded on demand. */
const importsOf = ({ path, tree }: ParsedSource, onDemand: boolean): string[] => {
  const found: string[] = [];
  walk(tree, (node) => {
    const isOne = onDemand
      ? node.type === "ImportExpression"
      : /^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type) &&
        node["importKind"] !== "type" &&
        isNode(node["source"]);
    if (isOne) found.push(join(dirname(path), String((node["source"] as Node)["value"])));
  });
  return found;
};

test("what the client loads on demand comes with its texts", () => {
  const sources = new Map(ofClient.map((source) => [source.path, source]));
  const graphOf = (path: string, graph = new Set<string>()): Set<string> => {
    const source = sources.get(path);
    if (!source || graph.has(path)) return graph;
    graph.add(path);
    for (const next of importsOf(source, false)) graphOf(next, graph);
    return graph;
  };
  const keysIn = (paths: Iterable<string>): string[] =>
    Object.keys(ENGLISH).filter(mentioned([...paths].map((path) => sources.get(path)!.tree)));
  const first = graphOf("web/src/client.tsx");
  const firstKeys = new Set(keysIn(first));
  const isPoor = (path: string): boolean => {
    const more = [...graphOf(path)].filter((each) => !first.has(each));
    return keysIn(more).some((key) => !firstKeys.has(key));
  };
  const found = [...first].flatMap((path) => importsOf(sources.get(path)!, true));
  const waiting = new Set<string>();
  for (const path of first)
    walk(sources.get(path)!.tree, (node) => {
      const { callee, arguments: given } = node as { callee?: Node; arguments?: Node[] };
      if (callee?.["name"] !== "withTexts" || given?.[0]?.type !== "ImportExpression") return;
      waiting.add(join(dirname(path), String((given[0]["source"] as Node)["value"])));
    });
  // Pages wait for their texts in lazy.tsx.
  const pages = new Set(importsOf(sources.get("web/src/pages/pages.ts")!, true));
  const others = found.filter((path) => !pages.has(path));
  assert.ok(others.length > 5 && pages.size > 20);
  assert.deepEqual(
    others.filter((path) => isPoor(path) && !waiting.has(path)),
    [],
  );
});

test("values take their place once, numbers as the language writes them", () => {
  const original = {
    "a.name": "Hello {name}",
    "a.posts": { one: "{count} post", other: "{count} posts" },
  };
  const german: Messages<keyof typeof original> = {
    "a.posts": { one: "{count} Beitrag", other: "{count} Beiträge" },
  };
  const t = translator("de", german, original);
  const name = "{count} $& $1 <b>";
  assert.equal(t("a.name", { name }), `Hello ${name}`);
  assert.equal(t("a.posts", { count: 1 }), "1 Beitrag");
  assert.equal(t("a.posts", { count: 12_345 }), "12.345 Beiträge");
});

test("a value has a direction of its own in a language from the right, but no mark where it may be copied", () => {
  const original = { "a.reply": "Reply to {name}" };
  const t = translator("ar", { "a.reply": "الردّ على {name}" }, original);
  assert.equal(t("a.reply", { name: "@dot" }), "الردّ على \u2068@dot\u2069");
  assert.equal(t("a.reply", { name: "Dot!" }), "الردّ على \u2068Dot!\u2069");
  for (const name of ["https://a.example/", "/backups/1", "mill.example", "dot@a.example", "a", ""])
    assert.equal(t("a.reply", { name }), `الردّ على ${name}`);
  assert.equal(translator("ar", {}, original)("a.reply", { name: "@dot" }), "Reply to @dot");
});

test("a message that a language lacks is English, with the plural forms and numbers of English", () => {
  const key = "post.boosts";
  for (const language of ["de", "pl", "ja"]) {
    const t = translator(language, {}, ENGLISH);
    assert.equal(t(key, { count: 1 }), "1 boost");
    assert.equal(t(key, { count: 12_345 }), "12,345 boosts");
  }
});
