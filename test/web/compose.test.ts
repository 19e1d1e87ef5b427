// The composer of the web client: its counter agrees with the server, and drafts are kept within bounds.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHARACTERS_PER_URL,
  countCharacters as countOnServer,
} from "../../src/platform/text/count.ts";
import { countCharacters, excessFrom } from "../../web/src/compose/count.ts";
import { isEmpty, newPart, postOf, withAttempt } from "../../web/src/compose/draft.ts";
import type { Draft, Part, Purpose } from "../../web/src/compose/draft.ts";
import { openDrafts } from "../../web/src/compose/browser-drafts.ts";
import { quoteRefusal } from "../../web/src/compose/quoting.ts";
import { complete, tokenAt } from "../../web/src/compose/token.ts";
import { seeded } from "../seeded.ts";

/** What posts are made of, and what is nearly that. */
const PIECES = [
  ..." \n\t.,:;!?'*~|$%@#()[]/-_=&\uff20\uff03".split(""),
  ..."a Z 9 é e\u0301 日 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽 🇩🇪 3️⃣ \r\n \u200c".split(" "),
  ..."http:// https://example.org https://a.b/c(d)e HTTPS://ÄÖ.example/ü?x=y#z http://user:pw@host.example/".split(
    " ",
  ),
  ..."http://[::1]:80/ https://x.example:123456 magnet:?xt=1 xmpp:a@b.c xmpp: gemini://g.g mailto:a@b.c".split(
    " ",
  ),
  ..."@bob @bob@example.org @bob@localhost:3000 @a.b@c.d.e @bob. @@ @ü a@b.c https://h.example/@bob@other.example".split(
    " ",
  ),
  ..."@bob@🌈🌈🌈.st @bob@🌈 @bob@☃.example @bob@ex－ample.com @bob＠b.example @bob@\u200bb.example @bob- @josé @bobさん @bob@１２３ — 。".split(
    " ",
  ),
  `https://example.org/${"a".repeat(4100)}`,
  `https://example.org/${"b".repeat(300)}`,
];

test("what is too much begins where the limit is passed, with links and mentions whole", () => {
  const from = (text: string, limit: number, warning = ""): string =>
    text.slice(excessFrom({ text, warning, linkCharacters: CHARACTERS_PER_URL }, limit));
  assert.equal(from("abcdef", 4), "ef");
  assert.equal(from("abcdef", 4, "xy"), "cdef");
  assert.equal(from("abcdef", 6), "");
  assert.equal(from("👩‍👩‍👧👍🏽z", 1), "👍🏽z");
  assert.equal(from("a https://example.org/x b", 10), "https://example.org/x b");
  assert.equal(from("a https://example.org/x b", 25), " b");
  assert.equal(from("hi @bob@far.example you", 5), "@bob@far.example you");
  assert.equal(from("hi @bob@far.example you", 8), "you");
  const random = seeded(11);
  for (let round = 0; round < 500; round += 1) {
    const text = Array.from(
      { length: 12 },
      () => PIECES[Math.floor(random() * (PIECES.length - 2))]!,
    ).join(" ");
    const limit = Math.floor(random() * 60);
    const start = excessFrom({ text, warning: "", linkCharacters: CHARACTERS_PER_URL }, limit);
    const isOver = countCharacters(text, "", CHARACTERS_PER_URL) > limit;
    assert.equal(start < text.length, isOver, JSON.stringify([text, limit]));
  }
});

test("the counter counts as the server does, on tricky texts too", () => {
  const random = seeded(7);
  for (const piece of PIECES)
    assert.equal(countCharacters(piece, "", CHARACTERS_PER_URL), countOnServer(piece), piece);
  for (let round = 0; round < 4000; round += 1) {
    const length = 1 + Math.floor(random() * 9);
    const pick = () => PIECES[Math.floor(random() * PIECES.length)]!;
    const text = Array.from({ length }, pick).join("");
    assert.equal(countCharacters(text, "dé", CHARACTERS_PER_URL), countOnServer(text, "dé"), text);
  }
});

const draftOf = (purpose: Purpose, text: string, begin = ""): Draft => ({
  purpose,
  parts: [newPart(text)],
  visibility: "public",
  widest: "public",
  language: "en",
  quotePolicy: "public",
  inReplyTo: null,
  quoted: null,
  scheduledAt: "",
  begin,
});

const memory = (limit = Infinity) => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new Error("full");
      items.set(key, value);
    },
  };
};

test("drafts are kept for each account and purpose apart, and empty ones are not", () => {
  const place = memory();
  const alice = openDrafts(place, "1");
  alice.keep(draftOf({ kind: "new" }, "new"));
  alice.keep(draftOf({ kind: "reply", id: "5" }, "@bob answer", "@bob "));
  alice.keep(draftOf({ kind: "quote", id: "5" }, "quote"));
  alice.keep(draftOf({ kind: "reply", id: "6" }, "@bob ", "@bob "));
  const text = (purpose: Purpose) => alice.find(purpose)?.parts[0]!.text;
  assert.equal(text({ kind: "new" }), "new");
  assert.equal(text({ kind: "reply", id: "5" }), "@bob answer");
  assert.equal(text({ kind: "quote", id: "5" }), "quote");
  assert.equal(text({ kind: "reply", id: "6" }), undefined);
  assert.equal(openDrafts(place, "2").find({ kind: "new" }), null);
  for (const { purpose } of alice.list()) alice.forget(purpose);
  assert.equal(place.items.size, 0);
});

