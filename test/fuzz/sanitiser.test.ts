// HTML made at random: what the sanitiser leaves has only allowed elements and attributes, does not change when
// it is sanitised again, and takes a bounded time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Parser } from "htmlparser2";
import { LINK_PROTOCOLS } from "../../src/platform/text/protocols.ts";
import { sanitiseHtml } from "../../src/platform/text/sanitise.ts";
import { ODD_TEXTS, fuzz, mutateText } from "../fuzz.ts";
import type { Random } from "../fuzz.ts";

const ELEMENTS = new Set(
  "a p br span del s pre blockquote code b strong u sub sup i em h1 h2 h3 h4 h5 h6 ul ol li ruby rt rp".split(
    " ",
  ),
);
const ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "class", "target", "rel", "translate"],
  p: ["class"],
  span: ["class", "translate"],
  ol: ["start", "reversed"],
  li: ["value"],
};

const NAMES = [
  ...ELEMENTS,
  ..."script style svg math iframe template textarea title noscript xmp plaintext table td img form input select option object x-y base meta".split(
    " ",
  ),
];
const VALUES = [
  "x",
  "https://example.com/a?b=c&d",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "&#106;avascript:alert(1)",
  "data:text/html,x",
  "//evil.example",
  "mention u-url invisible ellipsis",
  "\u0000",
  "'\"><img src=x onerror=alert(1)>",
  "5",
  "no",
];
const ATTRIBUTE_NAMES =
  "href src class style onclick rel target start value translate id xlink:href srcdoc".split(" ");
const PIECES = [
  "text",
  "&lt;script&gt;",
  "&amp;",
  "&#0;",
  "&#x1f600;",
  "<!-- c -->",
  "<!--",
  "-->",
  "<![CDATA[ x ]]>",
  "<!doctype html>",
  "<?php x ?>",
  "</",
  "<",
  ">",
  "\n",
  "<a href='https://a.example/'>https://b.example/</a>",
  ...ODD_TEXTS.filter((text) => text.length < 1000),
];

const tag = (random: Random): string => {
  const name = random.pick(NAMES);
  if (random.chance(0.35)) return `</${name}>`;
  const quote = random.pick(['"', "'", ""]);
  let attributes = "";
  for (let count = random.below(4); count > 0; count--) {
    attributes += ` ${random.pick(ATTRIBUTE_NAMES)}=${quote}${random.pick(VALUES)}${quote}`;
  }
  return `<${name}${attributes}${random.pick([">", ">", ">", "/>", ""])}`;
};

const document = (random: Random): string => {
  let html = "";
  for (let count = random.below(60); count > 0; count--) {
    html += random.chance(0.6) ? tag(random) : random.pick(PIECES);
  }
  return random.chance(0.3) ? mutateText(random, html, "<>/='\"&; \u0000a") : html;
};

const check = (html: string): void => {
  new Parser({
    onopentag(name, attributes) {
      assert.ok(ELEMENTS.has(name), `<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        assert.ok(ATTRIBUTES[name]?.includes(attribute), `${attribute} of <${name}>`);
        if (attribute !== "href") continue;
        const scheme = /^([a-z][a-z\d+.-]*):/i.exec(value)?.[1]?.toLowerCase();
        assert.ok(scheme && LINK_PROTOCOLS.includes(scheme), value);
      }
    },
    oncomment: () => assert.fail("a comment"),
    onprocessinginstruction: () => assert.fail("an instruction"),
  }).end(html);
};

test("what is left of random HTML is allowed, stable, and made in time", () =>
  fuzz(1500, (random) => {
    const html = document(random);
    const start = performance.now();
    const clean = sanitiseHtml(html);
    const ms = performance.now() - start;
    const about = () => `${JSON.stringify(html)} became ${JSON.stringify(clean)}`;
    try {
      check(clean);
    } catch (error) {
      assert.fail(`${(error as Error).message}: ${about()}`);
    }
    assert.equal(sanitiseHtml(clean), clean, about());
    assert.ok(ms < 1000, `${ms} ms: ${about()}`);
  }));
