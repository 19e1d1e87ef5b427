// Says of each message where it stands, what its places are, and how long it may be: `node web/text-context.ts`
// prints it as lines of tab-separated values, which Weblate and Crowdin import as explanations of the source texts.

import { globSync } from "node:fs";
import { join } from "node:path";
import { isNode, parseSource } from "./texts.ts";
import type { Node } from "./texts.ts";
import { ENGLISH } from "../texts/english.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { Message } from "../texts/translate.ts";

const ROOT = join(import.meta.dirname, "..");

/** How much longer than in English the words of buttons and tabs may be. */
const LONGER = 1.6;

const nameOf = (node: Node | undefined): string => (node ? String(node["name"] ?? "") : "");

const hasProperty = (node: Node, name: string): boolean =>
  (node["properties"] as Node[]).some((each) => nameOf(each["key"] as Node) === name);

const isOfRecord = ({ argument }: Node): boolean =>
  isNode(argument) && nameOf(argument["callee"] as Node) === "drawnWith";

/** Whether an object says where it leads; the form of a record takes that from `drawnWith`. */
const leads = (node: Node): boolean =>
  hasProperty(node, "action") || (node["properties"] as Node[]).some(isOfRecord);

/** Elements that stand inside of a line, and say nothing of their place. */
const INSIDE = new Set(["span", "strong", "bdi"]);

/** Says where what is inside of a node stands: in an element, an attribute, or a property of a served page. */
const placeOf = (node: Node, around: string): string => {
  if (node.type === "JSXElement") {
    const name = nameOf((node["openingElement"] as Node)["name"] as Node);
    return INSIDE.has(name) ? around : name;
  }
  if (node.type === "JSXAttribute") return nameOf(node["name"] as Node);
  // Served pages say the words of a button beside where it leads.
  if (node.type === "ObjectExpression" && leads(node)) return "button";
  if (node.type !== "Property") return around;
  const name = nameOf(node["key"] as Node);
  return around === "button" && name === "label" ? around : name;
};

type Place = [key: string, place: string];

const placesIn = (node: Node, around: string, path: string): Place[] => {
  const place = placeOf(node, around);
  const text = String(node["value"]);
  if (node.type === "Literal" && Object.hasOwn(ENGLISH, text))
    return [[text, `${place} in ${path}`]];
  const children = Object.values(node).flat().filter(isNode);
  return children.flatMap((child) => placesIn(child, place, path));
};

/** Matches places of the words of buttons and tabs. */
const PRESSED = /^(?:button|\w*Button|submits?|buttons|acts?|tabs?|Tab\w*|\w*Tabs|yes|apply) in /;

/** Characters that a button or tab may have in any language. */
const SHORT = 12;

/** Returns the letters of a message beside its values, of its longest form. */
export const lengthOf = (message: Message): number =>
  Math.max(...textsOf(message).map((text) => [...text.replaceAll(/\{\w+\}/g, "")].length));

/** Returns by key how many letters the words of each button and tab may have. */
export const longestOfPressed = (places = placesOfKeys()): Map<string, number> =>
  new Map(
    [...places]
      .filter(([, places]) => [...places].some((place) => PRESSED.test(place)))
      .map(([key]) => {
        const english = lengthOf((ENGLISH as Record<string, Message>)[key]!);
        return [key, Math.max(SHORT, Math.ceil(english * LONGER))];
      }),
  );

/** Returns where each message stands: the nearest element or property around it, and the file. */
const placesOfKeys = (): Map<string, Set<string>> => {
  const places = new Map<string, Set<string>>();
  for (const path of globSync("{web/src,src}/**/*.{ts,tsx}", { cwd: ROOT }).toSorted()) {
    if (path.endsWith(".test.ts")) continue;
    for (const [key, place] of placesIn(parseSource(join(ROOT, path)), "", path))
      places.set(key, (places.get(key) ?? new Set()).add(place));
  }
  return places;
};

const printContext = (): void => {
  const places = placesOfKeys();
  const longest = longestOfPressed(places);
  console.log(["key", "English", "stands as", "places", "longest"].join("\t"));
  for (const [key, message] of Object.entries(ENGLISH as Record<string, Message>)) {
    const text = typeof message === "string" ? message : message.other!;
    const where = [...(places.get(key) ?? [])].slice(0, 3).join("; ");
    const filled = [...new Set(text.match(/\{\w+\}/g) ?? [])].join(" ");
    console.log([key, text, where, filled, longest.get(key) ?? ""].join("\t"));
  }
};

if (import.meta.main) printContext();
