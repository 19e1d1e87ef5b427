// The public pages over real HTTP: what they show, what they never show, and that nothing that a
// person wrote becomes markup.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Parser } from "htmlparser2";
import { formOf, picture, recording, WITHOUT_FFMPEG } from "../../test/files.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import type { App } from "../platform/app.ts";
import { documentHeaders } from "./web/document.ts";
import { FIGURES_SECONDS } from "../domain/about/instance/figures.ts";

const EVIL = `"><script>alert('1')</script>&`;
/** In the pages of the client. */
const ESCAPED = "&quot;>&lt;script>alert('1')&lt;/script>&amp;";

/** What the page shows, without what its script goes on from. */
const drawn = (text: string): string => text.replace(/<script type="application\/json".*$/s, "");

let server: TestApp;
let alice: Person;
let bob: Person;

const page = (path: string, accept = "text/html,application/xhtml+xml,*/*;q=0.8") =>
  server.visitor.get(path, { accept });

const write = async (person: Person, json: Record<string, unknown>) =>
  (await person.post("/api/v1/statuses", { visibility: "public", ...json }).ok()) as {
    id: string;
    url: string;
  };

const meta = (text: string, property: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)"`).exec(text)?.[1];

type Element = { name: string; attributes: Record<string, string>; text: string };

/** The elements of a document in order, each with its own text; `problems`: what is not well-formed. */
const readXml = (text: string) => {
  const parsed: Element[] = [];
  const open: Element[] = [];
  const problems: string[] = [...(text.match(/&(?!(?:amp|lt|gt|quot|#39);)|[^\n\P{Cc}]/gu) ?? [])];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open.push({ name, attributes, text: "" });
        parsed.push(open.at(-1)!);
      },
      ontext(more) {
        if (open.length > 0) open.at(-1)!.text += more;
      },
      onclosetag(name, isImplied) {
        if (
          open.pop()?.name !== name ||
          (isImplied && name !== "atom:link" && name !== "enclosure")
        )
          problems.push(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  if (open.length > 0) problems.push("open at the end");
  return { parsed, problems };
};

before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: `Nest ${EVIL}` } });
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});

after(() => server.close());

test("every page has the strict policy, no script and short public caching", async () => {
  const status = await write(alice, { status: "hello #birds" });
  for (const path of [
    "/",
    "/about",
    "/privacy-policy",
    "/@alice",
    `/@alice/${status.id}`,
    "/tags/birds",
  ]) {
    const { status, headers, text } = await page(path);
    assert.equal(status, 200, path);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'/);
    assert.match(policy, /script-src 'self';.*require-trusted-types-for 'script'/);
    assert.match(policy, /; form-action 'self';/);
    assert.match(headers.get("permissions-policy") ?? "", /camera=\(\)/);
    assert.doesNotMatch(policy, /unsafe/);
    const [scripts] = [text.match(/<script[^>]*>/g) ?? []];
    assert.equal(scripts.length, 2, path);
    assert.match(scripts[0]!, /^<script type="module" src="\/web\/assets\/[\w-]+\.js">$/);
    assert.equal(scripts[1], '<script type="application/json" id="state">');
    assert.doesNotMatch(drawn(text), /javascript:|\son\w+=|style="/i, path);
    assert.match(headers.get("cache-control") ?? "", /^max-age=15, public/);
    assert.match(headers.get("vary") ?? "", /Accept/);
    assert.ok(text.includes(`Nest ${ESCAPED}`), path);
    const style = /href="(\/web\/assets\/[^"]+\.css)"/.exec(text)![1]!;
    const script = /src="(\/web\/assets\/[^"]+\.js)"/.exec(text)![1]!;
    for (const file of [style, script]) {
      const sent = await page(file);
      assert.equal(sent.status, 200);
      assert.match(sent.headers.get("cache-control") ?? "", /immutable/);
    }
  }
});

test("pictures come by https, and forms lead to this server alone, but to one's own from /interact", async () => {
  const secure = documentHeaders({ config: { site: { https: true } } } as App);
  const policy = secure["content-security-policy"]!;
  assert.match(policy, /img-src 'self' https: data: blob:;/);
  assert.doesNotMatch(policy, /http:/);
  const interact =
    (await page("/interact?acct=alice")).headers.get("content-security-policy") ?? "";
  assert.match(interact, /form-action 'self' https: http:/);
});

test("figures are at most a minute old, with what caches add", async () => {
  for (const path of ["/", "/about"]) {
    const control = (await page(path)).headers.get("cache-control") ?? "";
    const seconds = [...control.matchAll(/=(\d+)/g)].map(([, number]) => Number(number));
    assert.ok(FIGURES_SECONDS + seconds.reduce((sum, each) => sum + each, 0) <= 60, control);
  }
});

