// The page template against injection.
import assert from "node:assert/strict";
import { test } from "node:test";
// Imported under another name, because oxfmt reformats templates that are tagged html.
import { escapeHtml, html as page, raw } from "./html.ts";

const EVIL = `"><script>alert('1')</script>&`;

test("text and attributes are escaped", () => {
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";
  assert.equal(String(page`<p>${EVIL}</p>`), `<p>${escaped}</p>`);
  assert.equal(
    String(page`<p title="${EVIL}" x='${EVIL}'>`),
    `<p title="${escaped}" x='${escaped}'>`,
  );
  assert.equal(escapeHtml(EVIL), escaped);
});

test("templates and arrays nest without a second escape", () => {
  const items = ["<a>", "b"].map((name) => page`<li>${name}</li>`);
  assert.equal(String(page`<ul>${items}</ul>`), "<ul><li>&lt;a&gt;</li><li>b</li></ul>");
  assert.equal(String(page`${[["<"], page`<br />`]}`), "&lt;<br />");
});

test("nothing, numbers and false", () => {
  assert.equal(String(page`a${null}${undefined}${false}${true}${0}${1n}${""}b`), "a01b");
});

test("raw is not escaped, look-alikes from JSON are", () => {
  assert.equal(String(page`${raw("<b>x</b>")}`), "<b>x</b>");
  const lookalike = JSON.parse('{"html":"<b>","Symbol(safe html)":true}');
  assert.equal(String(page`${lookalike}`), "[object Object]");
});

test("links cannot run script", () => {
  for (const url of [
    "javascript:x",
    " JavaScript:x",
    "java\nscript:x",
    "\x01data:text/html,x",
    "vbscript:x",
  ]) {
    assert.equal(String(page`<a href="${url}">`), '<a href="#">');
  }
  assert.equal(String(page`<a href="${"/a?b=1&c"}">`), '<a href="/a?b=1&amp;c">');
  const app = "com.example.app://oauth?code=1";
  assert.equal(String(page`<a href="${app}">`), `<a href="${app}">`);
});

test("an attribute without quotes is a mistake", () => {
  assert.throws(() => page`<a href=${"x onclick=alert(1)"}>`, /quotes/);
  assert.equal(String(page`<p>a = ${1}</p>`), "<p>a = 1</p>");
});
