// The page of a post whose thread is long: what is drawn of it has a bound, and links lead to all the rest.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { startLongThread } from "../../../test/long-thread.ts";
import type { LongThread, Shape } from "../../../test/long-thread.ts";

/** Several times what a document has of a thread. */
const ANSWERS = 400;
/** So many pages of a thread are followed: of "comb" each has few posts. */
const MAX_PAGES = 16;
/** Posts of a thread that one document has at most, and what they take. */
const MAX_POSTS = 100;
const MAX_BYTES = 700_000;

const SHAPES: readonly Shape[] = ["wide", "deep", "comb"];

let server: TestApp;
let member: Browser;
let people: readonly [Person, Person];
let threads: Record<Shape, LongThread>;

before(async () => {
  server = await startTestApp();
  people = [await server.person("alice"), await server.person("bob")];
  const [wide, deep, comb] = [
    await startLongThread(server, people, "wide", ANSWERS),
    await startLongThread(server, people, "deep", ANSWERS),
    await startLongThread(server, people, "comb", ANSWERS),
  ];
  threads = { wide, deep, comb };
  member = openBrowser(server);
  await member.signIn("alice");
});
after(() => server.close());

/** The posts that a document draws, in its order. */
const drawn = (html: string): string[] =>
  [...html.matchAll(/<article[^>]*data-status="(\d+)"/g)].map(([, id]) => id!);

const page = async (path: string): Promise<string> => {
  const answer = await member.get(path);
  assert.equal(answer.status, 200, path);
  return answer.text;
};

const linksOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href]) => href!.replaceAll("&amp;", "&"))
    .filter((href) => pattern.test(href));

for (const shape of SHAPES) {
  test(`of ${ANSWERS} answers (${shape}) a bounded part is drawn, wherever the page begins`, async (t) => {
    const thread = threads[shape];
    for (const id of [thread.root, thread.answers[ANSWERS / 2]!, thread.answers.at(-1)!]) {
      const html = await page(thread.pathOf(id));
      const posts = drawn(html);
      t.diagnostic(`${posts.length} posts, ${html.length} bytes`);
      assert.ok(posts.includes(id));
      assert.ok(posts.length <= MAX_POSTS, `${posts.length} posts`);
      assert.ok(html.length <= MAX_BYTES, `${html.length} bytes`);
    }
  });

  test(`links lead from the first post to every answer (${shape})`, async () => {
    const thread = threads[shape];
    const seen = new Set<string>();
    const asked = new Set<string>();
    const left = [thread.pathOf(thread.root)];
    for (let path = left.pop(); path && asked.size < MAX_PAGES; path = left.pop()) {
      asked.add(path);
      // Each page may be the way to the next.
      // oxlint-disable-next-line no-await-in-loop
      const html = await page(path);
      const before = seen.size;
      for (const id of drawn(html)) seen.add(id);
      assert.ok(seen.size > before, path);
      const here = new URL(path, "http://localhost").pathname;
      const further = linksOf(html, /^\?after=\d+$/).map((href) => here + href);
      const branches = linksOf(html, /^\/@\w+\/\d+#replies$/).map((href) =>
        href.replace(/#.*/, ""),
      );
      left.push(...[...further, ...branches].filter((each) => !asked.has(each)));
    }
    if (asked.size < MAX_PAGES)
      assert.deepEqual(
        thread.answers.filter((id) => !seen.has(id)),
        [],
      );
  });
}

test("links lead from the last answer up to the first post", async () => {
  const thread = threads.deep;
  const seen = new Set<string>();
  let path = thread.pathOf(thread.answers.at(-1)!);
  for (let pages = 0; pages < ANSWERS; pages += 1) {
    // Each page has the way to the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const html = await page(path);
    for (const id of drawn(html)) seen.add(id);
    const [, earlier] = /<a class="[^"]*earlier" href="([^"]+)"/.exec(html) ?? [];
    if (!earlier) break;
    path = earlier;
  }
  assert.deepEqual(
    [thread.root, ...thread.answers].filter((id) => !seen.has(id)),
    [],
  );
});

test("the first post of a thread is drawn on every page of it, however deep", async () => {
  const thread = threads.deep;
  const html = await page(thread.pathOf(thread.answers.at(-1)!));
  assert.equal(drawn(html)[0], thread.root);
});

/** Returns the milliseconds of CPU that eight who open a thread at once take: the fewest of four times. */
const cpuOf = async (thread: LongThread): Promise<number> => {
  const path = thread.pathOf(thread.root);
  await page(path);
  let fewest = Infinity;
  for (let time = 0; time < 4; time += 1) {
    const before = process.cpuUsage();
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all(Array.from({ length: 8 }, () => page(path)));
    const { user, system } = process.cpuUsage(before);
    fewest = Math.min(fewest, Math.round((user + system) / 1000));
  }
  return fewest;
};

test("eight who open it at once take little more than those of a thread of a hundred", async () => {
  const few = await cpuOf(await startLongThread(server, people, "wide", 100));
  const many = await cpuOf(await startLongThread(server, people, "wide", 1000));
  assert.ok(many < few * 4, `${many} ms of CPU, and ${few} for a tenth of the answers`);
});
