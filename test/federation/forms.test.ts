// One activity may be written in many ways, as other servers write it: what it means counts in each of them. The forms
// are from public reports about software that read them differently, which each row names.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import * as w from "../inbox-world.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const get = async (path: string): Promise<any> => (await w.alice.get(path)).json;

const counts = async ({ id }: { id: string }): Promise<number[]> => {
  const { favourites_count, reblogs_count, replies_count } = await get(`/api/v1/statuses/${id}`);
  return [favourites_count, reblogs_count, replies_count];
};

const followers = async (): Promise<string[]> =>
  (await get(`/api/v1/accounts/${w.carol.accountId}/followers`)).map(
    ({ username }: Json) => username,
  );

/** How an address may be written where an object is expected. */
const OBJECTS: [string, (uri: string) => unknown][] = [
  ["its address", (uri) => uri],
  ["its address in a list (LemmyNet/lemmy#4217)", (uri) => [uri]],
  ["an object with its id", (uri) => ({ id: uri })],
  ["a list of an object with its id", (uri) => [{ id: uri, type: "Note" }]],
  [
    "an object with more of it (mastodon/mastodon#16974)",
    (uri) => ({
      id: uri,
      type: "Note",
      attributedTo: uri.replace(/\/statuses.*/, ""),
      content: "forged",
      to: w.PUBLIC,
    }),
  ],
];

/** How its sender may be. */
const ACTORS: [string, (uri: string) => unknown][] = [
  ["its address", (uri) => uri],
  ["an object (snarfed/bridgy-fed#375)", (uri) => ({ id: uri, type: "Person" })],
  ["a list", (uri) => [uri]],
];

describe("what an activity is about, written as", () => {
  for (const [what, written] of OBJECTS) {
    it(`${what}: favourites and boosts, and their end`, async () => {
      const post = await w.post(w.alice, "hello");
      const object = written(post.uri);
      const [like, announce] = [w.nextId(w.bob), w.nextId(w.bob)];
      await w.send(w.bob, { id: like, type: "Like", object });
      await w.send(w.bob, { id: announce, type: "Announce", object, to: [w.PUBLIC] });
      assert.deepEqual(await counts(post), [1, 1, 0]);
      await w.send(w.bob, { type: "Undo", object: written(like) });
      await w.send(w.bob, { type: "Undo", object: written(announce) });
      assert.deepEqual(await counts(post), [0, 0, 0]);
    });

    it(`${what}: answers`, async () => {
      const post = await w.post(w.alice, "hello");
      const answer = await w.create(w.bob, { inReplyTo: written(post.uri) });
      assert.equal((await w.statusByUri(answer["id"]))?.in_reply_to_id, post.id);
    });

    it(`${what}: follows, and their end`, async () => {
      const id = w.nextId(w.eve);
      await w.send(w.eve, { id, type: "Follow", object: written(w.uriOf(w.carol)) });
      assert.ok((await followers()).includes("eve"));
      await w.send(w.eve, { type: "Undo", object: written(id) });
      assert.ok(!(await followers()).includes("eve"));
    });

    it(`${what}: the deletion of a post`, async () => {
      const object = await w.create(w.bob);
      await w.send(w.bob, { type: "Delete", object: written(String(object["id"])) });
      assert.equal(await w.statusByUri(object["id"]), undefined);
    });
  }
});

describe("who does it, written as", () => {
  for (const [what, written] of ACTORS) {
    it(`${what}: a favourite, a post`, async () => {
      const post = await w.post(w.alice, "hello");
      const actor = written(w.bob.uri);
      await w.send(w.bob, { actor, type: "Like", object: post.uri });
      assert.deepEqual(await counts(post), [1, 0, 0]);
      const object = w.note(w.bob, { attributedTo: actor });
      await w.send(w.bob, { actor, type: "Create", object });
      assert.ok(await w.statusByUri(object["id"]));
    });
  }
});

describe("the members of a post", () => {
  const FORMS: [string, Json, (status: Json) => void][] = [
    [
      "a type in a list, with one more (redmatrix/hubzilla)",
      { type: ["Note", "https://example.org/Other"] },
      ({ content }) => assert.equal(content, "<p>hello</p>"),
    ],
    [
      "audience as a text",
      { to: w.PUBLIC, cc: undefined },
      ({ visibility }) => assert.equal(visibility, "public"),
    ],
    [
      "audience by a prefix",
      { to: "as:Public", cc: [] },
      ({ visibility }) => assert.equal(visibility, "public"),
    ],
    [
      "a tag that is no list",
      { tag: { type: "Hashtag", name: "#moss", href: "https://a.example/tags/moss" } },
      ({ tags }) =>
        assert.deepEqual(
          tags.map(({ name }: Json) => name),
          ["moss"],
        ),
    ],
    [
      "a hashtag without #",
      { tag: [{ type: "Hashtag", name: "moss" }] },
      ({ tags }) =>
        assert.deepEqual(
          tags.map(({ name }: Json) => name),
          ["moss"],
        ),
    ],
    [
      "a text in a map of languages alone",
      { content: undefined, contentMap: { de: "<p>hallo</p>" } },
      ({ content, language }) => assert.deepEqual([content, language], ["<p>hallo</p>", "de"]),
    ],
    [
      "an attachment that is no list",
      { attachment: { type: "Document", mediaType: "image/png", url: "https://a.example/1.png" } },
      ({ media_attachments: media }) => assert.equal(media.length, 1),
    ],
    [
      "times with an offset, and without a zone",
      { published: "2026-01-02T04:04:05+01:00" },
      ({ created_at: at }) => assert.equal(at, "2026-01-02T03:04:05.000Z"),
    ],
    [
      "unknown members of any kind",
      { generator: { type: "Application" }, likes: [], replies: null, source: [], proof: 5 },
      ({ content }) => assert.equal(content, "<p>hello</p>"),
    ],
    [
      "null wherever something may be missing",
      { summary: null, inReplyTo: null, tag: null, attachment: null, url: null, sensitive: null },
      ({ content, sensitive }) => assert.deepEqual([content, sensitive], ["<p>hello</p>", false]),
    ],
    [
      "an emoji with a list of pictures",
      {
        content: "<p>:moss:</p>",
        tag: [
          {
            type: "Emoji",
            name: ":moss:",
            icon: [{ type: "Image", url: "https://a.example/m.png" }],
          },
        ],
      },
      ({ emojis }) =>
        assert.deepEqual(
          emojis.map(({ shortcode }: Json) => shortcode),
          ["moss"],
        ),
    ],
    [
      "a page among several addresses (Chocobozzz/PeerTube)",
      {
        url: [
          { type: "Link", mediaType: "application/x-mpegURL", href: "https://a.example/v.m3u8" },
          { type: "Link", mediaType: "text/html", href: `PAGE` },
        ],
      },
      ({ url }) => assert.match(url, /\/page$/),
    ],
  ];
  for (const [what, members, check] of FORMS) {
    it(what, async () => {
      const text = JSON.stringify(members, (_, value) => (value === undefined ? null : value));
      const object = await w.create(
        w.bob,
        JSON.parse(text.replace("PAGE", `${w.peer.origin}/page`)),
      );
      const { id } = (await w.statusByUri(object["id"]))!;
      check(await get(`/api/v1/statuses/${id}`));
    });
  }
});