test("the front page shows recent public posts of ours, and nothing else", async () => {
  await write(alice, { status: "seen by all" });
  await write(alice, { status: "quietly said", visibility: "unlisted" });
  await write(alice, { status: "followers only", visibility: "private" });
  await write(alice, { status: "for @bob alone", visibility: "direct" });
  const { text } = await page("/");
  assert.ok(text.includes("seen by all"));
  for (const hidden of ["quietly said", "followers only", "alone"]) {
    assert.ok(!text.includes(hidden), hidden);
  }
  const profile = (await page("/@alice")).text;
  assert.ok(profile.includes("quietly said"));
  assert.ok(!profile.includes("followers only") && !profile.includes("alone"));
});

test("a profile: names, bio, fields and counts, escaped; previews and links for machines", async () => {
  const fields = [
    {
      name: EVIL,
      value: "https://example.org/me",
      value_html: '<a href="https://example.org/me" rel="nofollow noopener noreferrer me">me</a>',
      verified_at: null,
    },
  ];
  await server.write`
    UPDATE accounts SET display_name = ${EVIL}, note_html = '<p>Likes <em>rooks</em> &amp; type</p>',
      fields = ${server.app.sql.json(fields)}, indexable = false
    WHERE id = ${bob.accountId}
  `;
  const { text } = await page("/@bob");
  const domain = server.app.config.site.localDomain;
  assert.ok(text.includes(`<title>${ESCAPED} (@bob@${domain})`));
  assert.ok(text.includes("<p>Likes <em>rooks</em> &amp; type</p>"));
  assert.ok(text.includes(`<dt>${ESCAPED}</dt>`));
  assert.equal(meta(text, "og:title"), `${ESCAPED} (@bob@${domain})`);
  assert.equal(meta(text, "og:description"), "Likes rooks &amp; type");
  assert.equal(meta(text, "og:type"), "profile");
  assert.equal(meta(text, "og:url"), `${server.url}/@bob`);
  assert.equal(meta(text, "og:image"), `${server.url}/avatars/missing.png`);
  const activity = `<link rel="alternate" type="application/activity+json" href="${server.url}/users/bob"/>`;
  assert.ok(text.includes(activity));
  assert.ok(text.includes('<link rel="me" href="https://example.org/me"/>'));
  assert.ok(text.includes('<meta name="robots" content="noindex"/>'));
  await server.write`UPDATE accounts SET indexable = true WHERE id = ${bob.accountId}`;
  assert.ok(!(await page("/@bob")).text.includes('name="robots"'));
});

test("addresses that a browser should not follow lead nowhere", async () => {
  const eve = await server.person("eve");
  await server.write`
    UPDATE accounts SET avatar_url = 'javascript:alert(1)', header_url = 'data:text/html,x',
      fields = ${server.app.sql.json([
        { name: "x", value: "javascript:alert(1)", value_html: "x", verified_at: null },
      ])}
    WHERE id = ${eve.accountId}
  `;
  const { text } = await page("/@eve");
  assert.doesNotMatch(drawn(text), /javascript:|data:text/);
});

test("custom emojis become pictures in names and texts, never inside tags", async () => {
  const key = "emojis/12/34.png";
  await server.write`
    INSERT INTO custom_emojis (shortcode, file_key, static_key) VALUES ('rook', ${key}, ${key})
  `;
  const fay = await server.person("fay");
  await server.write`
    UPDATE accounts SET display_name = 'Fay :rook: :none:',
      note_html = '<p><a href="https://example.org/:rook:">:rook:</a></p>'
    WHERE id = ${fay.accountId}
  `;
  const { text } = await page("/@fay");
  assert.match(
    text,
    /Fay <img class="emoji" src="http:[^"]*\/media\/emojis\/12\/34\.png" alt=":rook:"[^>]*\/> :none:/,
  );
  assert.match(text, /<a href="https:\/\/example\.org\/:rook:"[^>]*><img class="emoji"/);
});

test("posts are paged by max_id", async () => {
  const carol = await server.person("carol");
  const ids: string[] = [];
  for (let i = 0; i < 21; i++) ids.push((await write(carol, { status: `number ${i}.` })).id);
  const first = (await page("/@carol")).text;
  assert.ok(first.includes("number 20.") && !first.includes("number 0."));
  const older = /href="(\?max_id=\d+)"/.exec(first)?.[1];
  assert.equal(older, `?max_id=${ids[1]}`);
  const second = await page(`/@carol${older}`);
  assert.ok(second.text.includes("number 0.") && !second.text.includes("number 1."));
  assert.ok(second.text.includes("noindex"));
  await page("/@carol?max_id=nonsense").ok();
});

