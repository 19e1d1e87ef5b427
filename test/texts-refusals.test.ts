// Every refusal that a person may read is in the catalogue (texts/en/refusals.json), in all languages that pages are in.
// The refusals are found in the sources, by the errors that are thrown there: a new one without a text fails here.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import refusals from "../texts/en/refusals.json" with { type: "json" };
import thrown from "../src/platform/text/thrown.json" with { type: "json" };
import { isNode, parseSource, walk } from "../web/texts.ts";
import type { Node } from "../web/texts.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { Message } from "../texts/translate.ts";
import { saidOf } from "../src/platform/text/refusals.ts";
import { textsIn as speak } from "../src/platform/text/texts.ts";
import { ROOT, sources as all } from "./sources.ts";

const NAMES =
  "BadRequest TooLarge Unauthorized Forbidden NotFound Conflict Gone Unprocessable TooManyRequests Unavailable";
const sources = all.filter(({ path }) => path.startsWith("src/"));
/** With the kinds that a slice makes of them. */
const KINDS = new RegExp(`class (\\w+) extends (?:${NAMES.replaceAll(" ", "|")})\\b`, "g");
const ERRORS = new Set([
  ...NAMES.split(" "),
  ...sources.flatMap(({ text }) => [...text.matchAll(KINDS)].map(([, name]) => name!)),
]);
const THROWS = new RegExp(`new (?:${[...ERRORS].join("|")})\\(`);

/** What only programs read: parameters, protocols, tokens. People never see a form that could lead to it. */
const FOR_PROGRAMS: Record<string, RegExp> = {
  "src/federation/": /./,
  "src/domain/reading/streaming/": /./,
  "src/domain/people/oauth/": /./,
  "src/domain/reading/push/": /./,
  "src/domain/about/crypto/": /./,
  "src/domain/base/refreshes/": /./,
  "src/domain/posts/cards/": /./,
  "src/platform/feeds/": /./,
  "src/platform/http/body.ts": /is not valid/,
  "src/platform/http/metrics.ts": /./,
  "src/platform/http/auth.ts": /^The access token/,
  "src/domain/staff/moderation/account-filter.ts": /./,
  "src/":
    /^param is missing|^The parameters? |^Invalid value for|must be one of|parameter is missing$|^ip is not|^email must be/,
  "src/domain/people/users/confirm.ts": /^This method is only available/,
};

const PLACE = "7";

type Names = Map<string, Node>;

const cookedOf = ({ value }: Node): string => (value as { cooked: string }).cooked;

/** The texts that an expression can be, with a number in the place of each value; null: not to be told from the source. */
const textsIn = (node: Node | undefined, names: Names): string[] | null => {
  if (!node) return [];
  const all = (nodes: Node[]): string[] => {
    const lists = nodes.map((each) => textsIn(each, names));
    return lists.flatMap((list) => list ?? []);
  };
  switch (node.type) {
    case "Literal":
      return [String(node["value"])];
    case "TemplateLiteral": {
      const parts = (node["quasis"] as Node[]).map(cookedOf);
      const values = (node["expressions"] as Node[]).map((each) =>
        each.type === "Identifier" ? textsIn(each, names) : null,
      );
      return parts
        .slice(1)
        .reduce(
          (texts, part, index) =>
            texts.flatMap((text) => (values[index] ?? [PLACE]).map((value) => text + value + part)),
          [parts[0]!],
        );
    }
    case "ConditionalExpression":
      return all([node["consequent"] as Node, node["alternate"] as Node]);
    case "LogicalExpression":
      return all([node["right"] as Node]);
    case "ObjectExpression":
      return all((node["properties"] as Node[]).map((each) => each["value"] as Node));
    case "MemberExpression":
      return textsIn(node["object"] as Node, names);
    case "Identifier": {
      const found = names.get(String(node["name"]));
      return found ? textsIn(found, names) : null;
    }
    default:
      return null;
  }
};

/** `const name = …` of a file. */
const namesIn = (tree: Node): Names => {
  const names: Names = new Map();
  walk(tree, (node) => {
    const { id, init } = node as { id?: Node; init?: Node };
    if (
      node.type === "VariableDeclarator" &&
      isNode(id) &&
      id.type === "Identifier" &&
      isNode(init)
    )
      names.set(String(id["name"]), init);
  });
  return names;
};

const errorIn = (node: Node): Node | null => {
  let found: Node | null = null;
  walk(node, (each) => {
    const callee = each["callee"] as Node | undefined;
    if (each.type === "NewExpression" && ERRORS.has(String(callee?.["name"]))) found ??= each;
  });
  return found;
};

