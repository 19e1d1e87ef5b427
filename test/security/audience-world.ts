// The world of the tests of audiences: an author whose posts are of every kind (written, edited, answers, quotes, pinned,
// boosted by their author, scheduled) with every combination of the facts that decide who may see them, those who read
// here, and servers of others.

import assert from "node:assert/strict";
import {
  federates,
  isCircle,
  openTo,
  openToFollowers,
} from "../../src/domain/posts/statuses/visibility.ts";
import type { VisibilityFacts } from "../../src/domain/posts/statuses/visibility.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { addWebhook } from "../../src/domain/base/webhooks/webhooks.ts";
import { wakeHere } from "../../src/platform/wake.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { addRelay } from "../../src/federation/relays.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { openStream } from "../stream-client.ts";
import type { StreamClient } from "../stream-client.ts";
import { FACTS } from "../visibility-facts.ts";

export type Json = Record<string, any>;

/** How a member asks for a post with these facts. A new fact needs a line here. */
const parametersOf = (facts: VisibilityFacts): Json => ({
  visibility: facts.visibility,
  ...(isCircle(facts) && { list_ids: [list.id] }),
});
/** Who has an account here; a member is in the author's list, as is the last one, whom the author has blocked. */
export const PEOPLE = ["stranger", "follower", "mentioned", "member", "blocked"] as const;
type Reader = "nobody" | (typeof PEOPLE)[number];
export const HOSTS = ["follower", "mentioned", "member", "stranger"] as const;
export type Host = (typeof HOSTS)[number];

/** What the table says. The author sees everything, and is not asked. */
const isFor = (facts: VisibilityFacts, who: Reader | Host): boolean =>
  who === "mentioned" ||
  (who === "follower" && openToFollowers(facts)) ||
  (who === "member" && isCircle(facts));
export const maySee = (facts: VisibilityFacts, who: Reader): boolean =>
  who !== "blocked" && (openTo(who === "nobody" ? "world" : "here", facts) || isFor(facts, who));
export const mayGet = (facts: VisibilityFacts, who: Host): boolean =>
  openTo("elsewhere", facts) || (federates(facts) && isFor(facts, who));
/** Of a reader here, or a host: who they are is known where it is asked. */
export type May = (facts: VisibilityFacts) => boolean;

const ACTS = [
  "write",
  "edit",
  "answer",
  "quote",
  "pin",
  "self-boost",
  "schedule",
  "event",
] as const;
type Act = (typeof ACTS)[number];
export type Post = { act: Act; facts: VisibilityFacts; word: string; id: string; uri: string };

export let server: TestApp;
export let author: Person;
export const people = {} as Record<Exclude<Reader, "nobody">, Person>;
export const peers = {} as Record<Host | "relay" | "webhook" | "page", FakePeer>;
export const actors = {} as Record<Host, PeerActor>;
export const streams: { who: Reader; name: string; client: StreamClient }[] = [];
export const posts: Post[] = [];
export let open: { id: string };
export let list: { id: string };

export const sendFrom = async (host: Host, activity: Json): Promise<void> => {
  const actor = actors[host];
  const id = `${actor.uri}#${activity["type"]}`;
  const whole = { "@context": "https://www.w3.org/ns/activitystreams", id, ...activity };
  const sent = await peers[host].post(`${server.url}/inbox`, actor, { ...whole, actor: actor.uri });
  assert.equal(sent.status, 202, sent.text);
  await server.runJobs();
};

export const uriOf = ({ username }: Person): string => `${server.url}/users/${username}`;

/** A word that is nowhere else, and is found as it is in texts of every kind. */
const wordOf = (act: Act, n: number): string => `needle${act.replace("-", "")}${n}x`;
export const wordsIn = (text: string): Set<string> => new Set(text.match(/needle[a-z]+\d+x/g));

