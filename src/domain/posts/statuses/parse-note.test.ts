import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { replyBits } from "./rules.ts";
import { isVote, parseNote } from "./parse-note.ts";
import type { ParsedNote } from "./parse-note.ts";

const ACTOR = "https://there.example/users/bob";
const FOLLOWERS = `${ACTOR}/followers`;
const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const NOW = new Date("2026-05-01T00:00:00Z");
const CONTEXT = { actorUri: ACTOR, followersUrl: FOLLOWERS, domain: "there.example", now: NOW };

const note = (members: Record<string, unknown> = {}) => ({
  id: "https://there.example/notes/1",
  type: "Note",
  attributedTo: ACTOR,
  content: "<p>hi</p>",
  to: [PUBLIC],
  ...members,
});

const parsed = (members: Record<string, unknown> = {}): ParsedNote => {
  const result = parseNote(note(members), CONTEXT);
  assert.ok(result);
  return result;
};

describe("visibility", () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ["Public in to", { to: PUBLIC, cc: [] }, "public"],
    ["an alias of Public", { to: ["as:Public"] }, "public"],
    ["another alias, alone", { to: "Public" }, "public"],
    ["Public in cc", { to: [FOLLOWERS], cc: [PUBLIC] }, "unlisted"],
    ["followers in cc", { to: [], cc: [FOLLOWERS] }, "private"],
    ["followers of somebody else", { to: ["https://there.example/users/x/followers"] }, "direct"],
    ["a person", { to: ["https://here.example/users/alice"] }, "direct"],
    ["nobody", { to: undefined }, "direct"],
    ["garbage", { to: [1, null, { id: 5 }, {}] }, "direct"],
  ];
  for (const [name, members, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.equal(parsed(members).visibility, expected));
  }
});

describe("authority", () => {
  const refused: [string, Record<string, unknown>][] = [
    ["another author", { attributedTo: "https://there.example/users/eve" }],
    ["no author", { attributedTo: undefined }],
    ["an id on another host", { id: "https://elsewhere.example/notes/1" }],
    ["no id", { id: undefined }],
    ["an id that is no web address", { id: "tag:there.example,2026:1" }],
    ["an id with user info", { id: "https://u:p@there.example/notes/1" }],
    ["a type that is no text", { type: "Collection" }],
    ["a vote", { content: undefined, name: "yes", inReplyTo: "https://here.example/1" }],
  ];
  for (const [name, members] of refused) {
    it(`refuses ${name}`, () => assert.equal(parseNote(note(members), CONTEXT), null));
  }

  it("takes an author among several, as PeerTube names them", () => {
    const attributedTo = [
      { type: "Person", id: ACTOR },
      { type: "Group", id: "https://there.example/groups/1" },
    ];
    assert.equal(parsed({ attributedTo }).uri, "https://there.example/notes/1");
  });
});

