// Posts are drawn once for all who are given the same of them: what is kept must be what would be drawn now, whoever
// reads, wherever and whenever.

import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { formOf, picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { LOOK_CHOICES } from "../../platform/http/look.ts";
import type { Look } from "../../platform/http/look.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { loadBundle } from "./bundle.ts";
import type { Bundle, Kept, KeptPosts, PageRequest } from "../../../web/src/served/pages.ts";
import { encoded } from "./encoding.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let [asAlice, asBob] = [] as unknown as [Browser, Browser];

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

/** Posts with all that a post can have; the last is for followers. */
const fill = async (): Promise<string> => {
  const upload = formOf(await picture("png", 600, 400), { description: "a grey owl" });
  const media_ids = [(await alice.post("/api/v2/media", upload)).json.id];
  const first = await post(alice, "plain, @bob #owls https://owls.example/");
  await post(bob, "an answer", { in_reply_to_id: first });
  await post(alice, "on it goes", { in_reply_to_id: first });
  await post(alice, "covered", { media_ids, sensitive: true });
  await post(alice, "warned", { spoiler_text: "Owls", language: "ar" });
  const poll = { options: ["yes", "no"], expires_in: 3600 };
  const asked = await post(alice, "asked", { poll });
  await post(bob, "quoted", { quoted_status_id: first });
  await post(bob, "quoted, with a poll", { quoted_status_id: asked });
  await post(bob, "nobody may quote or answer", { quote_approval_policy: "nobody" });
  await bob.post(`/api/v1/statuses/${first}/favourite`);
  await bob.post(`/api/v1/statuses/${first}/react/👍`);
  return post(alice, "for followers", { visibility: "private" });
};

let secret: string;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
  await server.person("carol");
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  secret = await fill();
  await server.runJobs();
  [asAlice, asBob] = [openBrowser(server), openBrowser(server)];
  await asAlice.signIn("alice");
  await asBob.signIn("bob");
});
after(() => server.close());

type Reader = Person | null;
type Get = PageRequest["get"];

const parts = new Map<string, Buffer>();

const partOf = (text: string): Buffer => {
  const part = parts.get(text) ?? Buffer.from(text);
  parts.set(text, part);
  return part;
};

/** Returns a list as the server gives it to pages: the same parts for the same entries. */
const inParts = (text: string): string | Buffer[] => {
  const body: unknown = JSON.parse(text);
  if (!Array.isArray(body)) return text;
  const entries = body.map((each) => partOf(JSON.stringify(each)));
  const divided = entries.flatMap((each, n) => (n === 0 ? [each] : [partOf(","), each]));
  return [partOf("["), ...divided, partOf("]")];
};

/** Returns what pages of a reader are drawn from, lists in parts if `kept` keeps them; each path is asked for once. */
const asking = (bundle: Bundle, reader: Reader, kept: KeptPosts | null = null): Get => {
  const asked = new Map<string, Promise<Answer>>();
  return async (path, params) => {
    const address = bundle.withParams(path, params);
    const answer = asked.get(address) ?? (reader ?? server.visitor).get(address);
    asked.set(address, answer);
    const { status, text, headers } = await answer;
    const body = kept ? inParts(text) : text;
    return bundle.answerIn({ status, body, link: headers.get("link") }, kept ?? keeper());
  };
};

/** Returns the same with these preferences of reading. */
const reading =
  (get: Get, source: object): Get =>
  async (path, params) => {
    const answer = await get<any>(path, params);
    const { body } = answer;
    return body.source
      ? { ...answer, body: { ...body, source: { ...body.source, ...source } } }
      : answer;
  };

/** Returns what keeps posts, and counts how often one is used again. */
const keeper = () => {
  const posts = new Map<string, Kept>();
  const kept: KeptPosts & { used: number } = {
    used: 0,
    get(key) {
      const known = posts.get(key);
      if (known) kept.used += 1;
      return known;
    },
    set: (key, each) => void posts.set(key, each),
    digest: (bytes) => Buffer.from(bytes).toString("latin1"),
  };
  return kept;
};