const make = async (act: Act, facts: VisibilityFacts, n: number): Promise<Post> => {
  const word = wordOf(act, n);
  const to = `@mentioned @mentioned@${peers.mentioned.host} @moss`;
  // The page is asked for the card, where there is one.
  const whole = `${word} ${to} #alice ${peers.page.origin}/page/${word}`;
  const text = act === "edit" ? `before ${to} #alice` : whole;
  const json: Json = { status: text, ...parametersOf(facts) };
  if (act === "answer") json["in_reply_to_id"] = open.id;
  if (act === "quote") json["quoted_status_id"] = open.id;
  if (act === "event")
    json["event"] = { name: word, place: word, starts_at: "2031-05-01T18:00:00Z" };
  if (act === "schedule") {
    json["scheduled_at"] = new Date(Date.now() + 6 * 60_000).toISOString();
    const { id } = await author.post("/api/v1/statuses", json).ok();
    // Its time has come.
    await server.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${id}`;
    await server.app.jobs.add(server.app.sql, "status.scheduled", { id });
    await server.runJobs();
    const [row] = await server.app.sql<{ id: string; uri: string }[]>`
      SELECT id, uri FROM statuses WHERE content LIKE ${`%${word}%`}`;
    return { act, facts, word, ...row! };
  }
  const { id, uri } = await author.post("/api/v1/statuses", json).ok();
  if (act === "edit") await author.put(`/api/v1/statuses/${id}`, { status: whole }).ok();
  if (act === "pin" && openTo("here", facts)) await author.post(`/api/v1/statuses/${id}/pin`).ok();
  if (act === "self-boost" && openToFollowers(facts))
    await author.post(`/api/v1/statuses/${id}/reblog`).ok();
  return { act, facts, word, id, uri };
};

/** Of the author, with the member here, the one on another server, and who is blocked. */
const makeList = async (): Promise<{ id: string }> => {
  const circle = await author.post("/api/v1/lists", { title: "Circle" }).ok();
  const [remote] = await server.app.sql<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${actors.member.uri}`;
  const ids = [people.member.accountId, remote!.id];
  for (const id of ids) await author.post(`/api/v1/accounts/${id}/follow`).ok();
  await author.post(`/api/v1/lists/${circle.id}/accounts`, { account_ids: ids }).ok();
  await server.write`INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    VALUES (${circle.id}, ${people.blocked.accountId}, ${author.accountId}, false)`;
  return circle;
};

/** Every post names it: the author and a stranger elsewhere follow it, whose software is of Lemmy's kind. */
const makeGroup = async (): Promise<void> => {
  const group = await people.mentioned.post("/api/v1/groups", { name: "moss" }).ok();
  await author.post(`/api/v1/accounts/${group.id}/follow`).ok();
  const id = `${actors.stranger.uri}#group`;
  await sendFrom("stranger", { type: "Follow", id, object: `${server.url}/users/moss` });
  await server.write`INSERT INTO peers (host, software, checked_at)
    VALUES (${peers.stranger.host}, 'lemmy', now())
    ON CONFLICT (host) DO UPDATE SET software = excluded.software`;
};

export const everythingSent = (): Promise<unknown> =>
  eventually("everything to be sent", async () => {
    // A server that answered late rests for a while, which this does not wait for.
    await server.write`UPDATE remote_hosts SET resting = false, paused_until = NULL, due_at = now()
      WHERE resting AND owner IS NULL`;
    wakeHere(server.app, "deliveries");
    await server.runJobs();
    return (await server.app.sql`SELECT FROM deliveries LIMIT 1`).length === 0;
  });

const STREAMS = ["user", "public", "public:local", "public:media", "direct"];

const watch = async (who: Exclude<Reader, "nobody">): Promise<void> => {
  for (const stream of STREAMS) {
    const query = { stream, access_token: people[who].token };
    streams.push({ who, name: stream, client: await openStream(server.url, { query }) });
  }
  const query = { stream: "hashtag", tag: "alice", access_token: people[who].token };
  streams.push({ who, name: "hashtag", client: await openStream(server.url, { query }) });
};

/** Opens the server with its people, the other servers, and a post of every kind with all facts. */
export const openWorld = async (): Promise<void> => {
  const addresses = [1, 2, 3, 4, 5, 6, 7].map((n) => `127.0.0.${n}`);
  const [first, ...others] = await Promise.all(addresses.map((address) => startPeer(address)));
  Object.assign(peers, {
    follower: first,
    mentioned: others[0],
    stranger: others[1],
    relay: others[2],
    webhook: others[3],
    page: others[4],
    member: others[5],
  });
  server = await startTestApp({
    env: {
      RATE_LIMITS: "false",
      PREVIEW_CARDS: "true",
      ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
    },
  });
  author = await server.person("alice");
  // So that nothing but its visibility keeps a post from search.
  await author
    .patch("/api/v1/accounts/update_credentials", {
      discoverable: true,
      indexable: true,
    })
    .ok();
  people.blocked = await server.person("blocked");
  await author.post(`/api/v1/accounts/${people.blocked.accountId}/block`).ok();
  for (const name of HOSTS) {
    people[name] = await server.person(name);
    // There are three keys: servers do not know of each other.
    actors[name] = peers[name].actor(name, HOSTS.indexOf(name) % 3);
    // Each of the servers is known, whoever its people follow.
    await sendFrom(name, { type: "Follow", object: uriOf(people[name]) });
  }
  const notify = { notify: true };
  await people.follower.post(`/api/v1/accounts/${author.accountId}/follow`, notify).ok();
  // They talk with whom they do not follow, too.
  const policy = { for_private_mentions: "accept", for_not_following: "accept" };
  await people.mentioned.patch("/api/v2/notifications/policy", policy).ok();
  list = await makeList();
  await makeGroup();
  // Tags are followed for what is listed.
  await people.stranger.post("/api/v1/tags/alice/follow").ok();
  await sendFrom("follower", { type: "Follow", id: "again", object: uriOf(author) });
  await setSetting(server.app, "trendable_by_default", true);
  const relay = peers.relay.actor("relay", 0);
  await addRelay(server.app, COMMAND_LINE, `${peers.relay.origin}/inbox`);
  await server.runJobs();
  const follow = peers.relay.inbox().find(({ type }) => type === "Follow")!;
  await peers.relay.post(`${server.url}/inbox`, relay, {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${relay.uri}#accept`,
    type: "Accept",
    actor: relay.uri,
    object: follow,
  });
  await addWebhook(server.app, server.app.sql, `${peers.webhook.origin}/hook`, ["status.created"]);
  open = await people.mentioned.post("/api/v1/statuses", { status: "open to all" }).ok();
  for (const who of PEOPLE) {
    // From now on posts are put into their feeds.
    await people[who].get("/api/v1/timelines/home").ok();
    await watch(who);
  }
  for (const [n, facts] of FACTS.entries())
    for (const act of ACTS) {
      // Quotes of what others wrote, as far as one may.
      const post = await make(act, facts, n);
      posts.push(post);
    }
  await everythingSent();
};
export const closeWorld = async (): Promise<void> => {
  for (const { client } of streams) client.socket.close();
  await Promise.all(Object.values(peers).map((peer) => peer.close()));
  await server?.close();
};

export const describePost = ({ act, facts }: Post): string => `${act}, ${JSON.stringify(facts)}`;

/** What this one finds of the posts in a text, but may not. */
export const leaked = (text: string, may: May): string[] => {
  const words = wordsIn(text);
  // Most answers name no post at all: looking for each address in each answer takes as long as the answers.
  const isNamed = text.includes(`${uriOf(author)}/statuses/`);
  return posts
    .filter(({ facts }) => !may(facts))
    .filter(({ word, uri }) => words.has(word) || (isNamed && text.includes(uri)))
    .map(describePost);
};

export const written = (): Post[] => posts.filter(({ act }) => act === "write");

export const toTheWorld: May = (facts) => openTo("world", facts);

export const bodies = (peer: FakePeer): string[] => peer.received.map(({ body }) => body);

export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

/** Whether it says so of itself, or of the object in it. */
export const names = (activity: Json, member: string, address: string): boolean =>
  [activity, activity["object"] ?? {}].some((part) => [part[member]].flat().includes(address));