describe("text", () => {
  it("is sanitised", () => {
    const { content } = parsed({ content: `<p onclick="x()">a<script>alert(1)</script></p>` });
    assert.equal(content, "<p>a</p>");
  });

  it("comes from contentMap, which also has the language", () => {
    const { content, language } = parsed({
      content: undefined,
      contentMap: { "pt-BR": "<p>oi</p>" },
    });
    assert.equal(content, "<p>oi</p>");
    assert.equal(language, "pt-BR");
  });

  it("takes the language whose text is the content", () => {
    const contentMap = { en: "<p>hello</p>", de: "<p>hi</p>" };
    assert.equal(parsed({ contentMap }).language, "de");
  });

  it("has no language where none is given or known", () => {
    assert.equal(parsed().language, null);
    assert.equal(parsed({ contentMap: { und: "<p>hi</p>" } }).language, null);
  });

  it("a title alone is shown, with the page", () => {
    const url = "https://there.example/@bob/1";
    const link = new RegExp(
      `<p><strong>a &lt; b</strong></p><p class="page-inline"><a href="${url}"`,
    );
    for (const type of ["Note", "Question"]) {
      assert.match(parsed({ type, name: "a < b", content: undefined, url }).content, link);
    }
    assert.match(parsed({ name: "a", content: "" }).content, /<strong>a</);
  });

  it("a note shows its title, unless it is an answer, which repeats that of its topic", () => {
    const topic = { name: "a", content: "<p>b</p>" };
    assert.equal(parsed(topic).content, "<p><strong>a</strong></p><p>b</p>");
    const answer = { ...topic, inReplyTo: "https://there.example/notes/0" };
    assert.equal(parsed(answer).content, "<p>b</p>");
  });

  it("a review shows its stars, and a video or recording how long it is", () => {
    const title = (more: Record<string, unknown>): string =>
      /^<p><strong>a<\/strong>(?: · )?(.*?)<\/p><p>b/.exec(
        parsed({ type: "Article", name: "a", content: "<p>b</p>", ...more }).content,
      )?.[1] ?? "no title";
    const cases: [Record<string, unknown>, string][] = [
      [{ rating: 4 }, "★★★★☆ 4/5"],
      [{ rating: 4.5 }, "★★★★½ 4.5/5"],
      [{ rating: 0.5 }, "½☆☆☆☆ 0.5/5"],
      [{ rating: 5, duration: "PT61S" }, "★★★★★ 5/5 · 1:01"],
      ...[0, -1, 6, "4", null, Number.NaN].map((rating): [Record<string, unknown>, string] => [
        { rating },
        "",
      ]),
      [{ duration: "PT1145S" }, "19:05"],
      [{ duration: "PT1H2M3.5S" }, "1:02:03"],
      [{ duration: 9 }, "0:09"],
      [{ duration: 213.9 }, "3:33"],
      ...["PT0S", 0, -5, "soon", 1e99, "P1D", {}, { toString: 1, valueOf: 1 }].map(
        (duration): [Record<string, unknown>, string] => [{ duration }, ""],
      ),
    ];
    for (const [more, text] of cases) assert.equal(title(more), text, JSON.stringify(more));
    assert.match(parsed({ rating: 3 }).content, /^<p>★★★☆☆ 3\/5<\/p><p>hi/);
  });

  it("a video shows the widest of its pictures", () => {
    const icon = [280, 850, 120].map((width) => ({
      type: "Image",
      url: `https://there.example/${width}.jpg`,
      width,
      height: 100,
    }));
    const [picture, ...more] = parsed({ type: "Video", name: "a", icon }).media;
    assert.deepEqual([picture?.url, more], ["https://there.example/850.jpg", []]);
    assert.deepEqual(parsed({ icon }).media, [], "a note has no picture of its own");
    const widths = [{ toString: 1, valueOf: 1 }, "1200", null];
    const odd = icon.map((picture, n) => ({ ...picture, width: widths[n] }));
    assert.equal(
      parsed({ type: "Video", name: "a", icon: odd }).media[0]?.url,
      "https://there.example/850.jpg",
    );
  });

  it("an object of another type is shown if it is somebody's text", () => {
    const album = { type: "Album", name: "Songs", content: "<p>ten</p>" };
    assert.match(parsed(album).content, /^<p><strong>Songs<\/strong><\/p><p>ten<\/p><p class/);
    for (const more of [
      { content: undefined },
      { content: "" },
      { type: [] },
      { type: "Tombstone" },
      { type: "OrderedCollectionPage" },
    ])
      assert.equal(parseNote(note({ ...album, ...more }), CONTEXT), null, JSON.stringify(more));
  });

  it("nothing but the address of its own page is nothing", () => {
    const article = { type: "Article", content: undefined, url: "https://there.example/a" };
    assert.equal(parseNote(note(article), CONTEXT), null);
    assert.ok(parseNote(note({ ...article, name: "a" }), CONTEXT));
    assert.ok(parseNote(note({ ...article, image: "https://there.example/1.png" }), CONTEXT));
  });

  it("a summary is the warning, plain and of one line, and makes it sensitive", () => {
    const { spoilerText, sensitive } = parsed({ summary: "food\n<b>" });
    assert.equal(spoilerText, "food <b>");
    assert.equal(sensitive, true);
    assert.equal(parsed({ summary: "food", sensitive: false }).sensitive, false);
    assert.equal(parsed({ summary: "food", sensitive: "no" }).sensitive, true);
  });

  it("the summary of an article is a part of its text, and no warning", () => {
    const article = {
      type: "Article",
      name: "Title",
      summary: "<p>In short</p>",
      url: "https://there.example/a",
    };
    const short = parsed({ ...article, content: "<p>long</p>" });
    assert.match(
      short.content,
      /^<p><strong>Title<\/strong><\/p><p>In short<\/p><p>long<\/p><p class="page-inline"><a /,
    );
    assert.deepEqual([short.spoilerText, short.sensitive], ["", false]);
    const whole = parsed({ ...article, content: "<p>In short, and then at length</p>" });
    assert.equal(whole.content.match(/In short/g)!.length, 1);
    const later = parsed({ ...article, content: "<h2>Chapter</h2><p>In\nshort: at length</p>" });
    assert.doesNotMatch(later.content, /In short/);
    const marked = {
      summary: "Use the &lt;b&gt; tag",
      content: "<p>Use the &lt;b&gt; tag, I say</p>",
    };
    assert.equal(parsed({ ...article, ...marked }).content.match(/Use the/g)!.length, 1);
    const excerpt = { summary: undefined, preview: { type: "Note", content: "<p>In short</p>" } };
    assert.match(parsed({ ...article, ...excerpt }).content, /<p>In short<\/p><p>hi/);
  });

  it("the summary of a sensitive article or video is its warning, but not that of an event", () => {
    const members = {
      name: "Title",
      summary: "<p>He dies</p>",
      content: "<p>x</p>",
      sensitive: true,
    };
    const video = parsed({ ...members, type: "Video" });
    assert.deepEqual([video.spoilerText, video.sensitive], ["He dies", true]);
    assert.doesNotMatch(video.content, /He dies/);
    const said = parsed({ ...members, type: "Article", "dcterms:subject": "Death" });
    assert.equal(said.spoilerText, "Death");
    assert.match(said.content, /He dies/);
    const startTime = "2026-12-31T22:30:00+01:00";
    const event = parsed({ ...members, type: "Event", startTime });
    assert.deepEqual([event.spoilerText, event.sensitive], ["", true]);
    assert.match(event.content, /He dies/);
  });

  it("an article shows title, text and where it is", () => {
    const { content } = parsed({
      type: ["Article"],
      name: "A <Title>",
      content: "<p>long</p>",
      url: "https://there.example/a/1",
    });
    assert.match(
      content,
      /^<p><strong>A &lt;Title&gt;<\/strong><\/p><p>long<\/p><p class="page-inline"><a href="https:\/\/there\.example\/a\/1"/,
    );
  });

  it("an event says when and where, as far as it can be told", () => {
    const event = { type: "Event", name: "Ball", content: "<p>dance</p>" };
    const told = (more: Record<string, unknown>): string =>
      /<\/strong><\/p>(?:<p[^>]*>(.*?)<\/p>)?<p>dance/.exec(
        parsed({ ...event, ...more }).content,
      )?.[1] ?? "";
    const startTime = "2026-12-31T22:30:00+01:00";
    const endTime = "2027-01-01T05:00:00Z";
    const cases: [Record<string, unknown>, string][] = [
      [{ startTime }, "2026-12-31 21:30 (UTC)"],
      [
        { startTime, endTime, timezone: "Europe/Berlin" },
        "2026-12-31 22:30 – 2027-01-01 06:00 (Europe/Berlin)",
      ],
      [{ startTime, endTime: startTime, timezone: "Nowhere/<b>" }, "2026-12-31 21:30 (UTC)"],
      [{ startTime: "soon", location: "A <i>pub</i>" }, "A pub"],
      [{ location: "The <3 & more" }, "The &lt;3 &amp; more"],
      [{ location: [{ name: "Hall", address: "Road 1" }] }, "Hall, Road 1"],
      [{ location: { name: 1, address: { streetAddress: [] } } }, ""],
      [{}, ""],
    ];
    for (const [more, text] of cases) assert.equal(told(more), text);
  });

  it("the pages that an object links to are named once, before its own, and five at most", () => {
    const link = (n: number | string) => ({ type: "Link", href: `https://news.example/${n}` });
    const named = (more: Record<string, unknown>): string[] =>
      [...parsed({ type: "Page", ...more }).content.matchAll(/href="([^"]*)"/g)].map(
        ([, to]) => to!,
      );
    const own = "https://there.example/notes/1";
    const bad = { type: "Link", href: "javascript:alert(1)" };
    const two = [link(1), link(1), bad, link("2?a=1&b")];
    assert.deepEqual(named({ attachment: two, url: own }), [
      "https://news.example/1",
      "https://news.example/2?a=1&amp;b",
      own,
    ]);
    assert.equal(named({ attachment: Array.from({ length: 50 }, (_, n) => link(n)) }).length, 6);
  });

  it("a text that is no HTML is escaped", () => {
    const { content } = parsed({
      type: "Video",
      content: "a <b>\n\nc",
      mediaType: "text/markdown",
    });
    assert.match(content, /^<p>a &lt;b&gt;<\/p><p>c<\/p>/);
  });
});

