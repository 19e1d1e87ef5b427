// The sanitiser's allowlist, its links, and hostile input.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import { escapeHtml } from "./html.ts";
import { plainText, sanitiseName, storedText } from "./plain.ts";
import { LINK_PROTOCOLS } from "./protocols.ts";
import { sanitiseHtml } from "./sanitise.ts";

const REST = `target="_blank" rel="nofollow noopener noreferrer"`;

describe("what stays and what goes", () => {
  const rows: [name: string, html: string, expected: string][] = [
    ["plain text", "a & b", "a &amp; b"],
    [
      "allowed elements",
      "<p><em>a</em><br><del>b</del></p>",
      "<p><em>a</em><br /><del>b</del></p>",
    ],
    [
      "lists",
      '<ol start="3" reversed><li value="7">x</ol>',
      '<ol start="3" reversed><li value="7">x</li></ol>',
    ],
    ["odd numbers", '<ol start="x"><li value="1;2">x', "<ol><li>x</li></ol>"],
    ["headings", "<h1>a</h1><h6>b</h6>", "<p><strong>a</strong></p><p><strong>b</strong></p>"],
    ["a paragraph in a heading", "<h1>a<p>b</p></h1>", "<p><strong>a b </strong></p>"],
    ["unknown elements", "<foo><bar-x>a</bar-x></foo>", "a"],
    ["boxes", "<div>a</div><div>b</div>", "a b"],
    ["tables", "<table><tr><td>a<td>b</table>", "a b"],
    ["script", "a<script>b</script>c<style>d</style>e", "ace"],
    ["attributes", '<p onclick="x" style="y" id="z">a</p>', "<p>a</p>"],
    ["images", '<img src=x onerror="alert(1)">a', "a"],
    [
      "classes",
      '<span class="h-card u-url mention evil fa-spin">a</span>',
      '<span class="h-card u-url mention">a</span>',
    ],
    [
      "the line of a quote",
      '<p class="quote-inline x">RE: a</p><span class="quote-inline">b</span>',
      '<p class="quote-inline">RE: a</p><span class="quote-inline">b</span>',
    ],
    [
      "the lines of an event and of a page",
      '<p class="event-inline x">Ball</p><span class="event-inline">b</span><p class="page-inline">c</p>',
      '<p class="event-inline">Ball</p><span>b</span><p class="page-inline">c</p>',
    ],
    ["classes of others", '<p class="mention">a</p>', "<p>a</p>"],
    ["comments", "a<!-- <b> -->b<![CDATA[c]]>", "ab"],
    ["a whole page", "<html><head><title>t</title></head><body><p>a</p></body></html>", "<p>a</p>"],
    ["unclosed", "<p>a <b>b", "<p>a <b>b</b></p>"],
    ["stray ends", "a</b></div>b", "ab"],
    ["NUL and half a pair", "a\0b\ud800", "ab\ufffd"],
    [
      "translate",
      '<span translate="no">a</span><span translate="yes">b</span>',
      '<span translate="no">a</span><span>b</span>',
    ],
  ];
  for (const [name, html, expected] of rows) {
    test(name, () => assert.equal(sanitiseHtml(html), expected));
  }

  test("elements, classes and protocols are those of the contract", () => {
    const file = new URL("../../../test/contract/activitypub.json", import.meta.url);
    const { html } = JSON.parse(readFileSync(file, "utf8"));
    assert.deepEqual(LINK_PROTOCOLS.toSorted(), html.link_protocols.toSorted());
    for (const name of Object.keys(html.elements)) {
      const tag = name === "a" ? '<a href="https://a.test/">' : `<${name}>`;
      assert.ok(sanitiseHtml(`${tag}x`).includes(`<${name}`), name);
    }
    for (const name of [...html.class_names, ...html.microformats]) {
      const link = `<a href="https://a.test/x"><span class="${name}">https://a.test/x</span></a>`;
      if (name !== "invisible") assert.ok(sanitiseHtml(link).includes(`class="${name}"`), name);
    }
  });
});

