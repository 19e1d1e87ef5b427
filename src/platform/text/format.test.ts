// The formatter compared with the recording of a real Mastodon, and with hostile text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import { formatField, formatText, type FormatOptions } from "./format.ts";
import { plainText } from "./plain.ts";
import { sanitiseHtml } from "./sanitise.ts";

type Field = { value: string };
type Json = { content?: string; note?: string; fields?: Field[] };
type Exchange = {
  name: string;
  request: { body?: { status?: string; note?: string; fields_attributes?: Record<string, Field> } };
  response: { status: number; json?: Json };
};

const recording = new URL("../../../test/golden/rest.json", import.meta.url);
const { exchanges } = JSON.parse(readFileSync(recording, "utf8")) as { exchanges: Exchange[] };

const HOST = "https://mast.test";
const people = ["alice", "bob", "carol"].map(
  (name) => [name, { url: `${HOST}/@${name}`, username: name }] as const,
);
const options: FormatOptions = {
  mentions: new Map(people),
  tagUrl: (name) => `${HOST}/tags/${name}`,
};

const link = (prefix: string, visible: string, hidden: string, rel = "") =>
  `<a href="${prefix}${visible}${hidden}" target="_blank" rel="nofollow noopener noreferrer${rel}" ` +
  `translate="no"><span class="invisible">${prefix}</span><span class="${hidden && "ellipsis"}">` +
  `${visible}</span><span class="invisible">${hidden}</span></a>`;

describe("the recording", () => {
  const recorded = exchanges.filter(({ request, response }) => {
    return typeof request.body?.status === "string" && response.json?.content !== undefined;
  });

  test("statuses, to the byte", () => {
    assert.ok(recorded.length >= 12, "the recording has statuses");
    for (const { name, request, response } of recorded) {
      assert.equal(formatText(request.body?.status ?? "", options), response.json?.content, name);
    }
  });

  test("a bio and its fields, to the byte", () => {
    const update = exchanges.find(({ name }) => name === "account/update");
    const { body } = update?.request ?? {};
    assert.equal(formatText(body?.note ?? "", options), update?.response.json?.note);
    const fields = Object.values(body?.fields_attributes ?? {});
    assert.deepEqual(
      fields.map(({ value }) => formatField(value, options)),
      update?.response.json?.fields?.map(({ value }) => value),
    );
    assert.equal(fields.length, 2);
  });
});

describe("formatText", () => {
  const rows: [name: string, text: string, html: string][] = [
    ["nothing", "", ""],
    ["blank", " \n\t\n", ""],
    ["markup is text", `<b onclick="x">'&`, "<p>&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;</p>"],
    ["line ends of Windows", "a\r\nb\r\n\r\nc", "<p>a<br />b</p><p>c</p>"],
    ["many blank lines", "\n\na\n\n\n\nb\n", "<p>a</p><p>b</p>"],
    ["NUL and half a pair", "a\0b\ud800", "<p>ab\ufffd</p>"],
    ["handles in any case", "@BOB", `<p>${formatText("@bob", options).slice(3, -4)}</p>`],
    ["unknown handles", "@nobody @bob@other.test", "<p>@nobody @bob@other.test</p>"],
    [
      "30 characters are shown whole",
      `https://example.org/${"a".repeat(18)}`,
      `<p>${link("https://", `example.org/${"a".repeat(18)}`, "")}</p>`,
    ],
    [
      "31 characters are cut",
      `https://example.org/${"a".repeat(19)}`,
      `<p>${link("https://", `example.org/${"a".repeat(18)}`, "a")}</p>`,
    ],
    [
      "a cut counts characters, not UTF-16 units",
      `https://a.org/${"🎉".repeat(25)}`,
      `<p>${link("https://", `a.org/${"🎉".repeat(24)}`, "🎉")}</p>`,
    ],
    [
      "the host is never cut",
      `https://www.bank.example.${"a".repeat(30)}.evil.test/login`,
      `<p>${link("https://www.", `bank.example.${"a".repeat(30)}.evil.test`, "/login")}</p>`,
    ],
    ["gemini", "gemini://a.test/x", `<p>${link("", "gemini://a.test/x", "")}</p>`],
    ["xmpp", "xmpp:a@b.test", `<p>${link("xmpp:", "a@b.test", "")}</p>`],
    ["no script", "javascript:alert(1)", "<p>javascript:alert(1)</p>"],
    [
      "no quote leaves a link",
      `https://a.test/"><x>`,
      `<p>${link("https://", "a.test/", "")}&quot;&gt;&lt;x&gt;</p>`,
    ],
  ];
  for (const [name, text, html] of rows) {
    test(name, () => assert.equal(formatText(text, options), html));
  }

  test("two people with the same username are shown with their hosts", () => {
    const mentions = new Map([
      ["bob", { url: `${HOST}/@bob`, username: "bob" }],
      ["bob@other.test", { url: "https://other.test/@bob", username: "bob" }],
    ]);
    const html = formatText("@bob @bob@other.test", { ...options, mentions });
    assert.equal(plainText(html), "@bob @bob@other.test");
    assert.equal(plainText(formatText("@bob@other.test", { ...options, mentions })), "@bob");
  });

  test("addresses of accounts cannot leave their attribute", () => {
    const mentions = new Map([["x", { url: `https://a.test/"><script>`, username: "<i>" }]]);
    const html = formatText("@x", { ...options, mentions });
    assert.ok(!html.includes("<script>") && !html.includes("<i>"), html);
  });
});

describe("formatField", () => {
  test("text is one escaped line", () => {
    assert.equal(formatField(" a < b ", options), "a &lt; b");
  });
  test("links say me", () => {
    const html = `see ${link("https://", "a.test/x", "", " me")}`;
    assert.equal(formatField("see https://a.test/x", options), html);
  });
});

const PARTS = (
  "@bob @bob@x.test @ # #cats #Ünï ＃全 https://a.test/x https://www.b.test/?a=1&b=(2) http:// " +
  "gemini://c.test/~u xmpp:a@b.c magnet:?xt=1 < > & \" ' &amp; <b> </p> ) ( . , é か゛ 👩‍👩‍👧 · _ 1 a"
).split(" ");

test("what is formatted survives the sanitiser with its text", () => {
  const next = seeded(7);
  for (let round = 0; round < 500; round++) {
    const pick = () => PARTS[Math.floor(next() * PARTS.length)] ?? "";
    const gap = () => ["", " ", " ", "\n", "\n\n"][Math.floor(next() * 5)] ?? "";
    const text = Array.from({ length: 1 + Math.floor(next() * 12) }, () => pick() + gap()).join("");
    const html = formatText(text, options);
    const shown = html.replace(/<\/p><p>|<br \/>/g, "\n").replace(/<[^>]*>/g, "");
    // A full-width hash sign is shown as the ASCII one in front of a tag.
    const evenly = (value: string) =>
      value
        .trim()
        .replaceAll("＃", "#")
        .replace(/ *\n\s*/g, "\n");
    const lines = evenly(text);
    const unescaped = shown
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&");
    assert.equal(evenly(unescaped), lines, text);
    const clean = sanitiseHtml(html);
    assert.equal(plainText(clean), plainText(html), text);
    assert.equal(evenly(plainText(clean)), lines, text);
    assert.equal(sanitiseHtml(clean), clean, text);
  }
});
