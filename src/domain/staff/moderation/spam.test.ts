// Rules against spam: conditions, dry runs, what is held, refused, reported and limited, undone; and a wave of spam
// from a hostile server from its beginning to its end.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  eve,
  idOfActor,
  mallory,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test as server,
  uriOf,
} from "../../../../test/inbox-world.ts";
import type { Person } from "../../../../test/harness.ts";
import { openBrowser } from "../../../../test/browser.ts";
import { formOf, picture as pictureFile } from "../../../../test/files.ts";
import { openStream } from "../../../../test/stream-client.ts";
import { judgePosts } from "../../base/spam/judge.ts";
import { hashOf, matches, textOf, wholeText } from "../../base/spam/match.ts";
import { checkConditions } from "../../base/spam/rules.ts";
import type { Facts } from "../../base/spam/tables.ts";

let mod: Person;

before(async () => {
  await openWorld();
  mod = await server.person("mod", {
    role: "Owner",
    scopes: ["read", "write", "admin:read", "admin:write"],
  });
});
after(closeWorld);
beforeEach(async () => {
  calmWorld();
  await server.write`DELETE FROM spam_rules`;
});

type Json = Record<string, any>;

/** A rule that is on. */
const rule = async (name: string, conditions: object, actions: string[]): Promise<string> => {
  const { id } = await mod.post("/api/v1/admin/spam_rules", { name, conditions, actions }).ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/dry_run`).ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/enable`).ok();
  return id;
};

const write = (who: Person, status: string, more: object = {}) =>
  who.post("/api/v1/statuses", { status, ...more });

/** The id of an upload. */
const picture = async (description: string): Promise<string> => {
  const multipart = formOf(await pictureFile("png"), { description });
  const { json } = await alice.post("/api/v2/media", multipart);
  await server.runJobs();
  return json.id;
};

const states = async (id: string): Promise<string[]> =>
  (await mod.get(`/api/v1/admin/spam_rules/${id}/matches`).ok())["map"](
    (match: Json) => match["state"],
  );

const to = (person: Person) => ({
  to: [PUBLIC],
  cc: [uriOf(person)],
  tag: [{ type: "Mention", href: uriOf(person), name: `@${person.username}` }],
});

describe("conditions", () => {
  const facts: Facts = {
    local: false,
    domain: "a.bad.example",
    ageHours: 3,
    followers: 2,
    text: "Buy CHEAP pills now",
    linkHosts: ["shop.example"],
    links: 1,
    mentions: 4,
    strangers: 3,
    sameText: 5,
  };
  const is = (conditions: Record<string, unknown>) => matches(checkConditions(conditions), facts);

  it("all have to hold, each by its own measure", () => {
    const holds = [
      { account_age_below: 4 },
      { followers_below: 3 },
      { links: 1 },
      { mentions: 4 },
      { strangers: 3 },
      { domains: ["bad.example"] },
      { link_domains: "shop.example, other.example" },
      { words: ["cheap PILLS"] },
      { pattern: "ch[e]+ap\\s+\\w+s\\b" },
      { same_text: 5 },
    ];
    for (const conditions of holds) {
      assert.ok(is(conditions), JSON.stringify(conditions));
      assert.ok(is({ ...conditions, origin: "remote" }));
      assert.ok(!is({ ...conditions, origin: "local" }));
    }
    const fails = [
      { account_age_below: 3 },
      { followers_below: 2 },
      { links: 2 },
      { domains: ["ad.example"] },
      { words: ["expensive"] },
      { pattern: "^cheap" },
      { same_text: 6 },
    ];
    for (const conditions of fails) {
      assert.ok(!is(conditions), JSON.stringify(conditions));
      assert.ok(!is({ ...conditions, mentions: 1 }));
    }
  });

  it("that cannot be are refused with what is wrong", () => {
    const wrong: [object, RegExp][] = [
      [{}, /would match every post/],
      [{ origin: "local" }, /would match every post/],
      [{ links: 0 }, /whole number/],
      [{ links: "many" }, /whole number/],
      [{ pattern: "(?=a)" }, /no RE2 pattern/],
      [{ pattern: "a".repeat(501) }, /up to 500/],
      [{ domains: ["no domain"] }, /cannot be used/],
      [{ origin: "here", links: 1 }, /local, remote or any/],
    ];
    for (const [conditions, reason] of wrong) {
      assert.throws(() => checkConditions(conditions as never), reason);
    }
  });

  it("patterns take time by the length of the text alone; texts are the same without names and spaces", () => {
    const text = textOf({ content: `<p>${"a".repeat(100_000)}!</p>`, beside: [] });
    assert.equal(text.length, 5000);
    const evil = checkConditions({ pattern: "^(a+)+b$" });
    const before = process.cpuUsage().user;
    assert.ok(!matches(evil, { ...facts, text }));
    assert.ok(process.cpuUsage().user - before < 2_000_000);
    const hash = hashOf("@a@x.example  Buy cheap pills today");
    assert.deepEqual(hash, hashOf("buy CHEAP pills\ntoday @other"));
    assert.equal(hashOf("too short"), null);
    const whole = wholeText(`${"a".repeat(4990)} coins`, ["b".repeat(9000), "c"]);
    assert.ok(whole.includes("coins") && whole.length < 10_010);
  });
});