describe("links", () => {
  const rows: [name: string, html: string, expected: string][] = [
    [
      "are not followed",
      '<a href="https://a.test/" rel="me opener">x</a>',
      `<a href="https://a.test/" ${REST}>x</a>`,
    ],
    [
      "of tags say so",
      '<a href="https://a.test/" rel="tag">x</a>',
      `<a href="https://a.test/" ${REST.slice(0, -1)} tag">x</a>`,
    ],
    ["without address", "<a>x</a>", "x"],
    ["relative", '<a href="/x">x</a><a href="//a.test">y</a><a href="x">z</a>', "xyz"],
    [
      "nested",
      '<a href="https://a.test/">x<b><a href="https://b.test/">y</a></b>z</a>',
      `<a href="https://a.test/" ${REST}>x<b>y</b>z</a>`,
    ],
    [
      "quotes",
      `<a href='https://a.test/"><b>'>x</a>`,
      `<a href="https://a.test/&quot;&gt;&lt;b&gt;" ${REST}>x</a>`,
    ],
    ["in a list after an unlinked one", '<ol><li><a href="x:y">x</a></ol>', "<ol><li>x</li></ol>"],
  ];
  for (const [name, html, expected] of rows) {
    test(name, () => assert.equal(sanitiseHtml(html), expected));
  }

  const refused = [
    ..."javascript:alert(1) JaVaScRiPt:alert(1) data:text/html,x vbscript:x file:///etc".split(" "),
    ..."mailto:a@b.test blob:https://a.test/x about:blank feed:javascript:x http: https://".split(
      " ",
    ),
    "java\nscript:alert(1)",
    " javascript:x",
    "\x01javascript:x",
    "java&#9;script:x",
    "&#106;avascript:x",
    "javascript&colon;x",
    "http://[",
    "\u2028javascript:x",
    "ht tp://a",
  ];
  for (const href of refused) {
    test(`${JSON.stringify(href)} becomes text`, () => {
      assert.equal(sanitiseHtml(`<a href="${href}">x</a>`), "x");
    });
  }
  for (const protocol of LINK_PROTOCOLS) {
    test(`${protocol} stays`, () => {
      const href = `${protocol}://a.test/x`;
      assert.equal(sanitiseHtml(`<a href="${href}">x</a>`), `<a href="${href}" ${REST}>x</a>`);
    });
  }
});

describe("a shortened link shows its real host", () => {
  const shortened = (href: string, before: string, shown: string, after: string) =>
    `<a href="${href}" ${REST}><span class="invisible">${before}</span>` +
    `<span class="ellipsis">${shown}</span><span class="invisible">${after}</span></a>`;

  const honest = [
    shortened("https://a.test/x/y", "https://", "a.test/x", "/y"),
    shortened("https://www.a.test/x", "https://www.", "a.test", "/x"),
    shortened("https://a.test/?a=1&amp;b", "https://", "a.test/?a=1&amp;", "b"),
    shortened("https://xn--r8jz45g.test/x", "https://", "例え.test/", "x"),
  ];
  for (const html of honest) {
    test(html.slice(9, 40), () => assert.equal(sanitiseHtml(html), html));
  }

  const lying: [name: string, html: string][] = [
    ["another text", shortened("https://evil.test/", "https://", "bank.test/login", "")],
    [
      "host hidden in front",
      shortened("https://evil.test/bank.test/a", "https://evil.test/", "bank.test/a", ""),
    ],
    [
      "host cut short",
      shortened("https://bank.test.evil.test/", "https://", "bank.test", ".evil.test/"),
    ],
    [
      "user info",
      shortened("https://bank.test@evil.test/", "https://", "bank.test", "@evil.test/"),
    ],
    [
      "all hidden",
      `<a href="https://evil.test/" ${REST}><span class="invisible">https://evil.test/</span></a>`,
    ],
    [
      "hidden in the middle",
      `<a href="https://evil.test/bank" ${REST}>https://<span class="invisible">evil.test/</span>bank</a>`,
    ],
    [
      "nested",
      `<a href="https://evil.test/" ${REST}><span class="invisible"><b>https://evil.test/</b></span>bank.test</a>`,
    ],
    [
      "around the link",
      `<span class="invisible">x <a href="https://evil.test/" ${REST}>bank.test</a></span>`,
    ],
    [
      "outside of links",
      `pay <span class="invisible mention">no</span><span class="ellipsis">t</span>`,
    ],
    [
      "class in capitals and spaces",
      `<a href="https://evil.test/"><span CLASS=" \n invisible">https://evil.test/</span>bank.test</a>`,
    ],
  ];
  for (const [name, html] of lying) {
    test(name, () => {
      const clean = sanitiseHtml(html);
      assert.ok(!/invisible|ellipsis/.test(clean), clean);
      assert.equal(plainText(clean), plainText(html));
    });
  }
});

