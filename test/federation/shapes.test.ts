// What servers of other kinds send is read well. Each file of shapes/ has the actors of one software, and in order what
// it sends: written for these tests from public documentation, which it names. `shown` of an actor and `then` of an
// activity are what the API says afterwards, whole but for what is as usual (usual-shapes.ts); `sent` is what that
// software gets of what people here do with such a post, where it is not as usual (sent-to-them.ts).

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, beforeEach, describe, it } from "node:test";
import { openBrowser } from "../browser.ts";
import { TEST_KEYS } from "../keys.ts";
import type { PeerActor } from "../fake-peer.ts";
import * as w from "../inbox-world.ts";
import { authorUris } from "../../src/domain/posts/statuses/parse-note.ts";
import { sentToThem } from "./sent-to-them.ts";
import { DAY_MS, actorShown, api, postShown, shown, unusual, usualPost } from "./usual-shapes.ts";

type Json = Record<string, any>;

/**
 * `by`: the name of its actor, else the first. `follow`: alice follows that one before. `known`: the actor did not
 * introduce itself before. `about`: which post changes, where the activity does not contain it, and `document` what its
 * origin answers from now on.
 */
type Step = {
  what: string;
  by?: string;
  follow?: string;
  known?: string;
  about?: string;
  document?: Json | number;
  activity: Json;
  then?: Json;
};

type Shapes = {
  server: string;
  /** Its name in NodeInfo. */
  software: string;
  sources: string[];
  read: string;
  actors: { document: Json; shown?: Json }[];
  documents?: Record<string, Json>;
  life: Step[];
  sent?: Record<string, string[]>;
};

const FOLDER = new URL("shapes/", import.meta.url);

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

/** What the names in capitals of the files stand for. */
let names: Record<string, string> = {};

const written = <T>(value: T): T => {
  let text = JSON.stringify(value);
  for (const [name, meaning] of Object.entries(names)) text = text.replaceAll(name, meaning);
  return JSON.parse(text) as T;
};

/** The one that others answer, quote, favourite, boost and report. */
let post: { id: string; uri: string };

/** The one that others answer with yes, maybe or no, where they do. */
let party: { id: string; uri: string } | null = null;

const openParty = async (shapes: Shapes): Promise<void> => {
  const starts_at = new Date(Date.now() + DAY_MS).toISOString();
  const event = { name: "Party", starts_at };
  const isAnswered = JSON.stringify(shapes.life).includes('"EVENT"');
  party = isAnswered ? await w.post(w.alice, "a party", { event }) : null;
};

const answersToParty = async (): Promise<number[]> => {
  if (!party) return [];
  const { event } = await api(`/api/v1/statuses/${party.id}`);
  return [event.yes_count, event.maybe_count, event.no_count];
};

const noted = async (): Promise<string[]> => {
  const list: Json[] = await api("/api/v1/notifications?limit=10");
  return list.map(
    (notification) =>
      `${notification["id"]} ${notification["type"]}${notification["emoji"] ? ` ${notification["emoji"]}` : ""}`,
  );
};

const relationTo = async (uri: string): Promise<string[]> => {
  const [row] = await w.test.app.sql<{ id: string }[]>`SELECT id FROM accounts WHERE uri = ${uri}`;
  const [relation] = await api(`/api/v1/accounts/relationships?id[]=${row?.id ?? 0}`);
  const flags = ["following", "requested", "followed_by", "blocked_by"];
  return flags.filter((flag) => relation?.[flag]);
};

const reports = async (): Promise<Json[]> => [
  ...(await w.test.app.sql<Json[]>`
    SELECT comment, cardinality(status_ids) AS posts FROM reports ORDER BY id`),
];

/** The boosts on the actor's page: alice's home leaves out one of a post that she has just seen. */
const boosts = async (actor: PeerActor): Promise<string[]> => {
  const id = await w.idOfActor(actor);
  const all: Json[] = await api(`/api/v1/accounts/${id}/statuses?limit=40`);
  return all.flatMap(({ id, reblog }) => (reblog ? [`${id} ${reblog.uri}`] : []));
};

const reactionsShown = ({ reactions = [] }: Json): unknown[] =>
  reactions.map(({ name, count, url, static_url: still }: Json) =>
    url && still ? [name, count, "pictured"] : [name, count],
  );

/** All that an activity can change for alice. */
const seen = async (actor: PeerActor) => {
  const status = await api(`/api/v1/statuses/${post.id}`);
  return {
    noted: await noted(),
    relation: await relationTo(actor.uri),
    post: [status.favourites_count, status.reblogs_count, status.replies_count],
    reactions: reactionsShown(status),
    answers: await answersToParty(),
    reports: await reports(),
  };
};