/** `const invalid = (what) => new Unprocessable(…)`: what a file calls in place of the error itself. */
const helpersIn = (names: Names): Map<string, (what: string) => string> => {
  const helpers = new Map<string, (what: string) => string>();
  for (const [name, init] of names) {
    if (init.type !== "ArrowFunctionExpression") continue;
    const [param] = init["params"] as Node[];
    const error = errorIn(init);
    const [argument] = (error?.["arguments"] ?? []) as Node[];
    if (argument?.type !== "TemplateLiteral" || param?.type !== "Identifier") continue;
    const [first] = argument["expressions"] as Node[];
    if (first?.["name"] !== param["name"]) continue;
    const [head, ...tail] = (argument["quasis"] as Node[]).map(cookedOf);
    helpers.set(name, (what) => head + what + tail.join(PLACE));
  }
  return helpers;
};

/** What the errors of a file say in English. */
const refusalsIn = (tree: Node): string[] => {
  const names = namesIn(tree);
  const helpers = helpersIn(names);
  const found: string[] = [];
  walk(tree, (node) => {
    const name = String((node["callee"] as Node | undefined)?.["name"]);
    const [argument] = (node["arguments"] ?? []) as Node[];
    const isError = node.type === "NewExpression" && ERRORS.has(name);
    const helper = node.type === "CallExpression" ? helpers.get(name) : undefined;
    if (!argument || !(isError || helper)) return;
    for (const text of textsIn(argument, names) ?? []) found.push(helper ? helper(text) : text);
  });
  // What a helper adds is said where it is called.
  return found.filter((text) => text !== "Validation failed: 7" && !/ (?:at|Event) 7$/.test(text));
};

const isForPrograms = (path: string, text: string): boolean =>
  Object.entries(FOR_PROGRAMS).some(
    ([begin, pattern]) => path.startsWith(begin) && pattern.test(text),
  );

/** What else is said of refusals: by a process of its own, and what an error says when nobody gives it words. */
const ELSEWHERE = ["refusal.conflict", "refusal.request_too_large"];

test("every refusal has a text in the catalogue, and every text is of a refusal", () => {
  const missing: string[] = [];
  const used = new Set<string>(ELSEWHERE);
  for (const { path, text } of sources) {
    if (!THROWS.test(text)) continue;
    for (const refusal of refusalsIn(parseSource(join(ROOT, path)))) {
      const said = saidOf(refusal);
      if (said) used.add(said.key);
      else if (!isForPrograms(path, refusal)) missing.push(`${path}: ${refusal}`);
    }
  }
  const needed = "in texts/*/refusals.json a text is missing for (7 is a value)";
  assert.equal(missing.join("\n"), "", needed);
  const unused = Object.keys(refusals).filter((key) => !used.has(key));
  assert.equal(unused.join("\n"), "", "in texts/*/refusals.json nothing says");
});

test("what is thrown in other words has the values of its text", () => {
  const said: Record<string, Message> = refusals;
  const placesIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
  for (const [key, words] of Object.entries(thrown)) {
    const texts = textsOf(said[key]!);
    assert.ok(!texts.includes(words), key);
    const needed = new Set(texts.flatMap(placesIn));
    assert.deepEqual([...needed.difference(new Set(placesIn(words)))], [], key);
  }
});

test("what people read of a refusal has no words of programs, and plural forms where it has a number", () => {
  // Megabytes have none in English.
  const counted = Object.entries(refusals as Record<string, Message>).filter(
    ([, text]) => typeof text === "string" && /\{count\}(?! MB)/.test(text),
  );
  assert.deepEqual(counted, []);
  for (const [words, german] of [
    ["Event place can't be longer than 200 characters", "Der Ort des Termins ist zu lang."],
    ["The visibility of a post cannot be changed", "Wer einen veröffentlichten Beitrag sehen kann"],
    [
      "visibility has to be in each of the statuses",
      "Gib in jedem der Beiträge an, für wen er ist",
    ],
    ["You cannot follow more than 7500 accounts", "Mehr als 7.500 Konten kannst du nicht folgen"],
    ["You cannot follow more than 1 accounts", "Mehr als 1 Konto kannst du nicht folgen"],
  ] as const) {
    const { key, values } = saidOf(words)!;
    assert.ok(speak("de").t(key, values).startsWith(german), speak("de").t(key, values));
  }
});

test("a refusal is found with its values, whatever stands in them", () => {
  const { t } = speak("de");
  const german = (text: string): string => {
    const { key, values } = saidOf(text)!;
    return t(key, values);
  };
  assert.equal(
    german("Validation failed: Text character limit of 500 exceeded"),
    "Der Text ist länger als 500 Zeichen.",
  );
  assert.equal(
    german('There is no role "a (b) $1". The roles are: Owner, Admin.'),
    "Die Rolle „a (b) $1“ gibt es nicht. Es gibt: Owner, Admin.",
  );
  assert.equal(saidOf("Nobody ever said this"), null);
});