describe("a rule", () => {
  it("is off until it was tried on the last day, and again after each change", async () => {
    await post(alice, "Win a free prize at https://prize.example/x today");
    await post(carol, "nothing to see");
    const { id, enabled } = await mod
      .post("/api/v1/admin/spam_rules", {
        name: "prizes",
        conditions: { words: ["free prize"] },
        actions: ["reject"],
      })
      .ok();
    assert.equal(enabled, false);
    const refused = await mod.post(`/api/v1/admin/spam_rules/${id}/enable`, {}).ok(422);
    assert.match(refused["error"], /dry run/);
    await write(alice, "a free prize").ok();
    const tried = await mod.post(`/api/v1/admin/spam_rules/${id}/dry_run`).ok();
    assert.deepEqual([tried["matched"], tried["accounts"]], [2, 1]);
    assert.match(tried["samples"][0].text, /free prize/);
    assert.equal((await mod.post(`/api/v1/admin/spam_rules/${id}/enable`).ok())["enabled"], true);
    const stopped = await write(alice, "A FREE  prize? no: a free prize");
    assert.deepEqual([stopped.status, /looks like spam/.test(stopped.json.error)], [422, true]);
    assert.equal((await mod.get(`/api/v1/admin/spam_rules/${id}`).ok())["hits"], 1);
    const changed = await mod
      .put(`/api/v1/admin/spam_rules/${id}`, {
        conditions: { words: ["costly prize"] },
      })
      .ok();
    assert.deepEqual([changed["enabled"], changed["tried_at"]], [false, null]);
    await write(alice, "a free prize").ok();
    await write(mod, "a free prize").ok();
    assert.deepEqual(await states(id), ["rejected"]);
  });

  it("stores what is sent again under the same key once, and shows its author what waits", async () => {
    const id = await rule("holds links", { links: 1, origin: "local" }, ["hold"]);
    const press = (key: string, status: string) =>
      carol.post("/api/v1/statuses", { status }, { "idempotency-key": key });
    const text = "look at https://pressed.example/";
    const pressed = await Promise.all([press("k1", text), press("k1", text), press("k1", text)]);
    pressed.push(await press("k1", text));
    for (const { status, json } of pressed) assert.deepEqual([status, json.held], [422, true]);
    assert.deepEqual(await states(id), ["held"]);
    assert.equal((await mod.get(`/api/v1/admin/spam_rules/${id}`).ok())["hits"], 1);
    await press("k2", "and https://another.example/");
    const own = await carol.get("/api/v1/held_statuses");
    assert.deepEqual(
      own.json.map((held: Json) => held["text"]),
      ["and https://another.example/", text],
    );
    const others = await alice.get("/api/v1/held_statuses");
    assert.deepEqual(others.json, []);
    const waiting = (await mod.get("/api/v1/admin/held_posts").ok()) as Json[];
    await mod.post(`/api/v1/admin/held_posts/${waiting[0]!["id"]}/approve`).ok();
    const known = await press("k1", text);
    assert.deepEqual([known.status, known.json.content.includes("pressed.example")], [200, true]);
  });

  it("holds posts of people here until a moderator decides", async () => {
    const id = await rule("links of the new", { links: 1, origin: "local" }, ["hold"]);
    const answer = await write(alice, "look https://a.example/ and @carol", {
      poll: { options: ["a", "b"], expires_in: 3600 },
    });
    assert.deepEqual([answer.status, /waits for a moderator/.test(answer.json.error)], [422, true]);
    await write(alice, "bad https://b.example/");
    await write(mod, "staff may https://a.example/").ok();
    const waiting = (await mod.get("/api/v1/admin/held_posts").ok()) as Json[];
    assert.deepEqual(
      waiting.map(({ text }) => text),
      ["a\n\nb\n\nlook https://a.example/ and @carol", "bad https://b.example/"],
    );
    const before = (await carol.get("/api/v1/notifications")).json.length;
    await mod.post(`/api/v1/admin/held_posts/${waiting[0]!["id"]}/approve`).ok();
    await mod.post(`/api/v1/admin/held_posts/${waiting[1]!["id"]}/discard`).ok();
    await server.runJobs();
    assert.deepEqual(await states(id), ["discarded", "approved"]);
    const [newest] = (await server.visitor.get(`/api/v1/accounts/${alice.accountId}/statuses`))
      .json;
    assert.match(newest.content, /a\.example/);
    assert.equal(newest.poll.options.length, 2);
    const notified = (await carol.get("/api/v1/notifications")).json;
    assert.equal(notified.length, before + 1);
    await mod.post(`/api/v1/admin/held_posts/${waiting[1]!["id"]}/approve`, {}).ok(422);
  });

  it("judges what stands beside the text, and a dry run does as well: warning, poll, event, files", async () => {
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const bad = [
      { spoiler_text: "Cheap pills" },
      { poll: { options: ["cheap pills", "none"], expires_in: 3600 } },
      { event: { name: "Fair", starts_at, place: "Cheap Pills Street" } },
      { event: { name: "All cheap pills", starts_at } },
    ];
    const media = async () => ({ media_ids: [await picture("A box of cheap pills")] });
    for (const extra of [...bad, await media()])
      assert.equal((await write(alice, "hello", extra)).status, 200);
    const file = { type: "Document", mediaType: "image/png", url: "https://bad.example/a.png" };
    const published = new Date().toISOString();
    const cheap = [{ ...file, name: "Cheap pills" }];
    const known = await create(eve, { ...to(alice), published, attachment: cheap });
    assert.ok(await statusByUri(known["id"]));
    const { id } = await mod
      .post("/api/v1/admin/spam_rules", {
        name: "pills",
        conditions: { words: ["cheap pills"] },
        actions: ["reject"],
      })
      .ok();
    const tried = await mod.post(`/api/v1/admin/spam_rules/${id}/dry_run`).ok();
    assert.deepEqual([tried["matched"], tried["accounts"]], [6, 2]);
    await mod.post(`/api/v1/admin/spam_rules/${id}/enable`).ok();
    for (const extra of [...bad, await media()])
      assert.equal((await write(alice, "hello", extra)).status, 422);
    const remote = await create(eve, {
      ...to(alice),
      attachment: [{ ...file, name: "More cheap pills" }],
    });
    assert.equal(await statusByUri(remote["id"]), undefined);
    const good = await write(alice, "hello", { event: { name: "Fair", starts_at } }).ok();
    const edit = (event: object) =>
      alice.put(`/api/v1/statuses/${good.id}`, { status: "hello", event });
    assert.equal((await edit({ name: "Cheap pills", starts_at })).status, 422);
    await edit({ name: "Large fair", starts_at }).ok();
    const harmless = await picture("A box");
    const shown = await write(alice, "look", { media_ids: [harmless] });
    const describe = (description: string) =>
      alice.put(`/api/v1/statuses/${shown.json.id}`, {
        status: "look",
        media_ids: [harmless],
        media_attributes: [{ id: harmless, description }],
      });
    assert.equal((await describe("A box of cheap pills")).status, 422);
    await describe("A red box").ok();
    const another = { status: "look", media_ids: [await picture("cheap pills")] };
    const swapped = await alice.put(`/api/v1/statuses/${shown.json.id}`, another);
    assert.equal(swapped.status, 422);
  });

  it("counts accounts that write the same, and strangers that are mentioned", async () => {
    const same = await rule("waves", { same_text: 2, origin: "remote" }, ["hold"]);
    const text = "<p>A wonderful opportunity for everybody here</p>";
    const [first, two] = [
      await create(bob, { content: text }),
      await create(eve, { ...to(alice), content: text.replace("A ", "a  ") }),
    ];
    assert.ok(await statusByUri(first["id"]));
    assert.equal(await statusByUri(two["id"]), undefined);
    assert.deepEqual(await states(same), ["held"]);
    await server.write`DELETE FROM spam_rules`;
    await rule("strangers", { strangers: 1 }, ["reject"]);
    // Alice follows bob, and nobody follows eve.
    assert.ok(await statusByUri((await create(bob, { ...to(alice), content: "hi" }))["id"]));
    assert.equal(
      await statusByUri((await create(eve, { ...to(alice), content: "hi" }))["id"]),
      undefined,
    );
  });

  it("asks the database nothing where there is none, and one question where one asks for accounts", async () => {
    const post = {
      accountId: carol.accountId,
      content: "<p>counted</p>",
      beside: [],
      described: [],
      uploadIds: [],
      links: [],
      mentionIds: [alice.accountId],
      createdAt: new Date(),
    };
    const requests = async () => {
      const judge = () => judgePosts(server.app, server.app.sql, [post]);
      // What was changed is heard of a moment later.
      await server.fixture(async () => {});
      await judge();
      return (await server.countQueries(judge, { warm: true })).queries;
    };
    assert.equal(await requests(), 0);
    await rule("young", { account_age_below: 1, words: ["never said"] }, ["report"]);
    assert.equal(await requests(), 1);
  });
});

