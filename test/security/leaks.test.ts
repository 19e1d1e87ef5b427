// What of somebody is left to be seen anywhere once they were blocked, limited, suspended or are gone: each act with a
// remote person of its own, who had been everywhere, over every surface, for the person concerned and for strangers.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { follow } from "../../src/domain/people/relationships/follow.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { startPeer } from "../fake-peer.ts";
import type { Person } from "../harness.ts";
import { openStream } from "../stream-client.ts";
import type { StreamClient } from "../stream-client.ts";
import { PUBLIC, startStage } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

let stage: Stage;
let owner: Person;
/** Each on a host of its own. */
const hosts: FakePeer[] = [];

before(async () => {
  stage = await startStage();
  const scopes = ["admin:read", "admin:write"];
  owner = await stage.server.person("owner", { role: "Owner", scopes });
  await setSetting(stage.server.app, "trendable_by_default", true);
  await follow(stage.server.app, {
    accountId: stage.alice.accountId,
    targetId: stage.carol.accountId,
  });
});
after(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await stage.close();
});

const LINK = "https://news.example/story";

/** Somebody whose name is in everything that they are and write. */
type Somebody = {
  name: string;
  host: FakePeer;
  actor: PeerActor;
  id: string;
  /** Their public post, and what others made of it. */
  post: string;
  postUri: string;
  direct: Json;
  answered: string;
  boost: string;
  answer: string;
  quote: string;
  list: string;
  media: string;
};

const send = (actor: PeerActor, activity: Json) =>
  actor.deliver(stage.server, { id: stage.nextId(actor), ...activity });

const idOfUri = async (uri: unknown): Promise<string> => (await stage.statusId(uri))!;

/** They follow and are followed, post, answer, favourite, boost, react; others boost, answer and quote them. */
const meet = async (name: string): Promise<Somebody> => {
  const { server, alice, carol, bob } = stage;
  const host = await startPeer(`127.0.0.${10 + hosts.length}`);
  hosts.push(host);
  const actor = host.actor(name, 0);
  Object.assign(actor.document, { summary: name, discoverable: true, indexable: true });
  const [me, carolUri] = [stage.uriOf(alice), stage.uriOf(carol)];
  for (const object of [me, carolUri]) await send(actor, { type: "Follow", object });
  const id = await stage.accountId(actor);
  await follow(server.app, { accountId: alice.accountId, targetId: id });
  await send(actor, {
    type: "Accept",
    object: { type: "Follow", actor: me, object: actor.uri },
  });
  const write = async (path: string, members: Json): Promise<Json> => {
    const content = `<p>${name} ${name}${path} <a href="${LINK}">link</a></p>`;
    const published = new Date().toISOString();
    const object = host.note(actor, `/notes/${path}`, { content, published, ...members });
    await send(actor, { type: "Create", object, to: object["to"], cc: object["cc"] });
    return object;
  };
  const mention = { type: "Mention", href: me, name: "@alice" };
  const post = await write("post", {
    tag: [mention, { type: "Hashtag", name: "#everywhere" }],
    attachment: [{ type: "Image", mediaType: "image/png", url: `${host.origin}/x.png`, name }],
    interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
  });
  const direct = await write("direct", { to: [me], cc: [], tag: mention });
  await write("private", { to: [`${actor.uri}/followers`], cc: [], tag: mention });
  const mine = await stage.write(alice, "hello all");
  await write("answer", { inReplyTo: mine.uri, tag: mention });
  const react = { type: "EmojiReact", object: mine.uri, content: "🦊" };
  await send(actor, react);
  await send(actor, { type: "Announce", object: mine.uri, to: [PUBLIC] });
  const statusId = await idOfUri(post["id"]);
  const boost = await carol.post(`/api/v1/statuses/${statusId}/reblog`).ok();
  await alice.post(`/api/v1/statuses/${statusId}/favourite`).ok();
  await alice.post(`/api/v1/statuses/${statusId}/bookmark`).ok();
  const answer = await stage.write(carol, "indeed", { in_reply_to_id: statusId });
  const quoting = { quoteUri: post["id"], content: "<p>see</p>" };
  const quote = await stage.create(bob, quoting);
  const list = await alice.post("/api/v1/lists", { title: "l" }).ok();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id] }).ok();
  await server.runJobs();
  await server.write`INSERT INTO trend_statuses (status_id, score) VALUES (${statusId}, 1)`;
  const shown = await alice.get(`/api/v1/statuses/${statusId}`).ok();
  return {
    name,
    host,
    actor,
    id,
    list: list.id,
    post: statusId,
    postUri: String(post["id"]),
    direct,
    answered: mine.id,
    boost: boost.id,
    answer: answer.id,
    quote: await idOfUri(quote["id"]),
    media: new URL(shown.media_attachments[0].url).pathname,
  };
};