const follow = async (actor: PeerActor): Promise<void> => {
  const [row] = await w.test.app.sql<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${actor.uri}`;
  await w.alice.post(`/api/v1/accounts/${row!.id}/follow`);
  await w.test.runJobs();
  const sent = w.peer
    .inbox()
    .findLast(({ type, object }) => type === "Follow" && object === actor.uri);
  names["FOLLOW"] = String(sent!["id"]);
};

/** The objects that the activity contains are served at their addresses. */
const serve = (value: unknown): void => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const { id, content, name, object } = value as Json;
  const path =
    typeof id === "string" && id.startsWith(w.peer.origin) && id.slice(w.peer.origin.length);
  if (path && (content || name)) w.peer.documents.set(path, value as Json);
  serve(object);
};

const innermost = (value: Json): Json => {
  const { object } = value;
  return typeof object === "object" && !Array.isArray(object) ? innermost(object) : value;
};

const isPublic = ({ to }: Json): boolean =>
  [to].flat().some((uri) => uri === w.PUBLIC || uri === "as:Public");

type Seen = Awaited<ReturnType<typeof seen>>;

/** What changed for alice when the actor sent it, and what is seen now. */
const takes = async (
  actor: PeerActor,
  { activity, about, document }: Step,
  before: Seen,
): Promise<{ took: Json; now: Seen }> => {
  const isBoost = activity["type"] === "Announce";
  const boosted = isBoost ? await boosts(actor) : [];
  serve(activity);
  if (about && document) w.peer.documents.set(about.slice(w.peer.origin.length), document);
  await w.send(actor, activity);
  const now = await seen(actor);
  const object = innermost(activity);
  const isPost = object["content"] !== undefined || object["name"] !== undefined;
  const uri = about ?? (isPost ? object["id"] : "");
  const known = w.peer.documents.get(String(uri).slice(w.peer.origin.length));
  const usual = usualPost(typeof known === "object" ? known : object, actor);
  const status = await postShown(uri, usual, post);
  const newest = BigInt(before.noted[0]?.split(" ")[0] ?? 0);
  const told = now.noted.filter((line) => BigInt(line.split(" ")[0]!) > newest);
  const boost = isBoost && (await boosts(actor)).find((id) => !boosted.includes(id));
  const took = {
    ...(status && { status }),
    ...(about && !status && { status }),
    ...(told.length > 0 && { told: told.map((line) => line.replace(/^\d+ /, "")) }),
    ...unusual(
      {
        relation: now.relation,
        post: now.post,
        reactions: now.reactions,
        answers: now.answers,
      },
      before,
    ),
    ...(now.reports.length > before.reports.length && { report: now.reports.at(-1) }),
    ...(boost && { boost: boost.replace(/^\d+ /, "") }),
    ...(activity["type"] === "Move" && { moved: await relationTo(activity["target"]) }),
  };
  return { took, now };
};

/** Returns an event of theirs, or else their first public post, and its author. */
const postOfTheirs = (
  people: PeerActor[],
  { documents = {}, life }: Pick<Shapes, "documents" | "life">,
): { post: Json; author: PeerActor } | undefined => {
  const all = [...life.map(({ activity }) => innermost(activity)), ...Object.values(documents)];
  const found = all.flatMap((post) => {
    const author = people.find(({ uri }) => authorUris(post).includes(uri));
    return author && (post["content"] ?? post["name"]) && isPublic(post) ? [{ post, author }] : [];
  });
  return found.find(({ post }) => post["startTime"]) ?? found[0];
};

describe("what they send", () => {
  for (const file of readdirSync(FOLDER)) {
    const shapes = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Shapes;
    it(`${shapes.server} (${shapes.sources.join(", ")}, ${shapes.read})`, async () => {
      const { origin, host } = w.peer;
      post = await w.post(w.alice, "a post");
      await openParty(shapes);
      const key = JSON.stringify(TEST_KEYS[0]!.publicKeyPem).slice(1, -1);
      names = { ORIGIN: origin, HOST: host, KEY: key, POST: post.uri, EVENT: party?.uri ?? "" };
      names = { ALICE: w.uriOf(w.alice), ...names, HERE: w.test.url };
      const { actors, documents = {} } = written(shapes);
      const people = actors.map(({ document }) => w.peer.adopt(document));
      for (const [uri, document] of Object.entries(documents))
        w.peer.documents.set(uri.slice(origin.length), document);
      let last: Seen | undefined;
      for (const step of shapes.life) {
        const find = (name: string) => people.find((person) => person.name === name)!;
        const actor = step.by ? find(step.by) : people[0]!;
        if (step.known) await w.send(actor, { type: "Follow", object: w.uriOf(w.carol) });
        if (step.follow) await follow(find(step.follow));
        const { then = {}, ...whole } = written(step);
        const relation = await relationTo(actor.uri);
        const { took, now } = await takes(actor, whole, {
          ...(last ?? (await seen(actor))),
          relation,
        });
        last = now;
        assert.deepEqual(took, then, step.what);
      }
      const theirs = postOfTheirs(people, written(shapes));
      const sent = theirs ? await sentToThem(shapes.software, theirs) : {};
      assert.deepEqual(sent, shapes.sent ?? {}, "what is sent to them");
      for (const { document, shown: expected = {} } of actors) {
        const took = await actorShown(document["id"]);
        assert.deepEqual(took, expected, document["id"]);
      }
    });
  }
});

describe("reactions are favourites, with their emoji", () => {
  const icon = { type: "Image", url: "https://pictures.example/cat.png" };
  const cat = { content: ":cat:", tag: { type: "Emoji", name: ":cat:", icon } };

  const react = (actor: PeerActor, object: string, more: Json): Promise<void> =>
    w.send(actor, { type: "EmojiReact", object, ...more });

  it("are counted in the post, the groups of notifications and the page, with pictures from here", async () => {
    const post = await w.post(w.alice, "react!");
    await react(w.bob, post.uri, cat);
    await react(w.eve, post.uri, { content: "🦊" });
    const mallory = w.peer.actor("mallory", 2);
    await react(mallory, post.uri, cat);
    const { reactions, favourites_count } = await shown(post.uri);
    assert.equal(favourites_count, 3);
    const [first, second] = reactions;
    assert.deepEqual([first.name, first.count, first.me], ["cat", 2, false]);
    assert.deepEqual(second, { name: "🦊", count: 1, me: false });
    for (const [kind, url] of Object.entries({ emojis: first.url, stills: first.static_url }))
      assert.ok(url.startsWith(`${w.test.url}/media/remote/${kind}/`), url);
    const [notification] = await api("/api/v1/notifications?types[]=favourite&limit=1");
    assert.deepEqual([notification.emoji, notification.emoji_url], [":cat:", first.url]);
    const groups = await api("/api/v2/notifications?types[]=favourite&limit=1");
    assert.deepEqual(groups.statuses[0].reactions, reactions);
    const page = await w.test.visitor.get(`/@alice/${post.id}`, { accept: "text/html" });
    const list = /<ul class="reactions"[^]*?<\/ul>/.exec(page.text)?.[0] ?? "";
    assert.match(
      list,
      /<li><img[^>]*src="[^"]*\/media\/remote\/emojis\/[^>]*> 2<\/li>\s*<li>🦊 1<\/li>/,
    );
  });

  it("of somebody suspended do not count, and a server without media has no pictures", async () => {
    const post = await w.post(w.alice, "react!");
    const [mouse, owl] = [w.otherPeer.actor("mouse", 1), w.otherPeer.actor("owl", 2)];
    await react(mouse, post.uri, cat);
    await react(owl, post.uri, { content: "🦉" });
    const names = async () =>
      (await shown(post.uri))["reactions"]?.map(({ name, url }: Json) =>
        url ? name : `no ${name}`,
      );
    assert.deepEqual(
      await names(),
      ["cat", "🦉"].toSorted().map((name) => (name === "cat" ? name : `no ${name}`)),
    );
    const staff = await w.test.person("owner", { role: "Owner", scopes: ["admin:write"] });
    await staff
      .post(`/api/v1/admin/accounts/${await w.idOfActor(owl)}/action`, { type: "suspend" })
      .done();
    assert.deepEqual(await names(), ["cat"]);
    const domain = w.otherPeer.host;
    await staff
      .post("/api/v1/admin/domain_blocks", { domain, severity: "noop", reject_media: true })
      .done();
    await w.post(w.alice, "again");
    await react(w.otherPeer.actor("ant", 1), post.uri, cat);
    assert.deepEqual(await names(), ["no :cat:"]);
  });

  it("of one person are one favourite, and undoing one leaves the other", async () => {
    const post = await w.post(w.alice, "react twice!");
    const id = (n: number) => `${w.bob.uri}#twice/${post.id}/${n}`;
    await react(w.bob, post.uri, { id: id(1), content: "🦊" });
    await w.send(w.bob, { id: id(2), type: "Like", object: post.uri });
    await react(w.bob, post.uri, { id: id(3), content: "🦉" });
    const now = async () => {
      const { reactions, favourites_count } = await shown(post.uri);
      return [favourites_count, ...(reactions ?? []).map(({ name }: Json) => name)];
    };
    const undo = (n: number, type = "EmojiReact") =>
      w.send(w.bob, { type: "Undo", object: { id: id(n), type, object: post.uri } });
    assert.deepEqual(await now(), [1, "🦊"]);
    await undo(1);
    assert.deepEqual(await now(), [1]);
    await undo(2, "Like");
    assert.deepEqual(await now(), [1, "🦉"]);
    await react(w.bob, post.uri, { id: id(4), content: "🦊" });
    await undo(4);
    assert.deepEqual(await now(), [1, "🦉"]);
    await undo(3);
    assert.deepEqual(await now(), [0]);
  });

  it("a long or hostile one is an ordinary favourite", async () => {
    const post = await w.post(w.alice, "react!");
    await w.send(w.bob, { type: "EmojiReact", object: post.uri, content: "<b>".repeat(1000) });
    const [row] = await w.test.app
      .sql`SELECT reaction FROM favourites WHERE status_id = ${post.id}`;
    assert.equal(row?.["reaction"], null);
  });
});