test("a control before a space does not keep the result from being final", () => {
  for (const html of ["\0\nx", "&#1; <p>x</p>", "<p>x</p> \x02"]) {
    const clean = sanitiseHtml(html);
    assert.equal(sanitiseHtml(clean), clean);
  }
});

describe("hostile input is bounded", () => {
  const many = (part: string) => part.repeat(1e6 / part.length);
  const inputs: Record<string, string> = {
    "100,000 nested": "<b>".repeat(1e5),
    "100,000 nested boxes": "<div>".repeat(1e5),
    "100,000 nested headings": "<h1><p>".repeat(1e5),
    "nested links": many('<a href="https://a.test/">'),
    "starts and other ends": "<b>".repeat(1e4) + "</i>".repeat(1e5),
    "open brackets": many("<"),
    comments: many("<!--"),
    entities: many("&amp"),
    attributes: `<a ${Array.from({ length: 1e5 }, (_, n) => `x${n}=1`).join(" ")}>`,
    classes: `<span class="${many("h-card ")}">`,
    frames: many("<iframe>"),
    noscript: many("<p><noscript></p>"),
    blanks: `x${" ".repeat(1e6)}y`,
    lines: `x${"\n".repeat(1e6)}y`,
    "ten million": "<p>x".repeat(2.5e6),
  };
  for (const [name, html] of Object.entries(inputs)) {
    test(name, () => {
      // Processor time, in microseconds. Work that grows with the square of the input takes minutes.
      const start = process.cpuUsage();
      sanitiseHtml(html);
      plainText(html);
      const took = process.cpuUsage(start).user;
      assert.ok(took < 20e6, `${took} µs`);
    });
  }

  test("nesting ends at a depth", () => {
    const clean = sanitiseHtml("<b>".repeat(1e5));
    assert.ok((clean.match(/<b>/g) ?? []).length <= 64);
    assert.equal(plainText(`${"<b>".repeat(1000)}x`), "x");
  });
});

const PIECES = [
  ..."<p> </p> <a> </a> <b> </b> <h1> </h1> <h2> </h2> <ul> <ol> </ul> <li> </li> <div> </div> <td>".split(
    " ",
  ),
  ..."<blockquote> </blockquote> <pre> </pre> <br> </br> <foo> </foo> <svg> </svg> <math> <mtext>".split(
    " ",
  ),
  ..."<script> </script> <style> <textarea> </textarea> <title> <noscript> </noscript> <!-- -->".split(
    " ",
  ),
  ..."<iframe> <table> <form> <option> <select> <template> < > & &lt; &amp;lt; &quot; \" ' x y &#60;".split(
    " ",
  ),
  '<a href="https://a.test/x">',
  "<a href='javascript:x'>",
  "https://",
  "a.test/x",
  "\n",
  " ",
  '<span class="invisible">',
  '<span class="ellipsis">',
  "</span>",
  "<img src=x onerror=y>",
  "<p title='</p><img src=x>'>",
  "<a href='https://a.test/\"><script>'>",
  "<x/on=1>",
  "<![CDATA[",
];
const TAG = /<\/?[^>]*>/g;
const SAFE_TAG =
  /^<(?:\/(?:p|span|a|del|pre|code|em|strong|b|i|u|ul|ol|li|blockquote)|br \/|(?:p|b|i|u|ul|ol|li|pre|code|em|strong|del|blockquote|span)|span class="[a-z -]+"|a href="https:\/\/a\.test\/[^"<>]*" target="_blank" rel="nofollow noopener noreferrer")>$/;