type Surface = (x: Somebody) => string;

/** What everybody may ask for, with or without a token. */
const SURFACES: Record<string, Surface> = {
  public: () => "/api/v1/timelines/public?limit=40",
  remote: () => "/api/v1/timelines/public?remote=true&limit=40",
  tag: () => "/api/v1/timelines/tag/everywhere?limit=40",
  link: () => `/api/v1/timelines/link?url=${encodeURIComponent(LINK)}&limit=40`,
  trends: () => "/api/v1/trends/statuses?limit=40",
  context: ({ answered }) => `/api/v1/statuses/${answered}/context`,
  "their post's context": ({ answer }) => `/api/v1/statuses/${answer}/context`,
  favouriters: ({ answered }) => `/api/v1/statuses/${answered}/favourited_by`,
  boosters: ({ answered }) => `/api/v1/statuses/${answered}/reblogged_by`,
  boost: ({ boost }) => `/api/v1/statuses/${boost}`,
  quote: ({ quote }) => `/api/v1/statuses/${quote}`,
  "boosts on a profile": () => `/api/v1/accounts/${stage.carol.accountId}/statuses?limit=40`,
  followers: () => `/api/v1/accounts/${stage.carol.accountId}/followers`,
  directory: () => "/api/v1/directory?order=new&limit=40",
};

/** Pages and documents, which are the same for all. */
const PAGES: Record<string, Surface> = {
  "page of an answer": ({ answer }) => `/@carol/${answer}`,
  "page of a post": ({ answered }) => `/@alice/${answered}`,
  profile: () => "/@carol",
  "tag page": () => "/tags/everywhere",
  "tag feed": () => "/tags/everywhere.rss",
  outbox: () => "/users/carol/outbox?page=true",
};

/** What is one's own. */
const OWN_SURFACES: Record<string, Surface> = {
  home: () => "/api/v1/timelines/home?limit=40",
  list: ({ list }) => `/api/v1/timelines/list/${list}?limit=40`,
  "list members": ({ list }) => `/api/v1/lists/${list}/accounts`,
  notifications: () => "/api/v1/notifications?limit=80",
  "grouped notifications": () => "/api/v2/notifications?limit=60",
  "partial accounts": () => "/api/v2/notifications?limit=60&expand_accounts=partial_avatars",
  conversations: () => "/api/v1/conversations?limit=40",
  favourites: () => "/api/v1/favourites?limit=40",
  bookmarks: () => "/api/v1/bookmarks?limit=40",
  "search of posts": ({ name }) => `/api/v2/search?type=statuses&q=${name}`,
  "search of people": ({ name }) => `/api/v2/search?type=accounts&q=${name}`,
  people: ({ name }) => `/api/v1/accounts/search?q=${name}`,
  following: () => `/api/v1/accounts/${stage.alice.accountId}/following`,
  "their post": ({ post }) => `/api/v1/statuses/${post}`,
  "several posts": ({ post, quote }) => `/api/v1/statuses?id[]=${post}&id[]=${quote}`,
};