describe("addresses", () => {
  it("a page on the www host of the handle is kept", () => {
    const url = "https://www.there.example/x";
    assert.equal(parsed({ url }).url, url);
    assert.equal(parsed({ url: "https://www.evil.example/x" }).url, note().id);
  });

  it("a page on another host is replaced by the id", () => {
    assert.equal(parsed({ url: "https://evil.example/x" }).url, "https://there.example/notes/1");
  });

  it("a page with a script scheme is replaced by the id", () => {
    assert.equal(parsed({ url: "javascript:alert(1)" }).url, "https://there.example/notes/1");
  });

  it("the page among PeerTube's links is the one of HTML", () => {
    const url = [
      { type: "Link", mediaType: "video/mp4", href: "https://there.example/v.mp4" },
      { type: "Link", mediaType: "text/html", href: "https://there.example/w/1" },
    ];
    assert.equal(parsed({ type: "Video", url }).url, "https://there.example/w/1");
  });

  it("reads what it answers from a text, an object or an array", () => {
    const uri = "https://here.example/users/alice/statuses/1";
    for (const inReplyTo of [uri, { id: uri }, [uri]]) {
      assert.equal(parsed({ inReplyTo }).inReplyToUri, uri);
    }
    assert.equal(parsed({ inReplyTo: "data:x" }).inReplyToUri, null);
  });

  it("separates the mentioned from those only addressed", () => {
    const alice = "https://here.example/users/alice";
    const carol = "https://here.example/users/carol";
    const tag = { type: "Mention", href: alice, name: "@alice" };
    const { mentionUris, silentUris } = parsed({ tag, to: [alice, carol, FOLLOWERS, ACTOR] });
    assert.deepEqual(mentionUris, [alice]);
    assert.deepEqual(silentUris, [carol]);
  });
});