test("pinned posts stand first, marked and once, on the first page of a profile", async () => {
  const ivy = await server.person("ivy");
  const ids: string[] = [];
  for (let i = 0; i < 22; i++) ids.push((await write(ivy, { status: `ivy ${i}.` })).id);
  for (const id of [ids[3]!, ids[20]!]) {
    await ivy.post(`/api/v1/statuses/${id}/pin`);
  }
  const shown = async (path: string) => {
    const { text } = await page(path);
    const posts = [
      ...drawn(text).matchAll(
        /data-status="(\d+)"[^>]*>(<p class="post-above">(?:<svg.*?<\/svg>) ?<span>Pinned)?/g,
      ),
    ];
    return posts.map(([, id, mark]) => `${ids.indexOf(id!)}${mark ? " pinned" : ""}`);
  };
  const first = await shown("/@ivy");
  assert.deepEqual(first.slice(0, 4), ["20 pinned", "3 pinned", "21", "19"]);
  assert.equal(first.length, new Set(first).size);
  assert.deepEqual(await shown(`/@ivy?max_id=${ids[4]}`), ["3", "2", "1", "0"]);
});

test("a post stands in its thread, without what not everybody may see", async () => {
  const root = await write(alice, { status: "the root of it" });
  const reply = await write(bob, { status: "@alice an answer", in_reply_to_id: root.id });
  await write(alice, { status: "@bob an answer to that", in_reply_to_id: reply.id });
  await write(alice, { status: "@bob whispered", in_reply_to_id: reply.id, visibility: "direct" });
  const { text } = await page(`/@bob/${reply.id}`);
  assert.match(text, /<h1 id="page-title">.*Post by [^<]*&lt;script>[^<]*<\/span><\/h1>/);
  const shown = drawn(text).slice(text.indexOf("<body"));
  const order = ["the root of it", "an answer</p>", "an answer to that"].map((part) =>
    shown.indexOf(part),
  );
  assert.ok(order.every((at) => at > 0));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.ok(!text.includes("whispered"));
  assert.equal(meta(text, "og:type"), "article");
  assert.equal(meta(text, "og:description"), "@alice an answer");
  assert.equal(meta(text, "og:url"), reply.url);
  assert.ok(text.includes(`href="${server.url}/users/bob/statuses/${reply.id}"/>`));
});

test("a warning stands for its post, in previews too", async () => {
  const status = await write(alice, { status: "the butler", spoiler_text: `who did it ${EVIL}` });
  const { text } = await page(`/@alice/${status.id}`);
  assert.match(text, /<details class="warning"><summary>.*?<span dir="auto">who did it /);
  assert.equal(meta(text, "og:description"), `who did it ${ESCAPED}`);
  assert.ok(!(meta(text, "description") ?? "").includes("butler"));
});

test("hidden, missing and misplaced posts are the same 404", async () => {
  const secret = await write(alice, { status: "not for all", visibility: "private" });
  const open = await write(alice, { status: "for all" });
  const paths = [
    `/@alice/${secret.id}`,
    `/@bob/${open.id}`,
    "/@alice/1",
    "/@alice/x",
    "/@nobody",
    "/nothing",
  ];
  const bodies = new Set<string>();
  for (const path of paths) {
    const answer = await page(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "private, no-store");
    // Signing in leads back to the page.
    const back = `return_to=${encodeURIComponent(path)}"`;
    assert.ok(answer.text.includes(back), path);
    bodies.add(answer.text.replaceAll(path, "PATH").replaceAll(encodeURIComponent(path), "PATH"));
  }
  assert.equal(bodies.size, 1);
  const json = await page(`/@alice/${secret.id}`, "application/json");
  assert.deepEqual([json.status, json.json], [404, { error: "Record not found" }]);
  const api = await page("/api/v1/nothing");
  assert.deepEqual(api.json, { error: "Not Found" });
});

