// Who gets a post, by the table of visibility.ts alone: posts of every kind (written, edited, answers, quotes, pinned,
// boosted by their author, scheduled) with every combination of the facts that decide it, and everything that leaves
// the server. Whom the table leaves out finds neither text nor address of it on any route, stream, delivery or webhook;
// whom it names has it. It knows no guard: one that is removed shows here.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  federates,
  isCircle,
  isDirect,
  listedPublicly,
  openTo,
  openToFollowers,
  openToReblogs,
} from "../../src/domain/posts/statuses/visibility.ts";
import { homeKey } from "../../src/domain/people/relationships/changed.ts";
import { parsePrivateKey } from "../../src/federation/signatures/keys.ts";
import { signRequest } from "../../src/federation/signatures/sign.ts";
import { shareOf } from "../fuzz.ts";
import type { Answer, Person } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import type { StreamClient } from "../stream-client.ts";
import { ID_ROUTES, listRoutes } from "./routes.ts";
import {
  HOSTS,
  PEOPLE,
  PUBLIC,
  actors,
  author,
  bodies,
  closeWorld,
  describePost,
  everythingSent,
  leaked,
  mayGet,
  maySee,
  names,
  openWorld,
  peers,
  people,
  posts,
  sendFrom,
  server,
  streams,
  toTheWorld,
  uriOf,
  wordsIn,
  written,
} from "./audience-world.ts";
import type { Host, Json, May, Post } from "./audience-world.ts";

before(openWorld);
after(closeWorld);

describe("what is sent", () => {
  test("as for everybody: what is so, listed or not", () => {
    for (const body of HOSTS.flatMap((host) => bodies(peers[host])).filter(Boolean)) {
      const activity = JSON.parse(body) as Json;
      // Of what is deleted only the address is told.
      if (!["Create", "Update", "Announce"].includes(activity["type"])) continue;
      for (const post of posts.filter(({ word }) => body.includes(word))) {
        const { facts } = post;
        const isListed = listedPublicly(facts);
        assert.equal(names(activity, "to", PUBLIC), isListed, describePost(post));
        assert.equal(names(activity, "cc", PUBLIC), openTo("elsewhere", facts) && !isListed);
        const followers = `${uriOf(author)}/followers`;
        assert.equal(
          ["to", "cc"].some((member) => names(activity, member, followers)),
          openToFollowers(facts),
          describePost(post),
        );
      }
    }
  });

  test("to a circle: each server learns of its own people alone", () => {
    const about = (host: Host) =>
      bodies(peers[host]).filter((body) =>
        posts.some(({ facts, word }) => isCircle(facts) && body.includes(word)),
      );
    for (const host of ["mentioned", "member"] as const) assert.ok(about(host).length > 0, host);
    for (const host of HOSTS)
      for (const body of about(host)) {
        assert.ok(!body.includes(uriOf(people.member)), body);
        assert.equal(body.includes(actors.member.uri), host === "member", body);
      }
  });

  test("by a group: what everybody may see, also as an announced activity", () => {
    const announced = bodies(peers.stranger).filter((body) => body.startsWith('{"@context"'));
    const ofGroup = announced.filter((body) => JSON.parse(body).actor.endsWith("/users/moss"));
    for (const post of written()) {
      const isOpen = openTo("elsewhere", post.facts);
      assert.equal(ofGroup.join().includes(post.word), isOpen, describePost(post));
      assert.equal(
        ofGroup.some((body) => JSON.parse(body).object === post.uri),
        isOpen,
      );
    }
  });

  for (const host of HOSTS) {
    test(`to the server of a ${host}`, () => {
      const sent = bodies(peers[host]);
      for (const body of sent)
        assert.deepEqual(
          leaked(body, (facts) => mayGet(facts, host)),
          [],
          body,
        );
    });
  }

  test("to a relay and a webhook: what everybody may see", () => {
    for (const name of ["relay", "webhook"] as const)
      for (const body of bodies(peers[name])) assert.deepEqual(leaked(body, toTheWorld), [], name);
    const listed = posts.filter(({ act, facts }) => act === "write" && listedPublicly(facts));
    for (const { word } of listed)
      for (const name of ["relay", "webhook"] as const)
        assert.ok(bodies(peers[name]).join().includes(word), `${name}: ${word}`);
  });

  test("to a page that is linked: what the world may see", () => {
    const asked = peers.page.received.map(({ path }) => path).join("\n");
    assert.deepEqual(leaked(asked, toTheWorld), []);
    for (const post of written())
      assert.equal(asked.includes(post.word), toTheWorld(post.facts), describePost(post));
  });

  test("on streams: lists have what is listed, one's own what one may see", () => {
    for (const { who, name, client } of streams) {
      for (const { payload = "" } of client.frames) {
        const where = `${name} of the ${who}`;
        assert.deepEqual(
          leaked(payload, (facts) => maySee(facts, who)),
          [],
          where,
        );
        if (name === "user" || name === "direct") continue;
        const unlisted = posts.filter(({ facts }) => !listedPublicly(facts));
        for (const post of unlisted)
          assert.ok(!payload.includes(post.word), `${where}: ${describePost(post)}`);
      }
    }
    const own = streams.find(({ who, name }) => who === "follower" && name === "user")!;
    const all = own.client.frames.map(({ payload }) => payload ?? "").join();
    for (const post of posts.filter(({ act, facts }) => act === "write" && openToFollowers(facts)))
      assert.ok(all.includes(post.word), describePost(post));
  });
});

