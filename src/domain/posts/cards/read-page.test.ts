// What is read of pages: charsets, JSON-LD, hostile HTML within a bounded time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeHtml } from "../../../platform/text/charset.ts";
import { articleIn } from "./json-ld.ts";
import { makeCard } from "./make.ts";
import { readPage } from "./read-page.ts";

const BASE = "https://paper.example/story/1";
const cardOf = (html: string) => makeCard(readPage(html), null, BASE);

test("the charset: mark, header, meta, and what the bytes look like", () => {
  const latin = Buffer.from("<title>caf\xe9</title>", "latin1");
  assert.match(decodeHtml(latin, "text/html; charset=ISO-8859-1"), /café/);
  assert.match(decodeHtml(latin, "text/html"), /café/);
  assert.match(decodeHtml(Buffer.from("<title>café</title>"), "text/html"), /café/);
  assert.match(decodeHtml(Buffer.from("\ufeff<title>café"), "text/html; charset=latin1"), /café/);
  const meta = Buffer.concat([
    Buffer.from(`<head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`),
    Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
  ]);
  assert.match(decodeHtml(meta, "text/html"), /テスト/);
  assert.match(decodeHtml(Buffer.from("<p>x"), "text/html; charset=nonsense"), /<p>x/);
  const cut = Buffer.from("<title>caf\u00e9").subarray(0, -1);
  assert.match(decodeHtml(cut, "text/html"), /caf\ufffd/);
});

test("OpenGraph before Twitter before JSON-LD before plain HTML", () => {
  const plain = `<title> Plain
    title </title><meta name="description" content="plain"><svg><title>icon</title></svg>`;
  const jsonLd = `<script type="application/ld+json">[{"@type":"Organization","name":"Org"},
    {"@graph":[{"@type":"NewsArticle","headline":"Headline","description":["ld"],"image":{"url":"/i.png"},
    "author":[{"name":"Ann","url":"https://ann.example/"}],"publisher":{"name":"Paper"},
    "datePublished":"2026-01-02","inLanguage":"fr-FR"}]}]</script>`;
  const twitter = `<meta name="twitter:title" content="Tweet"><meta name="twitter:image" content="//cdn.example/t.png">`;
  const graph = `<meta property="og:title" content="Graph"><meta property="og:title" content="Second">`;
  assert.deepEqual(
    [plain, plain + jsonLd, plain + jsonLd + twitter, plain + jsonLd + twitter + graph].map(
      (html) => cardOf(html)!.card.title,
    ),
    ["Plain title", "Headline", "Tweet", "Graph"],
  );
  const { card } = cardOf(plain + jsonLd)!;
  assert.deepEqual(
    [card.description, card.author_name, card.author_url, card.provider_name, card.language],
    ["ld", "Ann", "https://ann.example/", "Paper", "fr"],
  );
  assert.equal(card.published_at, "2026-01-02T00:00:00.000Z");
  assert.equal(card.image_url, "https://paper.example/i.png");
  assert.equal(cardOf(plain + jsonLd + twitter)!.card.image_url, "https://cdn.example/t.png");
});

test("addresses that are none are left out", () => {
  const { card, creator } = cardOf(`<title>x</title>
    <meta property="og:image" content="javascript:pwn()"><meta property="og:image:url" content="data:x">
    <meta property="article:author" content="javascript:pwn()"><meta name="fediverse:creator" content="x y@z">
    <meta property="article:published_time" content="yesterday">`)!;
  assert.deepEqual(
    [card.image_url, creator, card.author_url, card.published_at],
    [null, null, "", null],
  );
  assert.equal(cardOf("<meta name='description' content='without a title'>"), null);
});

test("broken JSON-LD is none", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  for (const text of [
    "",
    "{",
    "null",
    "1",
    '"x"',
    deep,
    '{"@type":{"a":1}}',
    '{"@type":"WebSite"}',
  ]) {
    assert.equal(articleIn([text]), null, text.slice(0, 20));
  }
  const odd = articleIn(['{"@type":"Article","headline":{"a":1},"author":[[]],"image":[{}]}'])!;
  assert.deepEqual([odd.headline, odd.authorName, odd.image], ["", "", ""]);
});

test("hostile pages are read within a bounded time", () => {
  const megabyte = 1024 * 1024;
  const hostile = [
    "<div>".repeat(megabyte / 5),
    `${"<b>".repeat(megabyte / 8)}${"</i>".repeat(megabyte / 8)}`,
    "<b>".repeat(14_900) + "</i>".repeat(250_000),
    "<table><tr><td>".repeat(4900) + "</i>".repeat(240_000),
    `<meta ${"a='1' ".repeat(megabyte / 6)}>`,
    `<title>${"x".repeat(megabyte)}`,
    `<script type="application/ld+json">${"[".repeat(megabyte)}`,
    "<script>".repeat(megabyte / 8),
    "<!--".repeat(megabyte / 4),
    `<title>${"&amp;".repeat(megabyte / 5)}`,
    "<svg><title>".repeat(megabyte / 12),
  ];
  const before = process.cpuUsage();
  for (const html of hostile) cardOf(html);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 3_000_000, `${user / 1000} ms`);
  const facts = readPage(`<title>First</title>${"<p>".repeat(50_000)}`);
  assert.equal(facts.title, "First");
  assert.ok(readPage(hostile[3]!).title.length <= 4096);
});
