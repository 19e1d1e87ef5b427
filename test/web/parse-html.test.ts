// The client's reading of HTML: nothing but the allowed elements, whatever comes; and our own sanitised HTML as a whole
// parser reads it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDocument } from "htmlparser2";
import { LINK_PROTOCOLS } from "../../src/platform/text/protocols.ts";
import { sanitiseHtml } from "../../src/platform/text/sanitise.ts";
import { decode, parseHtml, plainText, withoutQuoteLines } from "../../web/src/text/parse-html.ts";
import type { Node } from "../../web/src/text/parse-html.ts";
import { fuzz } from "../fuzz.ts";
import type { Random } from "../fuzz.ts";

const ELEMENTS =
  "a b blockquote br code del em h1 h2 h3 h4 h5 h6 i li ol p pre rp rt ruby s span strong u ul".split(
    " ",
  );
const ATTRIBUTES = "href class rel translate value start reversed lang".split(" ");

const PIECES = [
  ..."<>\"'=&/ \n;:#-!a".split(""),
  ..."<p> </p> <a </a> href= <script> </script> <style <b <br/> <img onerror= src= <!-- --> <svg> <math> </ javascript: java&#10;script: https://a.test/ &lt; &amp; &#x3c; &#60; data:text/html, <textarea> </textarea> <title> onclick= style= <constructor> __proto__ text".split(
    " ",
  ),
];

const garbage = (random: Random): string =>
  Array.from({ length: random.below(40) }, () => random.pick(PIECES)).join("");

const check = (nodes: readonly Node[], depth = 0): void => {
  assert.ok(depth <= 20);
  for (const node of nodes) {
    if (typeof node === "string") continue;
    assert.ok(ELEMENTS.includes(node.name), node.name);
    for (const [name, value] of Object.entries(node.attributes)) {
      assert.ok(ATTRIBUTES.includes(name), name);
      if (name === "href")
        assert.match(
          new URL(value, "https://here.test").protocol,
          /^(?!javascript:|data:|vbscript:|blob:|file:)/,
        );
    }
    check(node.children, depth + 1);
  }
};

const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");

/** Neighbouring texts as one, as trees of both parsers have them. */
const tidy = (nodes: unknown[]): unknown[] =>
  nodes.reduce<unknown[]>((all, node) => {
    const last = all.at(-1);
    if (typeof node === "string" && typeof last === "string")
      return [...all.slice(0, -1), last + node];
    return node === "" ? all : [...all, node];
  }, []);

const ours = (node: Node): unknown =>
  typeof node === "string" ? node : [node.name, node.attributes, tidy(node.children.map(ours))];

const theirs = (node: any): unknown =>
  node.type === "text"
    ? node.data
    : [node.name, attributesLeft(node), tidy(node.children.map(theirs))];

/** `target` is set by the client itself. */
const attributesLeft = ({ attribs }: any): object => {
  const { target: _target, ...left } = attribs;
  return left;
};

describe("reading HTML", () => {
  test("whatever comes, nothing but allowed elements, attributes and links", async () => {
    await fuzz(3000, (random) => check(parseHtml(garbage(random))));
  });

  test("a text without elements is kept to the letter", async () => {
    const letters = ["a", " ", "<", ">", "&", '"', "'", "\n", "é", "🐦", "< b", "1<2", "</", "<!"];
    await fuzz(2000, (random) => {
      const text = Array.from({ length: random.below(30) }, () => random.pick(letters)).join("");
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      assert.equal(textOf(parseHtml(escaped)), text);
      assert.equal(decode(escaped), text);
    });
    assert.equal(plainText("1 < 2 and 3 <4, never closed"), "1 < 2 and 3 <4, never closed");
    assert.equal(plainText("a <b c"), "a <b c");
  });

  test("our sanitised HTML is read as a whole parser reads it", async () => {
    await fuzz(1500, (random) => {
      const html = sanitiseHtml(garbage(random));
      const document = parseDocument(html, { decodeEntities: true });
      assert.deepEqual(tidy(parseHtml(html).map(ours)), tidy(document.children.map(theirs)), html);
    });
  });

  test("links of every protocol that the server lets through, and no other", () => {
    const link = (href: string) => (parseHtml(`<a href="${href}">x</a>`)[0] as any).attributes.href;
    for (const protocol of LINK_PROTOCOLS) {
      const href = `${protocol}://a.test/x`;
      assert.equal(link(href), href);
    }
    for (const href of [
      "javascript:1",
      " java\nscript:1",
      "data:text/html,x",
      "//a.test",
      "",
      "JaVaScRiPt:1",
      "\u0001javascript:1",
      "blob:https://a.test/1",
      "vbscript:x",
    ])
      assert.equal(link(href), undefined, href);
  });

  test("reads once, however much is open or never closed", () => {
    // Each takes minutes where it is read again from every piece.
    const size = 400_000;
    for (const piece of [
      "<",
      "<a",
      "</a",
      "<!--",
      '<a "',
      "<a '",
      "<p>",
      "<p></b>",
      "&",
      "&#",
      "<a href=",
      "<a x",
      "<!-- <a>",
    ])
      parseHtml(piece.repeat(size / piece.length));
    parseHtml(`<${"a".repeat(size)}`);
    parseHtml(`<a ${" ".repeat(size)}>`);
    parseHtml(`<a ${"x".repeat(size)}=${" ".repeat(size)}>`);
    check(parseHtml("<p>".repeat(size / 3)));
  });
});

test("of what was parsed last a bounded part is kept", () => {
  const html = (number: number) => `<p>${number} ${"heron ".repeat(10_000)}</p>`;
  const first = parseHtml(html(0));
  assert.equal(parseHtml(html(0)), first);
  for (let number = 1; number < 10; number += 1) parseHtml(html(number));
  assert.notEqual(parseHtml(html(0)), first);
  assert.deepEqual(parseHtml(html(0)), first);
});

test("the line of a quote is left out wherever it stands, with the breaks above it and what it leaves empty", () => {
  const line = '<span class="quote-inline"><br><br>RE: <a href="https://a.test/">a</a></span>';
  const outline = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => (typeof node === "string" ? node : `<${node.name}>${outline(node.children)}`))
      .join("");
  const read = (html: string) => outline(withoutQuoteLines(parseHtml(html)));
  const plain = "<p>see<br>it";
  assert.equal(read(`<p class="quote-inline">RE: a</p><p>see<br>it</p>`), plain);
  assert.equal(read(`<p>see<br>it${line}</p>`), plain);
  assert.equal(read(`<p>see<br>it<br><br>${line}</p>`), plain);
  assert.equal(read(`<p>${line}</p>`), "");
  assert.equal(read("<p>see<br>it</p>"), plain);
});