/** Lists of the whole server, which have what is listed and nothing else, whoever asks. */
const LISTS = /timelines\/(?:public|tag|link)|^\/(?:tags|public|explore)\b|trends|^\/$/;

describe("what is found", () => {
  /** Gives the addresses for a reader of this turn; `few` are those of the posts of one kind. */
  let pathsOf: (turn: number) => { paths: string[]; few: string[] };

  /**
   * Gives all posts for the routes of a post itself. Every other route gets the posts of one kind and an eighth of the
   * others, which differ for each reader; in `npm run fuzz` it gets all.
   */
  const postsFor = (url: string, turn: number): Post[] =>
    url.endsWith(":id")
      ? posts
      : [
          ...written(),
          ...shareOf(
            posts.filter(({ act }) => act !== "write"),
            turn,
          ),
        ];

  before(async () => {
    const routes = await listRoutes(server.app);
    const urls = new Set(routes.filter(({ method }) => method === "GET").map(({ url }) => url));
    const kindOf = (url: string) => ID_ROUTES.find(([pattern]) => pattern.test(url))?.[1];
    // What follows has names of people and hashtags alone: both are alice.
    const named = (url: string): string =>
      url.replace(/:(?:account_id|actorId)\b/g, author.accountId).replace(/:\w+/g, "alice");
    const all = [...urls].filter((url) => !/\*|^\/api\/v1\/streaming|^\/metrics/.test(url));
    const ofRoute = (url: string, turn: number): string[] => {
      if (!/:(?:\w+_)?id\b/.test(url)) return [named(url)];
      const kind = kindOf(url);
      if (kind === "account") return [named(url.replace(/:id\b/g, author.accountId))];
      if (kind !== "status" && !url.startsWith("/interact/")) return [];
      return postsFor(url, turn).map(({ id }) => named(url.replace(/:id\b/g, id)));
    };
    pathsOf = (turn) => {
      const paths = [
        ...all
          .flatMap((url, index) => ofRoute(url, turn + index))
          .map((path) => `${path}?limit=40&page=true&q=alice&acct=alice&uri=x`),
        ...postsFor("/search", turn).flatMap(({ uri, word }) => [
          `/api/v2/search?q=${encodeURIComponent(uri)}`,
          `/api/v2/search?type=statuses&q=${word}`,
        ]),
      ];
      const isOther = ({ act, id, word }: Post, path: string) =>
        act !== "write" && (path.includes(id) || path.includes(word));
      return { paths, few: paths.filter((path) => !posts.some((post) => isOther(post, path))) };
    };
  });

  /** What the address says is no leak where a page says it again. */
  const withoutEcho = (text: string, path: string): string => {
    const { origin } = new URL(server.url);
    const asking = [origin + path.split("?")[0]!, decodeURIComponent(path.split("q=")[1] ?? "-")];
    return asking.reduce((rest, part) => rest.replaceAll(part, ""), text);
  };

  type Ask = (path: string) => Promise<Answer>;

  const crawl = async (who: string, may: May, ask: Ask, addresses: string[]) => {
    const leaks = new Set<string>();
    for (const path of addresses) {
      const answer = await ask(path);
      const text = withoutEcho(answer.text, path);
      assert.ok(answer.status < 500, `${path}: ${answer.status}`);
      assert.deepEqual(leaked(text, may), [], `${path} shows it to a ${who}`);
      const words = wordsIn(text);
      if (answer.status < 300) for (const word of words) leaks.add(word);
      if (!LISTS.test(path)) continue;
      const unlisted = posts.filter(({ facts }) => !listedPublicly(facts));
      for (const post of unlisted)
        assert.ok(!words.has(post.word), `${path} lists it: ${describePost(post)}`);
    }
    const missing = posts.filter(({ facts, word }) => may(facts) && !leaks.has(word));
    assert.deepEqual(missing.map(describePost), []);
  };

  const isOfApi = (path: string): boolean => path.startsWith("/api/");
  const isPage = (path: string): boolean => !isOfApi(path);

  for (const [turn, accept] of ["text/html", "application/activity+json"].entries())
    test(`by nobody, who accepts ${accept}`, () => {
      const { paths } = pathsOf(turn);
      const [api, pages] = [paths.filter(isOfApi), paths.filter(isPage)];
      // The API answers alike, whatever is accepted; servers ask for documents below, too.
      const asked = accept === "text/html" ? pages : [...api, ...shareOf(pages, turn, 4)];
      return crawl("nobody", toTheWorld, (path) => server.visitor.get(path, { accept }), asked);
    });

  // Pages know a reader by the cookie: with a token alone they are what nobody sees.
  for (const [turn, who] of PEOPLE.filter((other) => other !== "blocked").entries())
    test(`by a ${who} here`, () =>
      crawl(
        who,
        (facts) => maySee(facts, who),
        (path) => people[who].get(path),
        pathsOf(turn + 2).paths.filter(isOfApi),
      ));

  const askFrom = (host: Host) => {
    const { keyId, privateKeyPem } = actors[host];
    const privateKey = parsePrivateKey(privateKeyPem);
    return (path: string) => {
      const { host: _host, ...headers } = signRequest({
        method: "GET",
        url: server.url + path,
        keyId,
        privateKey,
        accept: "application/activity+json",
      });
      return server.visitor.get(path, headers);
    };
  };

  /** How a post was made makes no difference to who is kept from all of them. */
  const few = () => pathsOf(0).few;
  const never = () => false;

  test("by whom the author blocks: nothing", () =>
    crawl("blocked", never, (path) => people.blocked.get(path), few().filter(isOfApi)));

  test("counted: as many posts as the world may see", async () => {
    const weeks = await people.stranger.get("/api/v1/instance/activity").ok();
    const count = weeks.reduce((sum: number, week: Json) => sum + Number(week["statuses"]), 0);
    // And the one that is open to all.
    assert.equal(count, posts.filter(({ facts }) => toTheWorld(facts)).length + 1);
  });

  /** What lists of one's own have of the posts that are written, whatever may be found elsewhere. */
  const assertOwn = async (who: Person, path: string, has: May) => {
    const { text } = await who.get(path);
    for (const post of written())
      assert.equal(text.includes(post.word), has(post.facts), `${path}: ${describePost(post)}`);
  };

  test("at home of who follows a tag: what is listed, also when the feed is rebuilt", async () => {
    await assertOwn(people.stranger, "/api/v1/timelines/home?limit=40", listedPublicly);
    await server.app.feeds.drop([homeKey(people.stranger.accountId)]);
    await assertOwn(people.stranger, "/api/v1/timelines/home?limit=40", listedPublicly);
  });

  test("by who searches, and is not named: what is listed", async () => {
    for (const { word, facts } of written()) {
      const path = `/api/v2/search?type=statuses&q=${word}`;
      const { statuses } = await people.stranger.get(path).ok();
      assert.equal(statuses.length, listedPublicly(facts) ? 1 : 0, path);
    }
  });

  test("in conversations: private mentions", () =>
    assertOwn(people.mentioned, "/api/v1/conversations?limit=40", isDirect));

  test("in notifications of who is told of new posts: what is for followers", () =>
    assertOwn(people.follower, "/api/v1/notifications?types[]=status&limit=80", openToFollowers));

  for (const [turn, host] of HOSTS.entries())
    test(`by a ${host} on another server`, () => {
      const { paths } = pathsOf(turn + 4);
      // Documents are for servers; of the API each of them asks a part.
      const asked = [...paths.filter(isPage), ...shareOf(paths.filter(isOfApi), turn)];
      return crawl(host, (facts) => mayGet(facts, host), askFrom(host), asked);
    });

  test("of an author who is suspended: nothing, by nobody", async () => {
    await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${author.accountId}`;
    await crawl("nobody", never, (path) => server.visitor.get(path), few());
    await crawl("follower", never, (path) => people.follower.get(path), few().filter(isOfApi));
    await crawl("follower on another server", never, askFrom("follower"), few().filter(isPage));
    await server.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${author.accountId}`;
  });
});