test("any mixture: only allowed tags come out, and a second time changes nothing", () => {
  const next = seeded(42);
  for (let round = 0; round < 1500; round++) {
    const length = 1 + Math.floor(next() * 25);
    const pick = () => PIECES[Math.floor(next() * PIECES.length)] ?? "";
    const html = Array.from({ length }, pick).join("");
    const clean = sanitiseHtml(html);
    for (const tag of clean.match(TAG) ?? []) assert.match(tag, SAFE_TAG, html);
    assert.ok(!clean.replace(TAG, "").includes("<"), html);
    assert.equal(sanitiseHtml(clean), clean, html);
  }
});

describe("plain text", () => {
  const rows: [html: string, text: string][] = [
    ["<p>a<br>b</p><p>c</p>", "a\nb\n\nc"],
    ["a &lt;b&gt; &amp;amp; &quot;", 'a <b> &amp; "'],
    ["<ul><li>a</li><li>b</li></ul>c", "a\nb\n\nc"],
    ["<script>x</script><h1>t</h1>u", "t\n\nu"],
    [
      '<a href="https://a.test/x"><span class="invisible">https://</span>a.test/x</a>',
      "https://a.test/x",
    ],
    ["", ""],
  ];
  for (const [html, text] of rows) {
    test(JSON.stringify(html.slice(0, 40)), () => {
      assert.equal(plainText(html), text);
      assert.equal(storedText(sanitiseHtml(html)), text);
    });
  }
});

test("of what was stored the escapes of the sanitiser and of our formatter are decoded, once", () => {
  const all = `don't <b> & "x" &#39;`;
  assert.equal(storedText(`<p>${escapeHtml(all)}</p>`), all);
  assert.equal(storedText(sanitiseHtml(`<p>${escapeHtml(all)}</p>`)), all);
});

test("names are one line without controls", () => {
  assert.equal(sanitiseName(" Alice & <b>Co</b> "), "Alice & <b>Co</b>");
  assert.equal(sanitiseName("a\r\nb\u2028c\0d\x1be"), "a b c d e");
  assert.equal(sanitiseName("x\u202egnp.exe\u2066\ufeff"), "xgnp.exe");
  assert.equal(sanitiseName("👩‍👩‍👧 می\u200cخواهم \u200fא"), "👩‍👩‍👧 می\u200cخواهم \u200fא");
  assert.equal(sanitiseName("a\ud800"), "a\ufffd");
  for (const unseen of ["\u200e\u202e \n", "\u200b", "\u00ad\u3164", "\u2800\u2060"])
    assert.equal(sanitiseName(unseen), "", JSON.stringify(unseen));
  assert.equal(sanitiseName("a".repeat(5000), 30).length, 30);
});

test("of a text that is nearly all tags the first 8,000 are read", () => {
  const open = (unit: string) => sanitiseHtml(unit.repeat(40_000)).match(/<li>/g)!.length;
  assert.ok(open("<li>x") <= 8000);
  assert.equal(sanitiseHtml(`${"<p>x</p>".repeat(4000)}`).match(/<p>/g)!.length, 4000);
});