it("a rule that nobody made reports as the first owner", async () => {
  const id = await rule("of the command line", { words: ["cheap socks"] }, ["report"]);
  await server.write`UPDATE spam_rules SET account_id = NULL WHERE id = ${id}`;
  await write(alice, "cheap socks here").done();
  const [filed] = await server.app.sql`
    SELECT account_id FROM reports WHERE comment = 'Rule against spam: of the command line'
  `;
  const [first] = await server.app.sql`
    SELECT account_id FROM users WHERE role_id = 3 ORDER BY id LIMIT 1
  `;
  assert.equal(filed!["account_id"], first!["account_id"]);
});

describe("the page", () => {
  it("adds rules, tries them, switches them on, and decides what waits", async () => {
    const path = "/admin/spam";
    const browser = openBrowser(server);
    await browser.signIn("mod");
    const wrong = await browser.submit(await browser.get(path), path, { name: "x", links: "no" });
    assert.match(wrong.text, /whole number/);
    const form = { name: "<b>sale", words: "big sale, cheap", links: "1", do_hold: "1" };
    await browser.submit(await browser.get(path), path, form);
    const { id } = (await mod.get("/api/v1/admin/spam_rules").ok())[0];
    const shown = await browser.get(path);
    assert.match(shown.text, /&lt;b>sale/);
    await browser.submit(shown, `${path}/${id}/dry_run`, {});
    const tried = await browser.get(path);
    assert.match(tried.text, /0\s+of\s+\d+\s+posts?\s+from\s+one\s+day/);
    await browser.submit(tried, `${path}/${id}/enable`, {});
    assert.equal((await write(alice, "big sale https://x.example/")).status, 422);
    const waiting = await browser.get(path);
    assert.match(waiting.text, /big sale https:\/\/x\.example/);
    const [post] = (await mod.get("/api/v1/admin/held_posts").ok()) as Json[];
    const discard = `${path}/held/${post!["id"]}/discard`;
    await browser.submit(await browser.submit(waiting, discard, {}), discard, {});
    assert.match((await browser.get(path)).text, /No posts are waiting/);
  });
});

