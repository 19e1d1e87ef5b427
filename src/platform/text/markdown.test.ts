import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMarkdown, parseMarkdown } from "./markdown.ts";
import { sanitiseHtml } from "./sanitise.ts";

const OPTIONS = {
  mentions: new Map([
    ["bob", { url: "https://here.example/@bob", username: "bob" }],
    ["b_ob_@far.example", { url: "https://far.example/@b_ob_", username: "b_ob_" }],
  ]),
  tagUrl: (name: string) => `https://here.example/tags/${name}`,
};

/** Without the attributes of links but their addresses. */
const format = (text: string): string =>
  formatMarkdown(parseMarkdown(text), OPTIONS)
    .replaceAll(/<a href="([^"]*)"[^>]*>/g, "<a $1>")
    .replaceAll(/<\/?span[^>]*>/g, "");

const entitiesOf = (text: string): string[] =>
  parseMarkdown(text).entities.map((entity) => {
    if (entity.type === "url") return entity.url;
    return entity.type === "hashtag" ? `#${entity.name}` : `@${entity.handle}`;
  });

test("headings, lists, quotes, code, emphasis and line breaks", () => {
  assert.equal(
    format("## Head\n\n*a* _b_ **c** ~~d~~ `e <b>`\nnext  \nthird"),
    "<p><strong>Head</strong></p>" +
      "<p><em>a</em> <em>b</em> <strong>c</strong> <del>d</del> <code>e &lt;b&gt;</code><br />next<br />third</p>",
  );
  assert.equal(
    format("- one\n- two\n  1. three\n\n3. four"),
    '<ul><li>one</li><li>two<ol><li>three</li></ol></li></ul><ol start="3"><li>four</li></ol>',
  );
  assert.equal(
    format("> a\n> > b\n\n```js\nx < 1\n\ny\n```\n\n    z"),
    "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>" +
      "<pre><code>x &lt; 1\n\ny</code></pre><pre><code>z</code></pre>",
  );
});

test("links by label, in angle brackets and as they are; only to where posts may link", () => {
  assert.equal(
    format('[a *b*](https://x.example/_y_ "t")'),
    "<p><a https://x.example/_y_>a <em>b</em></a></p>",
  );
  assert.equal(
    format("<https://x.example/a_b_>"),
    "<p><a https://x.example/a_b_>https://x.example/a_b_</a></p>",
  );
  assert.equal(
    format("see https://x.example/_a_*b*c."),
    "<p>see <a https://x.example/_a_*b*c>https://x.example/_a_*b*c</a>.</p>",
  );
  for (const target of [
    "javascript:alert(1)",
    "data:text/html,x",
    "/web",
    "x",
    "//x.example",
    "mailto:a@b.example",
  ])
    assert.equal(format(`[a](${target})`).includes("<a "), false, target);
  assert.equal(
    format("![alt](https://x.example/a.png)"),
    "<p>!<a https://x.example/a.png>alt</a></p>",
  );
  assert.equal(
    format("[https://x.example/a](https://y.example/b)"),
    "<p><a https://y.example/b>https://x.example/a</a></p>",
  );
});

test("mentions and hashtags are found in all of it but code, escapes and labels of links", () => {
  assert.deepEqual(
    entitiesOf("# @bob\n- **#one** *@b_ob_@far.example*\n\n> #two_x_y, https://x.example/#no"),
    ["@bob", "#one", "@b_ob_@far.example", "#two_x_y", "https://x.example/#no"],
  );
  assert.deepEqual(
    entitiesOf(
      "`@bob #x` \\@bob \\#x [@bob #x](https://x.example)\n\n```\n@bob #x\n```\n\n    @bob",
    ),
    [],
  );
  assert.equal(
    format("#tag @bob @nobody"),
    "<p><a https://here.example/tags/tag>#tag</a> <a https://here.example/@bob>@bob</a> @nobody</p>",
  );
});

test("HTML is text", () => {
  assert.equal(
    format('<b>x</b> <script>alert(1)</script> <img src=x onerror="y"> &lt;i&gt;'),
    "<p>&lt;b&gt;x&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=&quot;y&quot;&gt; &lt;i&gt;</p>".replaceAll(
      "&quot;",
      '"',
    ),
  );
  const html = formatMarkdown(
    parseMarkdown('# a\n\n[x](https://x.example/"><script>) @bob #t `y`'),
    OPTIONS,
  );
  assert.equal(sanitiseHtml(html), html);
  assert.doesNotMatch(html, /<script/);
});

test("what has marks alone is shown as it was typed", () => {
  for (const text of ["***", "- ", "> ", "#", "---"])
    assert.match(format(text), /^<p>.+<\/p>$/, text);
  assert.equal(format("---"), "<p>---</p>");
});

// Each takes seconds, or forever, in parsers that look at the same characters again and again.
const HOSTILE = [
  "[",
  "![",
  "**a ",
  "*a_ ",
  "`a``b```",
  "> ",
  "- ",
  "[a](",
  "<https://a.b ",
  "~~a",
  "_a_*",
  "]",
  "a**b",
  "*_",
  "&#x",
];

test("hostile texts take time in proportion to their length", () => {
  const timeOf = (text: string): number => {
    const start = process.cpuUsage();
    formatMarkdown(parseMarkdown(text), OPTIONS);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const long = HOSTILE.map((unit) => unit.repeat(20_000 / unit.length));
  const nested = [
    Array.from({ length: 300 }, (_, n) => `${" ".repeat(n * 2)}- a\n`).join(""),
    Array.from({ length: 300 }, (_, n) => `${"> ".repeat(n)}a\n`).join(""),
    Array.from({ length: 200 }, (_, n) => "`".repeat(n + 1)).join(" "),
    `${"[".repeat(10_000)}a${"](b)".repeat(2_000)}`,
  ];
  // 20 ms each where it is quiet: what grows with the square takes more than a hundred times as much.
  for (const text of [...long, ...nested])
    assert.ok(timeOf(text) < 5_000, JSON.stringify(text.slice(0, 20)));
});