describe("groups (FEP-1b12, https://join-lemmy.org/docs/contributors/05-federation.html, 2026-11-22)", () => {
  let group: PeerActor;
  before(async () => {
    group = w.peer.actor("reading", 0);
    group.document["type"] = "Group";
    await w.followed(w.alice, group);
  });

  const announce = (object: unknown) =>
    w.send(group, { type: "Announce", object, to: [w.PUBLIC], cc: [`${group.uri}/followers`] });

  const home = async (): Promise<Json[]> => api("/api/v1/timelines/home?limit=40");

  it("are shown as groups; a new post that they announce is a boost, read from its own server", async () => {
    assert.equal((await api(`/api/v1/accounts/${await w.idOfActor(group)}`)).group, true);
    const author = w.otherPeer.actor("writer", 1);
    const page = w.otherPeer.note(author, "/post/1", {
      type: "Page",
      name: "Read this",
      content: "<p>real</p>",
      audience: group.uri,
    });
    const create = {
      id: `${author.uri}/create/1`,
      type: "Create",
      actor: author.uri,
      to: [w.PUBLIC],
      object: { ...page, content: "<p>forged</p>" },
    };
    await announce(create);
    const [boost] = (await home()).filter((status) => status["reblog"]?.uri === page["id"]);
    assert.equal(boost?.["account"].username, "reading");
    assert.match(boost?.["reblog"].content, /real/);
    await w.send(group, { type: "Announce", object: page["id"], to: [w.PUBLIC] });
    assert.equal((await home()).filter((status) => status["reblog"]?.uri === page["id"]).length, 1);
  });

  it("answers are put into their thread and not boosted; changes and ends are asked of the origin", async () => {
    const author = w.otherPeer.actor("writer", 1);
    const parent = `${w.otherPeer.origin}/post/1`;
    const answer = w.otherPeer.note(author, "/comment/1", {
      inReplyTo: parent,
      content: "<p>first</p>",
    });
    await announce({
      id: `${author.uri}/create/2`,
      type: "Create",
      actor: author.uri,
      object: answer,
    });
    assert.equal((await shown(answer["id"]))["in_reply_to_id"], (await w.statusByUri(parent))!.id);
    assert.ok(!(await home()).some((status) => status["reblog"]?.uri === answer["id"]));
    const updated = new Date(w.time - 1000).toISOString();
    w.otherPeer.documents.set("/comment/1", { ...answer, content: "<p>second</p>", updated });
    await announce({
      id: `${author.uri}/update/1`,
      type: "Update",
      actor: author.uri,
      object: { ...answer, content: "<p>forged</p>" },
    });
    assert.equal((await shown(answer["id"]))["content"], "<p>second</p>");
    const removal = { type: "Delete", actor: author.uri, object: answer["id"] };
    await announce({ ...removal, id: `${author.uri}/delete/1` });
    assert.ok(await w.statusByUri(answer["id"]));
    w.otherPeer.documents.set("/comment/1", 410);
    await announce({ ...removal, id: `${author.uri}/delete/2` });
    assert.equal(await w.statusByUri(answer["id"]), undefined);
  });

  it("votes, and answers to what nobody here has, have no effect", async () => {
    const before = await w.world();
    const author = w.otherPeer.actor("writer", 1);
    const lost = w.otherPeer.note(author, "/comment/9", {
      inReplyTo: `${w.otherPeer.origin}/post/9`,
    });
    await announce({
      id: `${author.uri}/like/1`,
      type: "Like",
      actor: author.uri,
      object: `${w.otherPeer.origin}/post/1`,
    });
    await announce({
      id: `${author.uri}/dislike/1`,
      type: "Dislike",
      actor: author.uri,
      object: `${w.otherPeer.origin}/post/1`,
    });
    await announce({
      id: `${author.uri}/create/9`,
      type: "Create",
      actor: author.uri,
      object: lost,
    });
    const after = await w.world();
    assert.deepEqual([after.requests, after.texts], [before.requests, before.texts]);
  });
});