/** Of somebody whom one blocks a quote says so; apps ask before they show it (docs/design/approvals.md). */
const HIDDEN = /"quote":\{"state":"(?:blocked_account|blocked_domain|muted_account)"/;

const withoutHidden = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (typeof value !== "object" || value === null) return value;
  const { quote, ...rest } = value as Json;
  const kept = quote && !HIDDEN.test(`"quote":${JSON.stringify(quote)}`) ? { quote } : {};
  const members = Object.entries({ ...rest, ...kept });
  return Object.fromEntries(members.map(([name, member]) => [name, withoutHidden(member)]));
};

/** On which surfaces the word is to be found. */
const seenOn = async (
  word: string,
  x: Somebody,
  surfaces: Record<string, Surface>,
  by: Person | null,
): Promise<string[]> => {
  const leaks: string[] = [];
  for (const [name, pathOf] of Object.entries(surfaces)) {
    const path = pathOf(x);
    const { text, status, json } = await stage.get(path, by);
    assert.ok(status < 500, `${path}: ${status}`);
    const shown = path.startsWith("/api") ? JSON.stringify(withoutHidden(json)) : text;
    if (shown.includes(word)) leaks.push(name);
    if (shown.includes(word) && process.env["SHOW"]?.split(",").includes(name)) {
      const at = shown.indexOf(word);
      console.log("SHOW", name, x.name, shown.slice(Math.max(0, at - 200), at + 300));
    }
  }
  return leaks;
};

type Act = {
  act(x: Somebody): Promise<unknown>;
  /** Where alice may still see them, and where strangers may. */
  aliceSees?: string[];
  strangersSee?: string[] | "as before";
  /** The streams in which alice still hears of them. */
  hears?: string[];
  /** Their files are gone too. */
  withheld?: boolean;
};

/** Whom others boost, quote and are followed by is theirs to choose. The quote is public. */
const BY_OTHERS = [
  "public",
  "remote",
  "favouriters",
  "boosters",
  "boost",
  "quote",
  "boosts on a profile",
  "followers",
];

/** By its address, in one's own collections, and by name: whom one blocks has to be found again. */
const LOOKED_FOR = [
  "boost",
  "favourites",
  "bookmarks",
  "search of people",
  "people",
  "their post",
  "several posts",
];

const ACTS: Record<string, Act> = {
  suspended: {
    act: ({ id }) => owner.post(`/api/v1/admin/accounts/${id}/action`, { type: "suspend" }).ok(),
    withheld: true,
  },
  domainsuspended: {
    act: ({ host }) =>
      owner.post("/api/v1/admin/domain_blocks", { domain: host.host, severity: "suspend" }).ok(),
    withheld: true,
  },
  gone: {
    act: async ({ host, actor }) => {
      await send(actor, { type: "Delete", object: actor.uri });
      host.documents.set(`/users/${actor.name}`, 410);
    },
    withheld: true,
  },
  blocked: {
    act: ({ id }) => stage.alice.post(`/api/v1/accounts/${id}/block`).ok(),
    aliceSees: LOOKED_FOR,
    strangersSee: "as before",
  },
  domainblocked: {
    act: ({ host }) => stage.alice.post("/api/v1/domain_blocks", { domain: host.host }).ok(),
    aliceSees: [...LOOKED_FOR, "followers"],
    strangersSee: "as before",
  },
  blocking: {
    act: ({ actor }) => send(actor, { type: "Block", object: stage.uriOf(stage.alice) }),
    // What was said between the two stays alice's.
    aliceSees: ["conversations"],
    strangersSee: "as before",
  },
  limited: {
    act: ({ id }) => owner.post(`/api/v1/admin/accounts/${id}/action`, { type: "silence" }).ok(),
    // A follower chose to see them, though not everywhere.
    aliceSees: [...Object.keys(OWN_SURFACES), ...BY_OTHERS, "context", "their post's context"],
    strangersSee: [...BY_OTHERS, "profile", "outbox"],
    hears: ["user"],
  },
};

const STREAMS = ["user", "public", "public:remote", "hashtag"];

const listen = (by: Person): Promise<StreamClient[]> =>
  Promise.all(
    STREAMS.map((stream) =>
      openStream(stage.server.url, {
        query: { stream, tag: "everywhere", access_token: by.token },
      }),
    ),
  );

