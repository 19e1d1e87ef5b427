// The styles of the web client: what is said for some windows alone comes after what it changes, else it has no effect.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../web/src/styles/", import.meta.url);

type Declaration = {
  file: string;
  media: string;
  selector: string;
  property: string;
  value: string;
};

/** A shorthand sets all of its sides. */
const shorthandOf = (property: string): string =>
  /^(border(?!-radius)|margin|padding|inset)(?:-|$)/.exec(property)?.[1] ?? property;

const declarationsOf = (css: string, file: string): Declaration[] => {
  const declarations: Declaration[] = [];
  const around: string[] = [];
  for (const [, text = "", mark] of css
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .matchAll(/([^{};]*)([{};])/g)) {
    if (mark === "{") {
      around.push(text.trim());
      continue;
    }
    const selector = around.at(-1) ?? "";
    const [property = "", value = ""] = text.split(/:(.*)/s).map((part) => part.trim());
    if (property && !selector.startsWith("@"))
      for (const each of selector.split(/,(?![^(]*\))/)) {
        const media = around.find((name) => name.startsWith("@media")) ?? "";
        declarations.push({ file, media, selector: each.trim(), property, value });
      }
    if (mark === "}") around.pop();
  }
  return declarations;
};

/** Those for some windows that the same selector, for all of them, takes back further down. */
const defeated = (all: readonly Declaration[]): string[] =>
  all.flatMap(({ file, media, selector, property }, index) => {
    const later = all
      .slice(index + 1)
      .find(
        (other) =>
          media !== "" &&
          other.media === "" &&
          other.selector === selector &&
          [property, shorthandOf(property)].includes(other.property),
      );
    return later ? [`${file}, ${media}: ${property} of ${selector}, by ${later.file}`] : [];
  });

/** Sides that stay where they are when a page is read from right to left. */
const PHYSICAL =
  /^(?:left|right|(?:margin|padding|border|inset)-(?:left|right).*|border-(?:top|bottom)-(?:left|right)-radius)$/;

/** Whether four values set the left and the right side apart. */
const setsSidesApart = ({ property, value }: Declaration): boolean => {
  if (!/^(?:inset|margin|padding|border-(?:width|style|color|radius))$/.test(property))
    return false;
  const [first, second, third, fourth] =
    value.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
  if (fourth === undefined) return false;
  // Corners are named in a circle, from the first one on the left.
  return property === "border-radius" ? first !== second || third !== fourth : second !== fourth;
};

test("values of four sides are told apart from those of two", () => {
  const css =
    ".a { inset: 0 auto 8px 8px; margin: 1px 2px 3px 2px; border-radius: 4px 4px 0 0; padding: 0 calc(1px + (2px * 2)) 0 0; inset: min(0px, (1px + 2px) / 2) 0 }";
  const apart = declarationsOf(css, "a.css").filter(setsSidesApart);
  assert.deepEqual(
    apart.map(({ property }) => property),
    ["inset", "padding"],
  );
});

test("sides are named by the direction of reading", () => {
  const files = globSync("*.css", { cwd: FOLDER });
  assert.ok(files.length > 10);
  const physical = files.flatMap((file) => {
    const css = readFileSync(new URL(file, FOLDER), "utf8");
    const aligned = /(?:text-align|float): (?:left|right)/.exec(css)?.[0];
    return [
      ...declarationsOf(css, file)
        .filter((each) => PHYSICAL.test(each.property) || setsSidesApart(each))
        .map(({ selector, property }) => `${file}, ${selector}: ${property}`),
      ...(aligned ? [`${file}: ${aligned}`] : []),
    ];
  });
  assert.deepEqual(physical, []);
});

test("what is said for some windows is not taken back for all of them", () => {
  const early =
    "@media (width < 1px) { .a, .b { border-inline: 0; color: red } } .b { border: 1px }";
  assert.deepEqual(defeated(declarationsOf(early, "early.css")), [
    "early.css, @media (width < 1px): border-inline of .b, by early.css",
  ]);
  const order = readFileSync(new URL("main.css", FOLDER), "utf8").matchAll(/"\.\/([\w-]+\.css)"/g);
  const all = [...order].flatMap(([, file]) =>
    declarationsOf(readFileSync(new URL(file!, FOLDER), "utf8"), file!),
  );
  assert.ok(all.length > 1000);
  assert.deepEqual(defeated(all), []);
});