test("suspended people are gone from every page", async () => {
  const dave = await server.person("dave");
  const status = await write(dave, { status: "dave was here #davetag" });
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${dave.accountId}`;
  assert.equal((await page("/@dave")).status, 410);
  assert.equal((await page(`/@dave/${status.id}`)).status, 404);
  for (const path of ["/", "/tags/davetag"]) {
    assert.ok(!(await page(path)).text.includes("dave was here"), path);
  }
});

test("strangers' pages are at home, when their address is one for browsers", async () => {
  await server.write`INSERT INTO accounts (username, domain, uri, url) VALUES
    ('gil', 'there.example', 'https://there.example/u/gil', 'https://there.example/@gil'),
    ('mal', 'there.example', 'https://there.example/u/mal', 'javascript:alert(1)')`;
  const gil = await page("/@gil@there.example");
  assert.deepEqual([gil.status, gil.headers.get("location")], [302, "https://there.example/@gil"]);
  assert.equal((await page("/@mal@there.example")).status, 404);
  assert.equal((await page("/@unknown@there.example")).status, 404);
});

test("whoever asks for ActivityPub is sent to the document", async () => {
  const status = await write(alice, { status: "for machines" });
  const types = [
    "application/activity+json",
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  ];
  for (const type of types) {
    const actor = await page("/@alice", type);
    assert.deepEqual(
      [actor.status, actor.headers.get("location")],
      [302, `${server.url}/users/alice`],
    );
    assert.match(actor.headers.get("vary") ?? "", /Accept/);
    const note = await page(`/@alice/${status.id}`, type);
    assert.equal(note.headers.get("location"), `${server.url}/users/alice/statuses/${status.id}`);
  }
});

test("tags: public posts only, in any writing of the name; what is no tag is a 404", async () => {
  await write(alice, { status: "about #Früh" });
  await write(alice, { status: "secretly #früh", visibility: "private" });
  for (const name of ["Fr%C3%BCh", "fruh", "FRUH"]) {
    const { text } = await page(`/tags/${name}`);
    assert.ok(text.includes("about") && !text.includes("secretly"), name);
  }
  assert.equal((await page("/tags/123")).status, 404);
  assert.equal((await page("/tags/%3Cscript%3E")).status, 404);
});

test("a person's posts with one tag: theirs alone, and those for everybody", async () => {
  const shown = await write(alice, { status: "mine #Perching" });
  const quiet = await write(alice, { status: "quiet #perching", visibility: "unlisted" });
  const closed = await write(alice, { status: "closed #perching", visibility: "private" });
  const theirs = await write(bob, { status: "theirs #perching" });
  const { status, text } = await page("/@alice/tagged/perching");
  assert.equal(status, 200);
  for (const { id } of [shown, quiet]) assert.ok(text.includes(`/@alice/${id}`));
  assert.ok(!text.includes(closed.id) && !text.includes(theirs.id));
  const older = await page(`/@alice/tagged/perching?max_id=${quiet.id}`);
  assert.ok(older.text.includes(shown.id) && !older.text.includes(`/@alice/${quiet.id}`));
  for (const path of ["/@alice/tagged/not%20a%20tag", "/@nobody/tagged/perching"]) {
    assert.equal((await page(path)).status, 404, path);
  }
});

test("a person's media: pictures with their words in a grid, sensitive ones behind their post", async () => {
  const upload = async (description: string, more = {}): Promise<string> => {
    const multipart = formOf(await picture("png", 900, 600), { description, ...more });
    return (await alice.post("/api/v2/media", multipart)).json.id;
  };
  const shown = await write(alice, {
    media_ids: [
      await upload(`a flag ${EVIL}`),
      await upload("focused", { focus: "-0.4,1" }),
      await upload(""),
    ],
  });
  const blunt = await write(alice, { media_ids: [await upload("blunt")], sensitive: true });
  const closed = await write(alice, { media_ids: [await upload("mine")], visibility: "private" });
  const words = await write(alice, { status: "only words" });
  const { status, text } = await page("/@alice/media");
  assert.equal(status, 200);
  for (const { id } of [shown, blunt]) assert.ok(text.includes(`/@alice/${id}`));
  for (const { id } of [closed, words]) assert.ok(!text.includes(`/@alice/${id}`));
  assert.ok(text.includes(`alt="a flag ${ESCAPED}"`));
  assert.ok(text.includes('alt="Image"'));
  assert.match(text, /width="200" height="200"/);
  const focused = (classes: string) => new RegExp(`alt="focused"[^>]* class="${classes}"`);
  assert.match(text, focused("focus-x3 focus-y0"));
  assert.doesNotMatch(text, /alt="blunt"/);
  const covered = new RegExp(`href="/@alice/${blunt.id}"[^>]*><span class="grid-covered">`);
  assert.match(text, covered);
  assert.ok((await page("/@alice")).text.includes("/@alice/media"));
  assert.equal((await page("/@nobody/media")).status, 404);
});

test("a recording is shown with its cover", { skip: WITHOUT_FFMPEG }, async () => {
  const multipart = formOf(recording(), { thumbnail: await picture("png", 60, 60) });
  const sent = await alice.post("/api/v1/media", multipart);
  assert.equal(sent.json.type, "audio", sent.text);
  const { id } = await write(alice, { media_ids: [sent.json.id] });
  const { text } = await page(`/@alice/${id}`);
  const { url, preview_url: cover } = sent.json;
  const [img] = /<img src="[^"]+attachments[^>]+>/.exec(text)!;
  assert.ok(img.includes(`src="${cover}"`));
  assert.match(img, /width="60" height="60"/);
  assert.ok(text.indexOf(img) < text.indexOf(`<audio src="${url}"`));
});

test("feeds: public posts with their files, without answers and boosts; well-formed whatever people write", async () => {
  const feeder = await server.person("feeder");
  const sent = await feeder.post(
    "/api/v2/media",
    formOf(await picture("png"), { description: `a "picture" ${EVIL}` }),
  );
  const shown = await write(feeder, {
    status: `seen <b> & #feeding \u0008 ${EVIL}`,
    media_ids: [sent.json.id],
  });
  await write(feeder, { status: "hidden words", spoiler_text: "spoiler" });
  await write(feeder, { status: "nobody else", visibility: "private" });
  await write(feeder, {
    status: "@alice an answer",
    in_reply_to_id: (await write(alice, { status: "asked" })).id,
  });
  const { text: profile } = await page("/@feeder");
  const address = /<link rel="alternate" type="application\/rss\+xml" href="([^"]+)"/.exec(
    profile,
  )![1]!;
  assert.equal(new URL(address).pathname, "/@feeder.rss");
  const { status, headers, text } = await page("/@feeder.rss");
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "application/rss+xml; charset=utf-8");
  const { parsed, problems } = readXml(text);
  assert.deepEqual(problems, []);
  const links = parsed.filter(({ name }) => name === "guid").map((item) => item.text);
  assert.equal(links.length, 2);
  assert.equal(links[1], shown.url);
  const file = parsed.find(({ name }) => name === "enclosure")!.attributes;
  assert.deepEqual([file["url"], file["type"]], [sent.json.url, "image/png"]);
  const stored = await (await fetch(file["url"]!)).arrayBuffer();
  assert.equal(file["length"], String(stored.byteLength));
  const words = parsed.find(({ name }) => name === "media:description")!.text;
  assert.equal(words, `a "picture" ${EVIL}`);
  const [warned, whole] = parsed.filter(({ name }) => name === "description").slice(1);
  assert.match(warned!.text, /spoiler.*Show the post/);
  assert.match(whole!.text, /seen &lt;b&gt; &amp; /);
  assert.doesNotMatch(text, /hidden words|nobody else|an answer|<script/);
  const tagged = readXml((await page("/tags/FEEDING.rss")).text);
  assert.deepEqual(tagged.problems, []);
  assert.deepEqual(
    tagged.parsed.filter(({ name }) => name === "guid").map((item) => item.text),
    [shown.url],
  );
  for (const path of ["/@nobody.rss", "/@alice.rss.rss", "/tags/not%20one.rss"]) {
    assert.equal((await page(path)).status, 404, path);
  }
});

