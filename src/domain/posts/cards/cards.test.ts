// Preview cards: fetched once for each link, shared by all posts with it, dropped with it; and never from a
// private address.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { FETCH_BUDGETS, refund, takeFetch } from "../../../platform/fetch/budget.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { refreshTrends } from "../../reading/trends/refresh.ts";
import { deleteUnusedCards } from "./retention.ts";

const DAY_MS = 24 * 3_600_000;

let server: TestApp;
let site: FakePeer;
/** An address that the guard does not allow. */
let inside: FakePeer;
let alice: Person;
let bob: Person;
let time = new Date();

before(async () => {
  [server, site, inside] = await Promise.all([
    startTestApp({
      clock: { now: () => time },
      env: { PREVIEW_CARDS: "true", ALLOWED_PRIVATE_ADDRESSES: "127.0.0.1,127.0.0.4" },
    }),
    startPeer("127.0.0.4"),
    startPeer("127.0.0.5"),
  ]);
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});

after(async () => {
  await Promise.all([site?.close(), inside?.close()]);
  await server?.close();
});

beforeEach(() => {
  time = new Date();
  // All pages are of one host.
  refund(server.app, "card", site.origin, FETCH_BUDGETS.card.burst);
  site.pages.clear();
  site.received.length = 0;
});

let pages = 0;
/** A page that answers with this, at an address of its own. */
const page = (body: string, headers: Record<string, string> = {}, status = 200): string => {
  const path = `/page/${(pages += 1)}`;
  const type = { "content-type": "text/html; charset=utf-8" };
  site.pages.set(path, { status, headers: { ...type, ...headers }, body });
  return `${site.origin}${path}`;
};

const meta = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join("");

const post = async (text: string, more: object = {}, by = alice): Promise<string> => {
  const json = { status: text, ...more };
  return (await by.post("/api/v1/statuses", json).ok()).id;
};

const read = async (id: string): Promise<any> => {
  const { json } = await alice.get(`/api/v1/statuses/${id}`);
  assertEntity("Status", json);
  return json;
};

/** The card of a new post with this text. */
const cardOf = async (text: string, more: object = {}): Promise<any> => {
  const id = await post(text, more);
  await server.runJobs();
  return (await read(id)).card;
};

const requests = (url: string): number =>
  site.received.filter(({ path }) => url === `${site.origin}${path}`).length;

const STORY = {
  "og:title": "Fine &amp; dandy",
  "og:description": "A story\nin two lines",
  "og:site_name": "The Paper",
  "og:image:alt": "A duck",
  "article:published_time": "2026-02-03T04:05:06+01:00",
};

test("a post has the card of its first link, everybody's posts with that link share it", async () => {
  const url = page(`<html lang="de-AT"><head><title>Other</title>${meta(STORY)}`);
  const card = await cardOf(`see ${url}#part and https://other.example/`);
  assert.deepEqual(card, {
    url: `${url}#part`,
    title: "Fine & dandy",
    description: "A story in two lines",
    language: "de",
    type: "link",
    authors: [],
    author_name: "",
    author_url: "",
    provider_name: "The Paper",
    provider_url: "",
    html: "",
    width: 0,
    height: 0,
    image: null,
    image_description: "A duck",
    embed_url: "",
    blurhash: null,
    published_at: "2026-02-03T03:05:06.000Z",
    missing_attribution: false,
  });
  const again = await post(`me too ${url}`, {}, bob);
  assert.equal((await read(again)).card.title, "Fine & dandy");
  const [first, second] = await Promise.all([post(`${url}?x`), post(`${url}?x`, {}, bob)]);
  await server.runJobs();
  assert.equal(requests(`${url}?x`), 1);
  assert.deepEqual([(await read(first)).card, (await read(second)).card], [null, null]);
  assert.equal(requests(url), 1);
  const { headers } = site.received[0]!;
  assert.match(headers["user-agent"]!, /^Rookery/);
  assert.match(headers.accept!, /text\/html/);
});

test("only of a link that everybody may see, and that the post shows", async () => {
  const url = page(`<title>Secret</title>`);
  for (const visibility of ["private", "direct"]) {
    assert.equal(await cardOf(url, { visibility }), null, visibility);
  }
  assert.equal(await cardOf(`${server.url}/@alice and nothing else`), null);
  assert.equal(site.received.length, 0);
  const id = await post(url, { visibility: "unlisted" });
  await server.runJobs();
  assert.equal((await read(id)).card.title, "Secret");
  const path = `/api/v1/timelines/link?url=${encodeURIComponent(url)}`;
  assert.equal((await server.visitor.get(path)).status, 404);
});

