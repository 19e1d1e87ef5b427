// The styles of the web client: what is said for some windows alone comes after what it changes, else it has no effect.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../web/src/styles/", import.meta.url);

type Declaration = { file: string; media: string; selector: string; property: string };

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
    const property = text.split(":", 1)[0]!.trim();
    if (property && !selector.startsWith("@"))
      for (const each of selector.split(/,(?![^(]*\))/)) {
        const media = around.find((name) => name.startsWith("@media")) ?? "";
        declarations.push({ file, media, selector: each.trim(), property });
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

test("sides are named by the direction of reading", () => {
  const files = globSync("*.css", { cwd: FOLDER });
  assert.ok(files.length > 10);
  const physical = files.flatMap((file) => {
    const css = readFileSync(new URL(file, FOLDER), "utf8");
    const aligned = /(?:text-align|float): (?:left|right)/.exec(css)?.[0];
    return [
      ...declarationsOf(css, file)
        .filter(({ property }) => PHYSICAL.test(property))
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