describe("times", () => {
  it("a time to come counts as now, and so does none", () => {
    assert.equal(parsed({ published: "2030-01-01T00:00:00Z" }).createdAt, null);
    assert.equal(parsed({ published: "yesterday" }).createdAt, null);
    assert.equal(parsed().createdAt, null);
  });

  it("a time in the past is stored", () => {
    const published = "2026-01-01T00:00:00.000Z";
    assert.equal(parsed({ published }).createdAt?.toISOString(), published);
  });
});

describe("attachments and tags", () => {
  it("whose type says nothing are what their ending says", () => {
    const kinds = (attachment: object[]) =>
      parsed({ attachment }).media.map(({ type, media_type: mediaType }) => [type, mediaType]);
    const url = (name: string) => ({ type: "Document", url: `https://there.example/${name}` });
    assert.deepEqual(
      kinds([
        url("a.jpg"),
        url("b.MP4?x=1"),
        { ...url("c.ogg"), mediaType: "audio/ogg; codecs=opus" },
        { ...url("d.mp4"), mediaType: "application/octet-stream" },
        { ...url("e"), mediaType: "Video/WebM;codecs=vp9" },
        { ...url("f.tgz"), mediaType: "application/octet-stream" },
        { ...url("g"), mediaType: "application/octet-stream" },
        url("h"),
        { ...url("i.mp4"), mediaType: "image/png" },
      ]),
      [
        ["image", "image/jpeg"],
        ["video", "video/mp4"],
        ["audio", "audio/ogg"],
        ["video", "video/mp4"],
        ["video", "video/webm"],
        ["unknown", "application/octet-stream"],
        ["unknown", "application/octet-stream"],
        ["unknown", null],
        ["image", "image/png"],
      ],
    );
  });

  it("reads the shapes of Mastodon, Pleroma and Misskey", () => {
    const { media, sensitive } = parsed({
      attachment: [
        {
          type: "Document",
          mediaType: "image/png",
          url: "https://there.example/1.png",
          name: " a cat ",
          blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
          width: 640,
          height: 480,
          focalPoint: [0.5, -0.25],
        },
        {
          type: "Document",
          url: [{ type: "Link", href: "https://there.example/2.mp4", mediaType: "video/mp4" }],
        },
        { type: "Image", url: "https://there.example/3", sensitive: true },
      ],
    });
    assert.deepEqual(
      media.map((item) => item.type),
      ["image", "video", "image"],
    );
    assert.equal(media[0]!.description, "a cat");
    assert.deepEqual(media[0]!.meta, {
      original: { width: 640, height: 480, size: "640x480", aspect: 640 / 480 },
      focus: { x: 0.5, y: -0.25 },
    });
    assert.equal(sensitive, true);
  });

  it("drops bad schemes and links that are not media, stores 16", () => {
    const bad = [
      { type: "Image", url: "javascript:alert(1)" },
      { type: "Image", url: "data:image/png;base64,xx" },
      { type: "Link", href: "https://there.example/page" },
      "text",
      null,
    ];
    assert.deepEqual(parsed({ attachment: bad }).media, []);
    const many = Array.from({ length: 40 }, (_, n) => ({
      type: "Image",
      url: `https://there.example/${n}`,
    }));
    assert.equal(parsed({ attachment: many }).media.length, 16);
  });

  it("bounds hashtags, mentions and emojis", () => {
    const times = (make: (n: number) => unknown) => Array.from({ length: 300 }, (_, n) => make(n));
    const tag = [
      ...times((n) => ({ type: "Hashtag", name: `#t${n}` })),
      ...times((n) => ({ type: "Mention", href: `https://there.example/u/${n}` })),
      ...times((n) => ({
        type: "Emoji",
        name: `:e${n}:`,
        icon: { url: `https://there.example/${n}.png` },
      })),
    ];
    const result = parsed({ tag });
    assert.equal(result.tags.length, 100);
    assert.equal(result.mentionUris.length, 100);
    assert.equal(result.emojis.length, 100);
  });

  it("drops emojis and tags that are none", () => {
    const { tags, emojis, mentionUris } = parsed({
      tag: [
        { type: "Hashtag", name: "#12" },
        { type: "Hashtag" },
        { type: "Emoji", name: ":../x:", icon: { url: "https://there.example/e.png" } },
        { type: "Emoji", name: ":ok:", icon: { url: "javascript:x" } },
        { type: "Mention", href: "javascript:x" },
        7,
      ],
    });
    assert.deepEqual([tags, emojis, mentionUris], [[], [], []]);
  });
});