describe("what is done with it", () => {
  /** What others did with it, as the author sees it. */
  const picture = async ({ id }: Post): Promise<Json> => {
    const at = `/api/v1/statuses/${id}`;
    const { content: _content, ...whole } = await author.get(at).ok();
    const lists = ["favourited_by", "reblogged_by", "context", "quotes"];
    const around = lists.map((list) => author.get(`${at}/${list}`).ok());
    return [whole, ...(await Promise.all(around))];
  };

  /** Whatever a route of the API does with a status, and what names one. */
  const actsOn = async (): Promise<((id: string) => [string, Json])[]> => {
    const isStatus = (url: string) => /^\/api\/v\d\/statuses\/:id\//.test(url);
    const routes = (await listRoutes(server.app)).filter(({ method }) => method === "POST");
    const urls = routes.map(({ url }) => url).filter(isStatus);
    const named = ["in_reply_to_id", "quoted_status_id"];
    return [
      ...urls.map((url) => (id: string): [string, Json] => [url.replace(":id", id), {}]),
      ...named.map((name) => (id: string): [string, Json] => [
        "/api/v1/statuses",
        { status: "about it", [name]: id },
      ]),
    ];
  };

  test("by people here who may not see it: nothing", async () => {
    const acts = await actsOn();
    for (const post of written()) {
      const before = await picture(post);
      for (const who of PEOPLE.filter((viewer) => !maySee(post.facts, viewer)))
        for (const act of acts) {
          const [path, json] = act(post.id);
          const { status, text } = await people[who].post(path, json);
          const where = `${path} ${JSON.stringify(json)} by a ${who}: ${describePost(post)}`;
          assert.ok(status >= 400 && status < 500, `${where} ${status}`);
          assert.deepEqual(
            leaked(text, (facts) => maySee(facts, who)),
            [],
            where,
          );
        }
      await server.runJobs();
      assert.deepEqual(await picture(post), before);
    }
  });

  const activities = (host: Host, { uri }: Post, n: number): Json[] => {
    const to = [PUBLIC, uriOf(author)];
    const tag = [{ type: "Mention", href: uriOf(author), name: "@alice" }];
    const note = (members: Json, path: string) =>
      peers[host].note(actors[host], `/about/${n}/${path}`, { to, tag, ...members });
    return [
      { type: "Like", id: `${actors[host].uri}#like${n}`, object: uri },
      { type: "Announce", id: `${actors[host].uri}#announce${n}`, object: uri, to },
      {
        type: "Create",
        id: `${actors[host].uri}#create${n}`,
        object: note({ inReplyTo: uri }, "a"),
      },
      { type: "Create", id: `${actors[host].uri}#quote${n}`, object: note({ quote: uri }, "q") },
    ];
  };

  test("on other servers that may not have it: nothing", async () => {
    for (const [n, post] of written().entries()) {
      const before = await picture(post);
      for (const host of HOSTS.filter((peer) => !mayGet(post.facts, peer)))
        for (const activity of activities(host, post, n)) await sendFrom(host, activity);
      assert.deepEqual(await picture(post), before, describePost(post));
    }
  });

  test("an event is answered by those who may see it, here and on other servers", async () => {
    for (const [n, post] of posts.filter(({ act }) => act === "event").entries()) {
      const path = `/api/v1/statuses/${post.id}`;
      for (const who of PEOPLE) {
        const json = { answer: "yes" };
        const { status } = await people[who].post(`${path}/event/answer`, json);
        const where = `by a ${who}: ${describePost(post)}`;
        assert.equal(status, maySee(post.facts, who) ? 200 : 404, where);
      }
      for (const host of HOSTS) {
        const id = `${actors[host].uri}#join${n}`;
        await sendFrom(host, { type: "Join", id, object: post.uri });
      }
      const expected =
        PEOPLE.filter((who) => maySee(post.facts, who)).length +
        HOSTS.filter((host) => mayGet(post.facts, host)).length;
      const { event } = await author.get(path).ok();
      assert.equal(event.yes_count, expected, describePost(post));
    }
  });

  /** Of many half. */
  const someOf = <T>(all: T[], turn: number): T[] => (all.length > 2 ? shareOf(all, turn, 2) : all);

  test("by those who may see it: it is shown to nobody else", async () => {
    const acts = await actsOn();
    for (const [n, post] of written().entries()) {
      const able = PEOPLE.filter((viewer) => maySee(post.facts, viewer));
      for (const who of someOf(able, n))
        for (const act of acts) {
          const [path, json] = act(post.id);
          const isWide = path.endsWith("/reblog") || !federates(post.facts) || isCircle(post.facts);
          const body = isWide ? { ...json, visibility: "public" } : json;
          const { status } = await people[who].post(path, body);
          // 503: nobody translates here.
          assert.ok(status < 500 || status === 503, path);
        }
      const hosts = HOSTS.filter((peer) => mayGet(post.facts, peer));
      for (const host of someOf(hosts, n))
        for (const activity of activities(host, post, n)) await sendFrom(host, activity);
    }
    await server.runJobs();
    for (const host of HOSTS)
      for (const body of bodies(peers[host]))
        assert.deepEqual(
          leaked(body, (facts) => mayGet(facts, host)),
          [],
          body,
        );
    for (const name of ["relay", "webhook"] as const)
      for (const body of bodies(peers[name])) assert.deepEqual(leaked(body, toTheWorld), [], body);
    for (const { who, name, client } of streams)
      for (const { payload = "" } of client.frames)
        assert.deepEqual(
          leaked(payload, (facts) => maySee(facts, who)),
          [],
          `${name}: ${who}`,
        );
    for (const post of written()) {
      if (openToReblogs(post.facts, false)) continue;
      const { reblogs_count } = await author.get(`/api/v1/statuses/${post.id}`).ok();
      assert.equal(reblogs_count, 0, describePost(post));
    }
  });
});