test("the newest drafts stay within bounds, also where the storage is full or spoiled", () => {
  const place = memory();
  let at = 0;
  const drafts = openDrafts(place, "1", () => (at += 1));
  for (let id = 1; id <= 50; id += 1) drafts.keep(draftOf({ kind: "reply", id: `${id}` }, "text"));
  assert.equal(drafts.list().length, 30);
  assert.equal(drafts.find({ kind: "reply", id: "20" }), null);
  drafts.keep(draftOf({ kind: "new" }, "x".repeat(390_000)));
  drafts.keep(draftOf({ kind: "quote", id: "1" }, "y".repeat(390_000)));
  assert.deepEqual(
    drafts
      .list()
      .map(({ purpose }) => purpose.kind)
      .slice(0, 1),
    ["quote"],
  );
  assert.ok([...place.items.values()][0]!.length < 450_000);

  const full = openDrafts(memory(100_000), "1", () => (at += 1));
  full.keep({ ...draftOf({ kind: "draft", id: "1" }, "sent"), isWaiting: true });
  for (let id = 1; id <= 50; id += 1) full.keep(draftOf({ kind: "reply", id: `${id}` }, "text"));
  full.keep(draftOf({ kind: "new" }, "x".repeat(80_000)));
  assert.equal(full.find({ kind: "draft", id: "1" })?.isWaiting, true, "what is to be sent stays");

  const small = openDrafts(memory(600), "1");
  small.keep(draftOf({ kind: "reply", id: "1" }, "first"));
  small.keep(draftOf({ kind: "reply", id: "2" }, "second"));
  assert.deepEqual(
    small.list().map(({ parts }) => parts[0]!.text),
    ["second"],
  );

  place.setItem("rookery:drafts:1", '[{"name":"new"},7,null]');
  assert.equal(drafts.find({ kind: "new" }), null);
  place.setItem("rookery:drafts:1", "{not json");
  assert.equal(drafts.find({ kind: "new" }), null);
});

test("each attempt has the same key until the server has answered, and says whether another text was sent with it", () => {
  const draft = draftOf({ kind: "new" }, "text");
  const bodyWith = (part: Part) => postOf({ ...draft, parts: [part] }).body;
  const part = withAttempt(draft.parts[0]!, bodyWith(draft.parts[0]!));
  assert.equal(withAttempt(part, bodyWith(part)).attempt.key, part.attempt.key);
  const changed = { ...part, text: "other" };
  const { attempt } = withAttempt(changed, bodyWith(changed));
  assert.deepEqual(
    [attempt.key, part.attempt.isOther, attempt.isOther],
    [part.attempt.key, false, true],
  );
  const anew = withAttempt({ ...changed, attempt: undefined }, bodyWith(changed)).attempt;
  assert.notEqual(anew.key, part.attempt.key);
  assert.equal(anew.isOther, false);
});

test("what a draft began with is nothing to keep; a picture or a poll is", () => {
  assert.equal(isEmpty(draftOf({ kind: "new" }, " ")), true);
  const draft = draftOf({ kind: "new" }, "");
  const withPart = (more: object) => ({ ...draft, parts: [{ ...draft.parts[0]!, ...more }] });
  assert.equal(
    isEmpty(withPart({ poll: { options: ["", ""], seconds: 1, multiple: false } })),
    false,
  );
  assert.equal(isEmpty(withPart({ warning: "x" })), false);
});

test("what waits to be sent is kept, though it is just what the draft began with", () => {
  const drafts = openDrafts(memory(), "1");
  const edit = draftOf({ kind: "edit", id: "5" }, "as it was", "as it was");
  drafts.keep({ ...edit, language: "de", isWaiting: true });
  assert.equal(drafts.find(edit.purpose)?.language, "de");
});

test("handles, hashtags and emojis are completed where they are typed", () => {
  const rows: [text: string, token: string | null][] = [
    ["@bo", "@bo"],
    ["hi @bob@exa", "@bob@exa"],
    ["(#tä", "#tä"],
    ["no:thing", null],
    ["mail@example", null],
    [":s", null],
    [":sm", ":sm"],
    ["12:30", null],
    ["#a.b", null],
    ["@", null],
    ["@bob done", null],
  ];
  for (const [text, token] of rows) {
    const at = tokenAt(text, text.length);
    assert.equal(at && text.slice(at.start, at.end), token, text);
  }
  const token = tokenAt("hi @bo there", 6)!;
  const done = { text: "hi @bob@example.org there", cursor: 20 };
  assert.deepEqual(complete("hi @bo there", token, "@bob@example.org"), done);
});

test("a post says why it may not be quoted", () => {
  const approval = { automatic: [], manual: [], current_user: "denied" } as const;
  const refusal = (visibility: "public" | "private" | "direct", more: object = {}) =>
    quoteRefusal({
      visibility,
      quote_approval: { ...approval, automatic: [], manual: [], ...more },
    });
  assert.equal(refusal("public"), "quoting.nobody");
  assert.equal(refusal("public", { automatic: ["followers"] }), "quoting.followers");
  assert.equal(refusal("public", { manual: ["following"] }), "quoting.following");
  assert.equal(refusal("public", { automatic: ["public"] }), "quoting.denied");
  assert.equal(refusal("private"), "quoting.not_public");
  assert.equal(refusal("direct", { current_user: "automatic" }), "quoting.private_mention");
  for (const current_user of ["automatic", "manual", "unknown"])
    assert.equal(refusal("public", { current_user }), null);
});