it("knows a vote from a titled note", () => {
  assert.equal(isVote({ type: "Note", name: "yes", inReplyTo: "https://here.example/1" }), true);
  assert.equal(
    isVote({ type: "Note", name: "t", content: "c", inReplyTo: "https://h.example/1" }),
    false,
  );
});

describe("the link to what is quoted is marked, so that who shows the quote hides it", () => {
  const quote = "https://here.example/1";
  const link = `<a href="${quote}">${quote}</a>`;
  const shown = link.replace(">", ' target="_blank" rel="nofollow noopener noreferrer">');
  const marked = `<span class="quote-inline"><br /><br />RE: ${shown}</span>`;
  const written: [string, string][] = [
    [`<p>see<br><br>RE: ${link}</p>`, `<p>see${marked}</p>`],
    [`<p>see<span><br><br>RE: </span>${link}</p>`, `<p>see${marked}</p>`],
    [`<p><span>see<br><br>RE: </span>${link}</p>`, `<p><span>see</span>${marked}</p>`],
    [`<p><span>see<br><br>RE: ${link}</span></p>`, `<p><span>see${marked}</span></p>`],
    [`<p>see<span class="quote-inline"><br><br>RE: ${link}</span></p>`, `<p>see${marked}</p>`],
  ];
  for (const [content, expected] of written)
    it(content, () => assert.equal(parsed({ content, _misskey_quote: quote }).content, expected));

  it("but not in the midst of a text, nor where nothing is quoted", () => {
    const content = `<p>RE: ${link}</p><p>on</p>`;
    for (const members of [{ content, quoteUrl: quote }, { content: `<p>RE: ${link}</p>` }])
      assert.doesNotMatch(parsed(members).content, /quote-inline/);
  });

  it("in a time that does not grow with what is hostile", { timeout: 5000 }, () => {
    const content = "<br>".repeat(7000) + "RE: <a href='https://x.example/'>".repeat(500);
    assert.ok(parsed({ content, quoteUrl: quote }).content.length > 0);
  });
});

describe("Markdown (PeerTube)", () => {
  const markdown = (content: string): string =>
    parsed({ content, mediaType: "text/markdown" }).content;

  it("is shown as HTML, with its links, and names nobody", () => {
    const { content, mentionUris, tags } = parsed({
      content: "a **b** https://c.example/ @bob #d\r\n\r\n<script>",
      mediaType: "text/markdown",
    });
    assert.match(content, /^<p>a <strong>b<\/strong> <a href="https:\/\/c\.example\/"/);
    assert.match(content, /@bob #<span>d<\/span><\/p><p>&lt;script&gt;<\/p>$/);
    assert.deepEqual([mentionUris, tags], [[], []]);
  });

  it("is a plain text where it is longer than PeerTube writes it", () => {
    assert.match(markdown(`**b** ${"x".repeat(10_000)}`), /^<p>\*\*b\*\* x/);
  });
});

it("nobody may reply where comments are closed (PeerTube, Lemmy, PieFed, Mobilizon)", () => {
  const bits = (commentsEnabled: unknown) => parsed({ commentsEnabled }).interactionPolicy;
  assert.deepEqual([bits(false), bits(true), bits(undefined)], [replyBits("nobody"), 0, 0]);
});
