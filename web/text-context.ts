// Says of each message where it stands, what its places are, and how long it may be: `node web/text-context.ts`
// prints it as lines of tab-separated values, which Weblate and Crowdin import as explanations of the source texts.

import { globSync } from "node:fs";
import { join } from "node:path";
import { parseSource, walk } from "./texts.ts";
import type { Node } from "./texts.ts";
import { ENGLISH } from "../texts/english.ts";
import type { Message } from "../texts/translate.ts";

const ROOT = join(import.meta.dirname, "..");

/** Elements whose words have little room. */
const NARROW = /button|tab|chip|label|option|summary|badge|menu|heading/i;

/** How much longer than in English such words may be. */
const LONGER = 1.6;

/** Where keys stand: the nearest element around them or the name they are given to, and the file. */
const placesIn = (path: string): [key: string, place: string][] => {
  const found: [string, string][] = [];
  let around = "";
  walk(parseSource(join(ROOT, path)), (node: Node) => {
    if (
      node.type === "JSXOpeningElement" ||
      node.type === "JSXAttribute" ||
      node.type === "Property"
    ) {
      const { name } = (node["name"] ?? node["key"]) as { name?: unknown };
      if (typeof name === "string") around = name;
    }
    const text = String(node["value"]);
    if (node.type === "Literal" && Object.hasOwn(ENGLISH, text))
      found.push([text, `${around} in ${path}`]);
  });
  return found;
};

const printContext = (): void => {
  const places = new Map<string, Set<string>>();
  for (const path of globSync("{web/src,src}/**/*.{ts,tsx}", { cwd: ROOT }).toSorted()) {
    if (path.endsWith(".test.ts")) continue;
    for (const [key, place] of placesIn(path))
      places.set(key, (places.get(key) ?? new Set()).add(place));
  }
  console.log(["key", "English", "stands as", "places", "longest"].join("\t"));
  for (const [key, message] of Object.entries(ENGLISH as Record<string, Message>)) {
    const text = typeof message === "string" ? message : message.other!;
    const where = [...(places.get(key) ?? [])].slice(0, 3).join("; ");
    const filled = [...new Set(text.match(/\{\w+\}/g) ?? [])].join(" ");
    const longest = NARROW.test(where) ? String(Math.ceil(text.length * LONGER)) : "";
    console.log([key, text, where, filled, longest].join("\t"));
  }
};

printContext();