test("an edit takes another card, or none", async () => {
  const [first, second] = [page(`<title>First</title>`), page(`<title>Second</title>`)];
  const id = await post(first);
  await server.runJobs();
  const edit = async (status: string): Promise<any> => {
    await alice.put(`/api/v1/statuses/${id}`, { status });
    await server.runJobs();
    return (await read(id)).card;
  };
  assert.equal((await edit(`now ${second}`)).title, "Second");
  assert.equal(await edit("nothing"), null);
  assert.equal((await edit(`back to ${first}`)).title, "First");
  assert.equal(requests(first), 1);
});

test("an old card is made anew by the next post; a page that is gone has none", async () => {
  const url = page(`<title>Before</title>`);
  const id = await post(url);
  await server.runJobs();
  site.pages.set(new URL(url).pathname, {
    headers: { "content-type": "text/html" },
    body: `<title>After</title>`,
  });
  await cardOf(`young ${url}`);
  assert.equal((await read(id)).card.title, "Before");
  time = new Date(time.getTime() + 15 * DAY_MS);
  assert.equal((await cardOf(`old ${url}`)).title, "After");
  assert.equal((await read(id)).card.title, "After");
  site.pages.set(new URL(url).pathname, { status: 503 });
  time = new Date(time.getTime() + 15 * DAY_MS);
  assert.equal((await cardOf(`away ${url}`)).title, "After", "a page that is away keeps its card");
  site.pages.set(new URL(url).pathname, { status: 410 });
  time = new Date(time.getTime() + 15 * DAY_MS);
  await server.write`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  assert.equal(await cardOf(`gone ${url}`), null);
});

test("those who look on get the card as an update of the post", async () => {
  const events: any[] = [];
  const unsubscribe = await server.app.pubsub.subscribe("public:all", (event) => {
    events.push(event);
  });
  const id = await post(page(`<title>Live</title>`));
  await server.runJobs();
  await unsubscribe();
  const seen = events.map(({ event, payload }) => [event, JSON.parse(payload).card?.title]);
  assert.deepEqual(seen, [
    ["update", undefined],
    ["status.update", "Live"],
  ]);
  assert.equal(JSON.parse(events[1].payload).edited_at, null);
  assert.equal((await read(id)).card.title, "Live");
});

test("the author whom a page names is shown where they agree", async () => {
  const creator = (handle: string) =>
    page(`<title>By me</title><meta name="fediverse:creator" content="${handle}">`);
  const url = creator(`@bob@${new URL(server.url).host}`);
  const id = await post(url);
  await server.runJobs();
  assert.deepEqual((await read(id)).card.authors, []);
  const missing = async (who: Person): Promise<boolean> => {
    const { json } = await who.get(`/api/v1/statuses/${id}`);
    return json.card.missing_attribution;
  };
  // Whom it names is told, nobody else.
  assert.deepEqual([await missing(bob), await missing(alice)], [true, false]);
  const agree = (domain: string) =>
    server.write`
      UPDATE accounts SET attribution_domains = ${[domain]} WHERE id = ${bob.accountId}
    `;
  await agree("127.0.0.4");
  const [author] = (await read(id)).card.authors;
  assert.equal(author.account.acct, "bob");
  assert.equal(author.url, `${server.url}/@bob`);
  assert.equal(await missing(bob), false);
  await agree("127.0.0.5");
  assert.deepEqual((await read(id)).card.authors, []);
  assert.deepEqual((await cardOf(creator("@nobody@127.0.0.5:1"))).authors, []);
});

test("oEmbed: a photo, a player in a sandbox; a page's own HTML is none", async () => {
  const withEmbed = (document: object | string, type = "application/json"): string => {
    const body = typeof document === "string" ? document : JSON.stringify(document);
    const address = page(body, { "content-type": type });
    return page(
      `<title>Page</title><link rel="alternate" type="application/json+oembed" href="${address}">`,
    );
  };
  const size = { width: 640, height: 360 };
  const photo = { type: "photo", url: "https://pics.example/1.jpg", ...size };
  const frame = (src: string) =>
    `<p>x</p><script>pwn()</script><iframe src="${src}" onload="pwn()">`;
  const video = { type: "video", html: frame("//play.example/1?a=1&amp;b=2"), ...size };
  const shown = async (document: object | string, type?: string) => {
    const card = await cardOf(withEmbed(document, type));
    return [card.type, card.embed_url, card.html.replace(/ sandbox.*/, ""), card.width];
  };
  assert.deepEqual(await shown(photo), ["photo", "https://pics.example/1.jpg", "", 640]);
  const player = `<iframe src="https://play.example/1?a=1&amp;b=2" title="" width="640" height="360"`;
  assert.deepEqual(await shown(video), ["video", "", player, 640]);
  const { html } = await cardOf(withEmbed(video));
  assert.match(html, /sandbox="allow-scripts /);
  assert.doesNotMatch(html, /pwn/);
  const link = ["link", "", "", 0];
  assert.deepEqual(await shown({ type: "rich", html: frame("https://play.example/1") }), link);
  const spotify = { type: "rich", html: frame("https://open.spotify.com/embed/1"), ...size };
  assert.equal((await shown(spotify))[0], "rich");
  for (const src of [`${server.url}/@alice/1/embed`, "javascript:pwn()", "data:text/html,x"]) {
    assert.deepEqual(await shown({ type: "video", html: frame(src) }), link, src);
  }
  assert.deepEqual(await shown({ type: "photo", url: "javascript:pwn()" }), link);
  const odd = { ...photo, width: { toString: 1, valueOf: 1 } };
  assert.deepEqual(await shown(odd), ["photo", "https://pics.example/1.jpg", "", 0]);
  assert.deepEqual(await shown("[]"), link);
  assert.deepEqual(await shown(photo, "text/html"), link);
  assert.deepEqual(await shown(`{"type":"photo","url":"${"x".repeat(100_000)}"}`), link);
});

test("private addresses are never asked, however they are reached", async () => {
  const targets = [
    `${inside.origin}/secret`,
    inside.origin.replace("127.0.0.5", "localhost"),
    `http://[::ffff:127.0.0.5]:${new URL(inside.origin).port}/`,
    `http://2130706437:${new URL(inside.origin).port}/`,
  ];
  inside.pages.set("/secret", {
    headers: { "content-type": "text/html" },
    body: "<title>x</title>",
  });
  for (const target of targets) {
    assert.equal(await cardOf(`look ${target}`), null, target);
    const redirect = page("", { location: target }, 302);
    assert.equal(await cardOf(redirect), null, `redirect to ${target}`);
    const embed = page(
      `<title>Embeds</title><link rel="alternate" type="application/json+oembed" href="${target}">`,
    );
    assert.equal((await cardOf(embed)).title, "Embeds");
  }
  assert.equal(inside.received.length, 0);
  const loop = page("");
  site.pages.set(new URL(loop).pathname, { status: 302, headers: { location: loop } });
  assert.equal(await cardOf(loop), null);
  assert.ok(requests(loop) <= 4);
});