test("a page of more posts costs no more queries", async () => {
  const hal = await server.person("hal");
  await write(hal, { status: "one" });
  const count = async () => {
    await server.runJobs();
    await page("/@hal");
    return (await server.countQueries(() => page("/@hal"))).queries;
  };
  const few = await count();
  for (let i = 0; i < 9; i++) await write(hal, { status: `more ${i}` });
  assert.equal(await count(), few);
});

test("the manifest lets phones share into a post; crawlers are told what is not for them", async () => {
  for (const path of ["/manifest", "/manifest.json"]) {
    const { json, headers } = await server.visitor.get(path);
    assert.equal(json.name, server.app.config.instance.title);
    assert.equal(json.share_target.action, "share");
    assert.equal(headers.get("cache-control"), "max-age=180, public");
    for (const { src, sizes } of json.icons) {
      const icon = await server.visitor.get(src);
      assert.equal(icon.headers.get("content-type"), "image/png", `${src} ${sizes}`);
    }
  }
  const home = await server.visitor.get("/");
  assert.match(home.text, /<link rel="manifest" href="\/manifest.json"/);
  assert.match(home.headers.get("content-security-policy") ?? "", /manifest-src 'self'/);
  const robots = await server.visitor.get("/robots.txt");
  assert.match(robots.headers.get("content-type") ?? "", /^text\/plain/);
  assert.match(robots.text, /^User-agent: \*\nDisallow: \/auth\//);
});