describe("a wave of spam from a hostile server", () => {
  const TEXT = '<p>Free coins for you at <a href="https://coins.example/">coins</a></p>';
  const seen = async (text: string): Promise<string[]> => {
    const look = async (path: string, token?: string) =>
      (await server.as(token ?? null).get(path)).text;
    const places: [string, string?][] = [
      ["/api/v1/timelines/public"],
      ["/api/v1/timelines/home", alice.token],
      ["/api/v1/notifications", alice.token],
      ["/api/v1/timelines/tag/coins"],
      ["/api/v1/trends/statuses"],
      ["/api/v1/trends/links"],
      ["/api/v1/trends/tags"],
      ["/api/v2/search?q=coins&type=statuses", alice.token],
      ["/api/v1/conversations", alice.token],
      ["/tags/coins"],
    ];
    const texts: string[] = [];
    for (const [path, token] of places)
      if ((await look(path, token)).includes(text)) texts.push(path);
    return texts;
  };

  it("is reported, limited, held, blocked and undone, and nothing of it leaks", async () => {
    const stream = await openStream(server.url, {
      query: { stream: "user", access_token: alice.token },
    });
    const id = await rule("coins", { origin: "remote", words: ["free coins"], links: 1 }, [
      "hold",
      "limit",
      "report",
    ]);
    const before = peer.inbox().length;
    const mine = await post(alice, "an honest post");
    const notes: Json[] = [];
    for (let n = 0; n < 5; n += 1) {
      const own = `${new URL(mallory.uri).origin}/notes/coins-${n}`;
      const members = { ...to(alice), id: own, content: TEXT, inReplyTo: mine.uri };
      notes.push(
        await create(mallory, {
          ...members,
          tag: [...to(alice).tag, { type: "Hashtag", name: "#coins" }],
        }),
      );
    }
    for (const note of notes) assert.equal(await statusByUri(note["id"]), undefined);
    assert.deepEqual(await seen("coins.example"), []);
    await stream.settle();
    assert.ok(!stream.frames.some(({ payload }) => payload?.includes("coins.example")));
    const spammer = await idOfActor(mallory);
    const account = await mod.get(`/api/v1/admin/accounts/${spammer}`).ok();
    assert.equal(account["silenced"], true);
    const reports = (await mod
      .get(`/api/v1/admin/reports?target_account_id=${spammer}`)
      .ok()) as Json[];
    assert.deepEqual(
      reports.map(({ category, comment }) => [category, comment]),
      [["spam", "Rule against spam: coins"]],
    );
    assert.equal((await states(id)).length, 5);
    // Answers that are held are not passed on to the servers of followers.
    const sent = peer
      .inbox()
      .slice(before)
      .filter((activity) => JSON.stringify(activity).includes("coins.example"));
    assert.deepEqual(sent, []);
    // The whole server is blocked, and unblocked again.
    const domain = mallory.uri.split("/")[2]!;
    const block = await mod
      .post("/api/v1/admin/domain_blocks", { domain, severity: "suspend" })
      .ok();
    await server.runJobs();
    await send(
      mallory,
      { type: "Create", object: { ...notes[0], id: `${notes[0]!["id"]}x` } },
      202,
    ).catch(() => {});
    assert.deepEqual(await seen("coins.example"), []);
    await mod.delete(`/api/v1/admin/domain_blocks/${block["id"]}`).ok();
    await server.runJobs();
    // It was a mistake: the rule is undone.
    await mod.post(`/api/v1/admin/spam_rules/${id}/undo`).ok();
    await server.runJobs();
    assert.deepEqual([...new Set(await states(id))], ["approved"]);
    assert.equal((await mod.get(`/api/v1/admin/accounts/${spammer}`).ok())["silenced"], false);
    assert.equal(
      (await mod.get(`/api/v1/admin/reports/${reports[0]!["id"]}`).ok())["action_taken"],
      true,
    );
    for (const note of notes) assert.ok(await statusByUri(note["id"]));
    assert.deepEqual((await seen("coins.example")).includes("/api/v1/notifications"), true);
    assert.equal((await mod.get(`/api/v1/admin/spam_rules/${id}`).ok())["enabled"], false);
    stream.socket.close();
  });
});