test("what is no page, and hostile pages, make no card or a small one", async () => {
  const title = `<title>A title</title>`;
  assert.equal(await cardOf(page("", {}, 404)), null);
  assert.equal(await cardOf(page(title, { "content-type": "image/png" })), null);
  assert.equal(await cardOf(page(title, { "content-encoding": "gzip" })), null);
  assert.equal(await cardOf(page("")), null);
  assert.equal((await cardOf(page(title + "x".repeat(3_000_000)))).title, "A title");
  const text = `&lt;script&gt;pwn()&lt;/script&gt; ${"\u202e"}x`;
  const { title: shown } = await cardOf(page(`<meta property="og:title" content="${text}">`));
  assert.equal(shown, "<script>pwn()</script> x");
  const long = "y".repeat(100_000);
  const card = await cardOf(
    page(meta({ "og:title": long, "og:description": long, "og:site_name": long })),
  );
  assert.ok(JSON.stringify(card).length < 3000);
});

test("a host that is down is left alone, and tried again later", async () => {
  const away = await startPeer("127.0.0.4");
  await away.close();
  const id = await post(`${away.origin}/1`);
  await server.runJobs();
  for (let n = 0; n < 4; n++) {
    await server.write`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await server.runJobs();
  }
  assert.equal((await read(id)).card, null);
  const [row] = await server.app.sql`
    SELECT ask_again_at FROM preview_cards WHERE url = ${`${away.origin}/1`}
  `;
  assert.ok(row!["ask_again_at"].getTime() - time.getTime() > 0.9 * DAY_MS);
  const [jobs] = await server.app.sql<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM graphile_worker._private_jobs
  `;
  assert.equal(jobs!.waiting, 0);
});

test("cards of no post are deleted, others stay", async () => {
  const [kept, gone] = [page(`<title>Kept</title>`), page(`<title>Gone</title>`)];
  await post(kept);
  const id = await post(gone);
  await server.runJobs();
  await alice.delete(`/api/v1/statuses/${id}`);
  time = new Date(time.getTime() + 40 * DAY_MS);
  while (await deleteUnusedCards(server.app, time));
  const rows = await server.app.sql`
    SELECT card ->> 'title' AS title FROM preview_cards WHERE url = ANY(${[kept, gone]})
  `;
  assert.deepEqual(
    rows.map((row) => row["title"]),
    ["Kept"],
  );
});

test("trends and pages show the card", async () => {
  const url = page(`<title>Popular &lt;b&gt;</title>${meta({ "og:description": "Everybody" })}`);
  const id = await post(url);
  await post(url, {}, bob);
  await server.runJobs();
  await setSetting(server.app, "trendable_by_default", true);
  await refreshTrends(server.app);
  const { json } = await server.visitor.get("/api/v1/trends/links");
  const [link] = json.filter((card: { url: string }) => card.url === url);
  assertEntity("Trends_Link", link);
  assert.deepEqual([link.title, link.description], ["Popular <b>", "Everybody"]);
  const { text } = await server.visitor.get(`/@alice/${id}`);
  assert.match(text, /<strong>Popular &lt;b><\/strong>/);
  assert.match(text, new RegExp(`<a class="link-card" href="${url}"`));
});

test("a remote post waits for a moment, and one server is fetched for only so often", async (t) => {
  const author = site.actor("carol");
  const url = page(`<title>Remote</title>`);
  const send = async (n: number, link: string) => {
    const href = `${server.url}/users/alice`;
    const note = site.note(author, `/notes/${n}`, {
      content: `<p><a href="${link}">x</a></p>`,
      tag: [{ type: "Mention", href }],
      published: time.toISOString(),
    });
    const activity = {
      id: `${site.origin}/a/${n}`,
      type: "Create",
      actor: author.uri,
      object: note,
    };
    await site.post(`${server.url}/inbox`, author, activity);
  };
  server.enqueued.length = 0;
  await send(1, url);
  await server.runJobs();
  const enqueued = () => server.enqueued.filter(({ name }) => name === "card.wanted");
  const [job] = enqueued();
  const wait = job!.runAt!.getTime() - time.getTime();
  assert.ok(wait >= 0 && wait <= 60_000);
  await server.write`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await server.runJobs();
  const { json } = await server.visitor.get("/api/v1/timelines/public?remote=true");
  assert.equal(json[0].card.title, "Remote");
  assert.equal(requests(url), 1);
  t.mock.property(FETCH_BUDGETS["card for"], "perMinute", 0);
  while (takeFetch(server.app, "card for", author.uri));
  await send(2, `${url}?2`);
  await server.runJobs();
  assert.equal(enqueued().length, 1);
});

test("the picture is stored, small and with its blurhash; a bad one is left out", async () => {
  const { default: sharp } = await import("sharp");
  const draw = sharp({
    create: { width: 1600, height: 800, channels: 3, background: { r: 200, g: 30, b: 30 } },
  });
  const png = await draw.png().toBuffer();
  site.pages.set("/big.png", { headers: { "content-type": "image/png" }, body: png });
  const withPicture = (path: string) =>
    page(`<title>Pictured</title><meta property="og:image" content="${path}">`);
  const url = withPicture("/big.png");
  const card = await cardOf(url);
  assert.match(card.image, new RegExp(`^${server.url}/media/cards/[\\w/]+\\.png$`));
  assert.ok(card.blurhash.length > 10);
  assert.equal(card.width / card.height, 2);
  assert.ok(card.width * card.height <= 520_000);
  const file = await fetch(card.image);
  assert.equal(file.headers.get("content-type"), "image/png");
  assert.deepEqual(
    await sharp(Buffer.from(await file.arrayBuffer()))
      .metadata()
      .then(({ width, height }) => [width, height]),
    [card.width, card.height],
  );
  time = new Date(time.getTime() + 15 * DAY_MS);
  assert.equal((await cardOf(`again ${url}`)).image, card.image);
  assert.equal(requests(`${site.origin}/big.png`), 1);
  site.pages.set("/svg", { headers: { "content-type": "image/png" }, body: "<svg/>" });
  for (const path of ["/svg", "/none.png", `${inside.origin}/x.png`, "data:image/png;base64,x"]) {
    const { title, image, blurhash } = await cardOf(withPicture(path));
    assert.deepEqual([title, image, blurhash], ["Pictured", null, null], path);
  }
  site.pages.set(new URL(url).pathname, { status: 410 });
  time = new Date(time.getTime() + 15 * DAY_MS);
  assert.equal(await cardOf(`gone ${url}`), null);
  const rows = await server.app.sql`SELECT key FROM files_to_delete`;
  assert.deepEqual(
    rows.map((row) => row["key"]),
    [card.image.replace(`${server.url}/media/`, "")],
  );
});