describe("interaction policies (https://docs.gotosocial.org/en/latest/federation/interaction_policy/, 2026-11-22)", () => {
  const me = () => w.bob.uri;
  const rule = (...automaticApproval: string[]) => ({ automaticApproval, manualApproval: [] });
  const NOBODY = () => rule(me());
  const withPolicy = async (interactionPolicy: Json, more: Json = {}) => {
    const note = await w.create(w.bob, { interactionPolicy, ...more });
    return { note, id: (await w.statusByUri(note["id"]))!.id };
  };
  const act = async (id: string, path: string, person = w.carol): Promise<number> =>
    (await person.post(`/api/v1/statuses/${id}/${path}`)).status;
  const reply = async (id: string, person = w.carol): Promise<number> => {
    const json = { status: "but", in_reply_to_id: id };
    return (await person.post("/api/v1/statuses", json)).status;
  };
  const all = async (id: string, person = w.carol) => [
    await reply(id, person),
    await act(id, "favourite", person),
    await act(id, "reblog", person),
  ];

  it("nobody may: nothing is sent, and people are told", async () => {
    const policy = { canReply: NOBODY(), canLike: NOBODY(), canAnnounce: NOBODY() };
    const { id } = await withPolicy(policy);
    const before = w.peer.received.length;
    assert.deepEqual(await all(id), [403, 403, 403]);
    await w.test.runJobs();
    assert.equal(w.peer.received.length, before);
    const { json } = await w.carol.post(`/api/v1/statuses/${id}/favourite`);
    assert.match(json.error, /does not let you favourite/);
  });

  it("everybody, those who ask, and where nothing is said: they may", async () => {
    const older = { always: [w.PUBLIC], approvalRequired: [] };
    const allowed = { automaticApproval: [me()], manualApproval: [w.PUBLIC] };
    const policy = { canReply: allowed, canLike: older, canAnnounce: {} };
    assert.deepEqual(await all((await withPolicy(policy)).id), [200, 200, 200]);
    assert.deepEqual(await all((await withPolicy({ canQuote: NOBODY() })).id), [200, 200, 200]);
  });

  it("who may reply is not said where everybody may", async () => {
    const page = openBrowser(w.test);
    await page.signIn("carol");
    const said = async (canReply: Json) => {
      const { id } = await withPolicy({ canReply });
      const { text } = await page.get(`/@bob@${w.peer.host}/${id}`);
      return /class="post-replies/.test(text);
    };
    assert.deepEqual([await said(rule(w.PUBLIC)), await said(NOBODY())], [false, true]);
  });

  it("followers: they may; who is mentioned may answer; another group is judged by its server", async () => {
    const followers = rule(`${me()}/followers`);
    const policy = { canReply: followers, canLike: followers, canAnnounce: followers };
    const { id } = await withPolicy(policy);
    assert.deepEqual(await all(id), [403, 403, 403]);
    assert.deepEqual(await all(id, w.alice), [200, 200, 200]);
    const tag = [{ type: "Mention", href: w.uriOf(w.carol), name: "@carol" }];
    const named = await withPolicy({ canReply: NOBODY(), canLike: NOBODY() }, { tag });
    assert.deepEqual(await all(named.id), [200, 403, 200]);
    const others = { canLike: rule(`${me()}/following`) };
    assert.equal(await act((await withPolicy(others)).id, "favourite"), 200);
  });

  it("changes with the post", async () => {
    const { note, id } = await withPolicy({ canLike: NOBODY() });
    assert.equal(await act(id, "favourite"), 403);
    const object = { ...note, interactionPolicy: { canLike: rule(w.PUBLIC) } };
    await w.send(w.bob, { type: "Update", object });
    assert.equal(await act(id, "favourite"), 200);
  });
});