/** Draws a page at a time, without the key that each drawing of a form makes anew. */
const drawAt = async (bundle: Bundle, now: number, request: PageRequest): Promise<string> => {
  mock.timers.enable({ apis: ["Date"], now });
  try {
    const rendered = await bundle.renderPage(request);
    assert.ok(rendered.kind === "document");
    const html = String(encoded(rendered.parts, "identity"));
    return html.replaceAll(/(name="idempotency_key" value=")[^"]*/g, "$1");
  } finally {
    mock.timers.reset();
  }
};

const MINUTE_MS = 60_000;
/** Minutes around which the words for an age change; the first is before the posts were written. */
const AGES = [-90, -3, 0, 0.5, 1, 1.5, 59, 60, 121, 1439, 1441, 8640, 11_000, 600_000];
const LOOKS: Look[] = Object.entries(LOOK_CHOICES).flatMap(([name, choices]) =>
  choices.slice(1).map((choice) => ({ [name]: choice })),
);
const READING = [true, false].flatMap((is) =>
  ["show_all", "hide_all", "default"].map((expand_media) => ({
    expand_media,
    expand_spoilers: is,
    autoplay_gifs: !is,
  })),
);
const PAGES = ["/home", "/public/local", "/@alice", "/@bob/with_replies", "/public/local?max_id=9"];

test("what is kept is what would be drawn, for every reader, page, look, language and age", async () => {
  const bundle = await loadBundle();
  const kept = keeper();
  const base = { origin: "https://a.example", others: [], linked: [], isAuthor: false };
  const gets = [alice, bob, null].map(
    (reader) => [reader, asking(bundle, reader), asking(bundle, reader, kept)] as const,
  );
  const variants: Partial<PageRequest>[] = [
    ...LOOKS.map((look) => ({ look })),
    ...["de", "ar"].map((language) => ({ texts: textsIn([language]) })),
    ...READING.map((source) => ({ get: reading(gets[1]![1], source), isMember: true })),
    {},
  ];
  const compare = async (now: number, request: PageRequest, get = request.get): Promise<void> =>
    assert.equal(
      await drawAt(bundle, now, { ...request, get, kept }),
      await drawAt(bundle, now, request),
      request.url,
    );
  const present = Date.now();
  for (const [reader, get, getInParts] of gets)
    for (const url of PAGES.filter((each) => reader || each !== "/home")) {
      const plain = {
        ...base,
        url,
        isMember: reader !== null,
        look: {},
        texts: textsIn(["en"]),
        get,
      };
      const request = { ...plain, formToken: `of ${url}` };
      // Both are drawn at one time, which the clock of the whole process stops at.
      // oxlint-disable no-await-in-loop
      for (const more of variants) await compare(present, { ...request, ...more });
      for (const age of AGES) await compare(present + age * MINUTE_MS, request, getInParts);
      // oxlint-enable no-await-in-loop
    }
  assert.ok(kept.used > 500, `${kept.used}`);
});

const pressed = (article: string, act: string): boolean =>
  new RegExp(`data-act="${act}"[^>]*aria-pressed="true"`).test(article);

/** Returns the post as a page shows it; "" where it does not. */
const shown = async (browser: Browser, id: string): Promise<string> => {
  const { text } = await browser.get("/@alice");
  return new RegExp(`<article[^>]*data-status="${id}".*?</article>`, "s").exec(text)?.[0] ?? "";
};