test("what is deleted is gone where it was, and nobody else hears of it", async () => {
  const frames = new Map(streams.map(({ client }) => [client, client.frames.length]));
  const before = new Map(HOSTS.map((host) => [host, peers[host].received.length]));
  for (const { id } of posts) await author.delete(`/api/v1/statuses/${id}`).ok();
  await everythingSent();
  for (const host of HOSTS) {
    const told = bodies(peers[host]).slice(before.get(host));
    for (const body of told)
      assert.deepEqual(
        leaked(body, (facts) => mayGet(facts, host)),
        [],
        body,
      );
    const had = bodies(peers[host]).slice(0, before.get(host));
    for (const post of posts.filter(({ word }) => had.some((body) => body.includes(word))))
      assert.ok(
        told.some((body) => body.includes(post.uri) && body.includes("Delete")),
        `${host}: ${describePost(post)}`,
      );
  }
  const goneFrom = (client: StreamClient) =>
    client.frames
      .slice(frames.get(client))
      .flatMap(({ event, payload }) => (event === "delete" ? [payload] : []));
  const listed = posts.filter(({ facts }) => listedPublicly(facts));
  await eventually("the streams to tell of what was listed", async () =>
    streams
      .filter(({ name }) => name === "public")
      .every(({ client }) => listed.every(({ id }) => goneFrom(client).includes(id))),
  );
  for (const { who, name, client } of streams) {
    const may: May = (facts) =>
      name === "user" || name === "direct" ? maySee(facts, who) : listedPublicly(facts);
    const ids = goneFrom(client);
    const wrong = posts.filter(({ id, facts }) => ids.includes(id) && !may(facts));
    assert.deepEqual(wrong.map(describePost), [], `${name} of the ${who}`);
  }
});
