// Lengths as clients show them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CHARACTERS_PER_URL, countCharacters, countGraphemes } from "./count.ts";

const long = `https://example.org/${"a".repeat(300)}`;
const rows: [text: string, length: number][] = [
  ["", 0],
  ["hello", 5],
  ["a\r\nb", 3],
  ["日本語", 3],
  ["👩‍👩‍👧", 1],
  ["🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽🇩🇪3️⃣", 4],
  ["e\u0301", 1],
  [long, 23],
  [`see ${long}, ok`, 4 + 23 + 4],
  ["http://a.b", 23],
  ["http://", 7],
  ["@bob", 4],
  ["@bob@example.org", 4],
  ["hi @bob@localhost:3000!", 8],
  ["bob@example.org", 15],
  ["#cats", 5],
];
for (const [text, length] of rows) {
  test(JSON.stringify(text.slice(0, 40)), () => assert.equal(countCharacters(text), length));
}

test("the content warning counts too, as plain text", () => {
  assert.equal(countCharacters("abc", "dé"), 5);
  assert.equal(countCharacters("", "@bob@example.org"), 16);
});

test("the number the API announces", () => assert.equal(CHARACTERS_PER_URL, 23));

test("a long text takes little time", () => {
  const start = process.cpuUsage();
  assert.equal(countGraphemes("e\u0301".repeat(50_000)), 50_000);
  assert.equal(countGraphemes(`e${"\u0301".repeat(100_000)}`), 1);
  assert.ok(process.cpuUsage(start).user < 1e6);
});