test("each reader has their own marks on a post, and what is for followers reaches nobody else", async () => {
  const stranger = openBrowser(server);
  await stranger.signIn("carol");
  const used = (): number =>
    server.app.caches.figures().find(({ name }) => name === "drawn posts")!.hits;
  assert.match(await shown(asBob, secret), /for followers/);
  const before = used();
  assert.match(await shown(asBob, secret), /for followers/);
  assert.ok(used() > before);
  await bob.post(`/api/v1/statuses/${secret}/favourite`);
  assert.ok(pressed(await shown(asBob, secret), "unfavourite"));
  assert.ok(!pressed(await shown(asAlice, secret), "unfavourite"));
  assert.equal(await shown(stranger, secret), "");
  assert.equal(await shown(openBrowser(server), secret), "");
  await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`);
  assert.equal(await shown(asBob, secret), "");
});

test("a post that a filter matches is covered for whom it is, alone", async () => {
  const id = await post(alice, "full of gravel");
  const json = {
    title: "stones",
    context: ["account"],
    filter_action: "warn",
    keywords_attributes: [{ keyword: "gravel" }],
  };
  assert.doesNotMatch(await shown(asBob, id), /stones/);
  await bob.post("/api/v2/filters", json);
  assert.match(await shown(asBob, id), /stones/);
  assert.doesNotMatch(await shown(asAlice, id), /stones/);
});

test("an answer in parts is read as its text, and a post anew where a part of it is another", async () => {
  const { answerIn } = await loadBundle();
  const kept = keeper();
  const read = (...body: Buffer[]): any => answerIn({ status: 200, body, link: null }, kept).body;
  const [open, comma, close] = [Buffer.from("["), Buffer.from(","), Buffer.from("]")];
  const [begin, end] = [Buffer.from('{"id":"1","account":'), Buffer.from("}")];
  const note = "-".repeat(100);
  const author = Buffer.from(`{"name":"[ü,]","note":"${note}"}`);
  const post = [begin, author, end];
  const context = (first: Buffer[]) => {
    const other = [begin, Buffer.from('["'), Buffer.from('"]'), end];
    const above = [Buffer.from('{"above":'), open, close];
    const below = [Buffer.from(',"below":'), open, ...first, comma, ...other, close];
    return read(...above, ...below, Buffer.from(',"further":[["1",null]]}'));
  };
  const expected = {
    above: [],
    below: [
      { id: "1", account: { name: "[ü,]", note } },
      { id: "1", account: [""] },
    ],
    further: [["1", null]],
  };
  const bodies = [post, post, post].map(context);
  for (const body of bodies) assert.deepEqual(body, expected);
  const [, second, third] = bodies;
  assert.equal(second.below[0], third.below[0]);
  assert.ok(Object.isFrozen(third.below[0].account));
  const renamed = [begin, Buffer.from('{"name":"another"}'), end];
  assert.equal(context(renamed).below[0].account.name, "another");
  assert.equal(context(post).below[0], third.below[0]);
  // As where a row was read from the database again.
  assert.equal(context([begin, Buffer.from(author), end]).below[0], third.below[0]);
  assert.deepEqual(read(...post), expected.below[0]);
});

test("what is changed or deleted after several readings is so for the next reader", async () => {
  const id = await post(alice, "as it was");
  for (const by of [asBob, asBob, asBob, asAlice]) assert.match(await shown(by, id), /as it was/);
  await bob.post(`/api/v1/statuses/${id}/bookmark`);
  assert.ok(pressed(await shown(asBob, id), "unbookmark"));
  assert.ok(!pressed(await shown(asAlice, id), "unbookmark"));
  await alice.put(`/api/v1/statuses/${id}`, { status: "as it is" });
  await alice.patch("/api/v1/accounts/update_credentials", { display_name: "Alice the Second" });
  const changed = await shown(asBob, id);
  assert.match(changed, /as it is/);
  assert.match(changed, /Alice the Second/);
  const { text } = await asBob.get("/@alice");
  assert.doesNotMatch(text, /as it was/);
  await alice.delete(`/api/v1/statuses/${id}`);
  for (const by of [asBob, asAlice]) assert.equal(await shown(by, id), "");
  assert.doesNotMatch((await asBob.get("/@alice")).text, /as it is/);
});
