// Writes the texts that browsers load: for each language a file of what every page can say, and one of what parts that
// are loaded on demand say. What only the server says is in neither. The modules of the chunks decide.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { ENGLISH } from "../texts/english.ts";
import { ALL_LANGUAGES } from "../texts/languages.ts";
import { messagesOf } from "../texts/catalogue.ts";
import type { Messages } from "../texts/translate.ts";

/** Syntax trees as ESTree has them. */
export type Node = { type: string; start: number } & Record<string, unknown>;

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

export const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  for (const value of Object.values(node)) {
    for (const node of Array.isArray(value) ? value : [value]) if (isNode(node)) walk(node, visit);
  }
};

export const parseSource = (path: string): Node =>
  parseAst(readFileSync(path, "utf8"), {
    lang: path.endsWith("x") ? "tsx" : "ts",
  }) as unknown as Node;

/** Returns whether one of the trees has a key, or a template such as `post.${act}` that could make it. */
export const mentioned = (trees: Iterable<Node>): ((key: string) => boolean) => {
  const texts = new Set<string>();
  const patterns: RegExp[] = [];
  for (const tree of trees) {
    walk(tree, (node) => {
      if (node.type === "Literal") texts.add(String(node["value"]));
      if (node.type !== "TemplateLiteral") return;
      const parts = (node["quasis"] as { value: { cooked: string } }[]).map(
        (quasi) => quasi.value.cooked,
      );
      if (!/^[a-z_]+\.[\w.-]*$/.test(parts[0]!)) return;
      const escaped = parts.map((part) => RegExp.escape(part));
      patterns.push(new RegExp(`^${escaped.join("[\\w-]+(?:\\.[\\w-]+)?")}$`));
    });
  }
  return (key) => texts.has(key) || patterns.some((pattern) => pattern.test(key));
};

/** Returns the keys that these modules mention. */
const keysOf = (modules: readonly string[]): string[] => {
  const sources = modules.filter((path) => /\/web\/src\/.*\.tsx?$/.test(path));
  return Object.keys(ENGLISH).filter(mentioned(sources.map(parseSource)));
};

/** Names of the two files of a language below the client's folder. */
export type TextFiles = { first: string; rest: string };

const write = (client: string, name: string, keys: readonly string[], all: Messages): string => {
  const own = Object.fromEntries(keys.map((key) => [key, all[key]]));
  const source = `export default ${JSON.stringify(own)};\n`;
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  const path = `assets/texts-${name}-${hash}.js`;
  writeFileSync(join(client, path), source);
  return path;
};

/** Writes the files of all languages into the client's folder. */
export const writeTexts = (
  client: string,
  modules: { first: readonly string[]; rest: readonly string[] },
): Record<string, TextFiles> => {
  const first = keysOf(modules.first);
  const rest = keysOf(modules.rest).filter((key) => !first.includes(key));
  return Object.fromEntries(
    ALL_LANGUAGES.map((language) => {
      const all = { ...ENGLISH, ...messagesOf(language) } as Messages;
      const files = {
        first: write(client, language, first, all),
        rest: write(client, `${language}-rest`, rest, all),
      };
      return [language, files];
    }),
  );
};
