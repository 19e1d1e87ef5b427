// Which links of a page count, and which texts are a single link that shows its URL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { relMeLinks, soleLink } from "./rel-me.ts";

const BASE = "https://page.example/dir/";

test("a and link with rel me, however it is written; nothing else", () => {
  const html = `<html><head><LINK HREF="https://a.example/@x" REL="ME nofollow"></head>
    <body><a rel=me href=//b.example/@x>b</a> <a href="../c" rel="nofollow
    me">c</a> <a rel="melon" href="https://d.example">d</a>
    <area rel="me" href="https://e.example"> <a rel="me">none</a>
    <!-- <a rel="me" href="https://f.example">f</a> -->
    <script>"<a rel='me' href='https://g.example'>"</script>`;
  assert.deepEqual(relMeLinks(html, BASE), [
    "https://a.example/@x",
    "https://b.example/@x",
    "https://page.example/c",
  ]);
});

test("what is no page, or broken, or huge, has no links and takes no time", () => {
  assert.deepEqual(relMeLinks("", BASE), []);
  assert.deepEqual(relMeLinks('<a rel="me" href="https://[">x', BASE), []);
  assert.deepEqual(relMeLinks("<".repeat(500_000), BASE), []);
  const many = '<a rel="me" href="/x">'.repeat(30_000);
  assert.equal(relMeLinks(many, BASE).length, 500);
  const before = process.cpuUsage();
  relMeLinks("<b>".repeat(150_000) + "</i>".repeat(150_000), BASE);
  relMeLinks("<b>".repeat(15_000) + "</i>".repeat(250_000), BASE);
  relMeLinks("<table><tr><td>".repeat(70_000), BASE);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_000_000, `${user / 1000} ms`);
});

test("one link whose text is its address, shortened or not", () => {
  const shortened =
    '<a href="https://a.example/path" rel="me"><span class="invisible">https://</span>' +
    '<span>a.example</span><span class="invisible">/path</span></a>';
  assert.equal(soleLink(shortened), "https://a.example/path");
  assert.equal(soleLink(' <a href="http://a.example">http://a.example</a> '), "http://a.example");
});

test("a text that could claim another page is none", () => {
  const link = '<a href="https://a.example">https://a.example</a>';
  for (const html of [
    "",
    "https://a.example",
    `see ${link}`,
    `${link}!`,
    link + link,
    '<a href="https://a.example">https://b.example</a>',
    '<a href="https://a.example">me</a>',
    "<a>https://a.example</a>",
    '<a href="javascript:alert(1)">javascript:alert(1)</a>',
    '<a href="gemini://a.example">gemini://a.example</a>',
  ]) {
    assert.equal(soleLink(html), null, html);
  }
});
