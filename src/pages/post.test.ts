// A post on pages and in frames: what it quotes, and the shapes of its media.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import { formOf, picture } from "../../test/files.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";

let server: TestApp;
let author: Person;
let quoter: Person;

const write = async (person: Person, json: Record<string, unknown>): Promise<{ id: string }> => {
  return person.post("/api/v1/statuses", json).ok();
};

before(async () => {
  server = await startTestApp();
  [author, quoter] = [await server.person("author"), await server.person("quoter")];
});
after(() => server.close());

const quotable = (status: string, more = {}) =>
  write(author, { status, quote_approval_policy: "public", ...more });
const quote = ({ id }: { id: string }, by = quoter, more = {}) =>
  write(by, { status: "look at this", quoted_status_id: id, ...more });

const PLACES = (id: string) => [`/@quoter/${id}`, `/@quoter/${id}/embed`, "/@quoter"];
const read = async (path: string) => (await server.visitor.get(path)).text.replace(/\s+/g, " ");

test("a quoted post is a card on pages and in frames, with its warning, its media and its author", async () => {
  const multipart = formOf(await picture("png", 90, 60), { description: "a nest" });
  const media = (await author.post("/api/v2/media", multipart)).json.id;
  const quoted = await quotable("<b>quoted words", {
    media_ids: [media],
    spoiler_text: "watch out",
  });
  const { id } = await quote(quoted);
  for (const path of PLACES(id)) {
    const text = await read(path);
    const card = /<article class="quoted" aria-label="Quoted post">(.*?)<\/article>/.exec(
      text,
    )?.[1];
    assert.ok(card, path);
    assert.match(
      card,
      /@author@.*<details class="warning">.*watch out.*&lt;b(?:&gt;|>)quoted words/,
    );
    assert.match(card, /alt="a nest" width="90" height="60"/);
    assert.match(card, new RegExp(`href="[^"]*/@author/${quoted.id}"`));
    // The link that stands for the quote elsewhere is hidden.
    assert.ok(
      /class="text quoting"[^>]*> <p class="quote-inline">/.test(text) ||
        !/<p class="quote-inline">/.test(text),
    );
  }
});

test("a quote in a quoted post is a link", async () => {
  const inner = await quotable("the innermost words");
  const middle = await write(quoter, {
    status: "the middle words",
    quoted_status_id: inner.id,
    quote_approval_policy: "public",
  });
  const { id } = await quote(middle);
  const text = await read(`/@quoter/${id}/embed`);
  assert.ok(text.includes("the middle words") && !text.includes("the innermost words"));
  assert.ok(text.includes(`href="${server.url}/@author/${inner.id}"`));
});