/** Everything that they can still send. */
const carryOn = async ({ name, host, actor, postUri }: Somebody, answeredUri: string) => {
  const me = stage.uriOf(stage.alice);
  const tag = [
    { type: "Mention", href: me, name: "@alice" },
    { type: "Hashtag", name: "#everywhere" },
  ];
  const create = (path: string, members: Json) =>
    host.note(actor, `/notes/${path}`, { content: `<p>${name}again</p>`, tag, ...members });
  const activities: Json[] = [
    { type: "Create", object: create("more", {}) },
    { type: "Create", object: create("more-direct", { to: [me], cc: [] }) },
    { type: "Create", object: create("more-answer", { inReplyTo: answeredUri }) },
    { type: "Update", object: create("post", {}) },
    { type: "Like", object: answeredUri },
    { type: "Announce", object: answeredUri, to: [PUBLIC] },
    { type: "Follow", object: me },
  ];
  for (const activity of activities) {
    const whole = { id: stage.nextId(actor), actor: actor.uri, ...activity };
    await host.post(`${stage.server.url}/inbox`, actor, whole);
  }
  await stage.server.runJobs();
  // Somebody else brings what they wrote.
  await stage.post(stage.bob, { type: "Announce", object: postUri, to: [PUBLIC] });
  await stage.server.runJobs();
};

describe("once somebody is", () => {
  for (const [
    act,
    { act: done, aliceSees = [], strangersSee = [], hears = [], withheld = false },
  ] of Object.entries(ACTS)) {
    test(`${act}: nothing of it is seen`, async () => {
      const { alice, server } = stage;
      const x = await meet(`zz${act}`);
      const open = { ...SURFACES, ...PAGES };
      const own = { ...SURFACES, ...OWN_SURFACES };
      // Before, they are everywhere: no surface is checked in vain.
      assert.deepEqual(await seenOn(x.name, x, open, null), Object.keys(open));
      assert.deepEqual(await seenOn(x.name, x, own, alice), Object.keys(own));
      assert.deepEqual(await seenOn(`${x.name}private`, x, open, null), []);
      assert.deepEqual(await seenOn(`${x.name}direct`, x, open, null), []);
      await done(x);
      await server.runJobs();
      const streams = await listen(alice);
      const { uri } = await alice.get(`/api/v1/statuses/${x.answered}`).ok();
      await carryOn(x, uri);
      const heard: string[] = [];
      for (const stream of streams) {
        await stream.settle();
        const frames = stream.frames.filter(({ payload }) => payload?.includes(x.name));
        heard.push(...frames.flatMap(({ stream: names }) => names ?? []));
        stream.socket.close();
      }
      assert.deepEqual([...new Set(heard)], hears);
      const among = (of: object, names: string[]) =>
        Object.keys(of).filter((name) => names.includes(name));
      const shown = strangersSee === "as before" ? Object.keys(open) : among(open, strangersSee);
      assert.deepEqual(await seenOn(x.name, x, open, null), shown, "strangers");
      assert.deepEqual(await seenOn(x.name, x, own, alice), among(own, aliceSees), "alice");
      if (withheld) assert.equal((await stage.get(x.media)).status, 404);
    });
  }

  test("a post is deleted: nothing of it is seen", async () => {
    const { alice, server } = stage;
    const x = await meet("zzdeleting");
    const [open, own] = [
      { ...SURFACES, ...PAGES },
      { ...SURFACES, ...OWN_SURFACES },
    ];
    const word = `${x.name}post`;
    assert.ok((await seenOn(word, x, open, null)).length > 10);
    const object = { type: "Tombstone", id: x.postUri };
    x.host.documents.set("/notes/post", 410);
    await send(x.actor, { type: "Delete", object });
    await stage.post(stage.bob, { type: "Announce", object: x.postUri, to: [PUBLIC] });
    await server.runJobs();
    assert.deepEqual(await seenOn(word, x, open, null), []);
    assert.deepEqual(await seenOn(word, x, own, alice), []);
    assert.equal((await stage.get(x.media)).status, 404);
  });
});