test("what is not shown of a quote is said in words, and nothing of the quoted post is there", async () => {
  const secret = await quotable("secret words");
  const closed = await write(author, { status: "mine", quoted_status_id: secret.id });
  // As a post from elsewhere can be that quotes what only its author's followers see.
  await server.write`UPDATE statuses SET visibility = 'private' WHERE id = ${secret.id}`;
  const own = openBrowser(server);
  await own.signIn("author");
  assert.match((await own.get(`/@author/${closed.id}`)).text, /class="quoted"[^]*secret words/);
  for (const path of [`/@author/${closed.id}`, `/@author/${closed.id}/embed`]) {
    const text = await read(path);
    assert.match(text, /class="quoted gone[^>]*>You can’t see the quoted post/, path);
    assert.doesNotMatch(text, /secret words/);
  }

  const states = {
    pending: /once its author approves/,
    rejected: /doesn’t allow this quote/,
    revoked: /removed it from this post/,
  };
  for (const [state, words] of Object.entries(states)) {
    const quoted = await quotable(`hidden while ${state}`);
    const { id } = await quote(quoted);
    await server.write`UPDATE quotes SET state = ${state} WHERE status_id = ${id}`;
    for (const path of PLACES(id)) {
      const text = await read(path);
      assert.match(text, words, path);
      assert.ok(!text.includes(`hidden while ${state}`), path);
    }
  }

  const gone = await quotable("soon deleted");
  const { id } = await quote(gone);
  await author.delete(`/api/v1/statuses/${gone.id}`);
  assert.match(await read(`/@quoter/${id}`), /The quoted post has been deleted/);
});

test("members do not read quotes of people they blocked", async () => {
  const { id } = await quote(await quotable("loud words"));
  const reader = await server.person("reader");
  await reader.post(`/api/v1/accounts/${author.accountId}/block`);
  const browser = openBrowser(server);
  await browser.signIn("reader");
  const { text } = await browser.get(`/@quoter/${id}`);
  assert.match(text, /by an account you’ve blocked/);
  const [drawn] = text.split('<script type="application/json"', 1);
  assert.doesNotMatch(drawn!, /loud words/);
});

test("media keep their shape: what is small stays small, what is tall is fitted, nothing is cut away", async () => {
  const upload = async (width: number, height: number, description: string) => {
    const multipart = formOf(await picture("png", width, height), { description });
    return (await quoter.post("/api/v2/media", multipart)).json.id as string;
  };
  const sizes: [width: number, height: number, shown: string][] = [
    [40, 30, 'width="40" height="30"'],
    [500, 2000, 'width="128" height="512"'],
    [1600, 900, 'width="768" height="432"'],
  ];
  for (const [width, height, shown] of sizes) {
    const name = `${width} by ${height}`;
    const { id } = await write(quoter, { media_ids: [await upload(width, height, name)] });
    const [img] = new RegExp(`<img src="[^"]*" alt="${name}"[^>]*>`).exec(
      await read(`/@quoter/${id}`),
    )!;
    assert.ok(img.includes(shown), img);
  }
  const media_ids = await Promise.all([
    upload(40, 30, "small"),
    upload(500, 2000, "tall"),
    upload(900, 600, "plain"),
  ]);
  const { id } = await write(quoter, { media_ids });
  const text = await read(`/@quoter/${id}`);
  for (const name of ["small", "tall"]) {
    assert.match(text, new RegExp(`alt="${name}"[^>]*class="whole"`));
  }
  assert.doesNotMatch(text, /alt="plain"[^>]*class=/);
});

test("text is written from the side of its language, also after a handle", async () => {
  const cases: [language: string, text: string, direction: string][] = [
    ["ar", "@author مرحبا", "rtl"],
    ["en", "hello", "auto"],
  ];
  for (const [language, status, direction] of cases) {
    const { id } = await write(quoter, { status, language });
    assert.match(await read(`/@quoter/${id}`), new RegExp(`lang="${language}" dir="${direction}"`));
  }
});

test("a post is named by its author and what it shows, in title and previews", async () => {
  const upload = async (description: string): Promise<string> => {
    const file = formOf(await picture("png", 90, 60), { description });
    return (await author.post("/api/v2/media", file)).json.id;
  };
  const titleOf = async (post: Record<string, unknown>): Promise<string> => {
    const { id } = await write(author, post);
    const text = await read(`/@author/${id}`);
    const [, title = ""] = /<title>([^<]*)<\/title>/.exec(text) ?? [];
    const [, preview = ""] = /<meta property="og:title" content="([^"]*)"/.exec(text) ?? [];
    assert.equal(title, `${preview} - Rookery`);
    return preview;
  };
  const long = "There were once two rooks who lived in the tower of a mill by the river, they say";
  assert.equal(await titleOf({ status: "Good *morning*" }), "author: “Good *morning*”");
  assert.match(await titleOf({ status: long }), /^author: “There were once .{30,45}…”$/);
  assert.equal(await titleOf({ status: "x", spoiler_text: "Plot" }), "author: “Plot”");
  assert.equal(await titleOf({ media_ids: [await upload("A nest")] }), "author: “A nest”");
  assert.equal(await titleOf({ media_ids: [await upload("")] }), "Post by author");
  const hidden = { media_ids: [await upload("A spider")], sensitive: true };
  assert.equal(await titleOf(hidden), "Post by author");
  const event = { name: "Mill night", starts_at: "2040-05-01T18:00:00Z" };
  assert.match(await titleOf({ event }), /^author: “Mill night 2040/);
});

test("a menu without scripts has lines between groups alone", async () => {
  const { id } = await write(author, { status: "with a menu" });
  const own = openBrowser(server);
  await own.signIn("author");
  const { text } = await own.get(`/@author/${id}?menu`);
  const [, menu] = /<nav class="menu-plain"[^>]*>(.*?)<\/nav>/s.exec(text)!;
  assert.doesNotMatch(menu!, /^\s*<hr|<hr[^>]*>\s*(?:<hr|$)/);
});
