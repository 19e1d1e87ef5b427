// GET /api/v2/search for statuses: who finds what, by words, phrases and operators.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { oneDayClock } from "../../../../test/clocks/one-day.ts";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { catchUp } from "./index-statuses.ts";
import { upsertSearchable } from "./queries.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let peer: FakePeer;

before(async () => {
  t = await startTestApp({ clock: oneDayClock() });
  alice = await t.person("alice");
  bob = await t.person("bob");
  carol = await t.person("carol");
  peer = await startPeer();
});
after(async () => {
  await peer.close();
  await t.close();
});

const post = async (who: Person, status: string, more: object = {}): Promise<string> => {
  const json = { status, ...more };
  return (await who.post("/api/v1/statuses", json).done()).id;
};

const idsOf = async (
  who: Person | null,
  q: string,
  more: Record<string, string> = {},
): Promise<string[]> => {
  const query = new URLSearchParams({ q, type: "statuses", ...more });
  const answer = await (who ?? t.visitor).get(`/api/v2/search?${query}`).ok();
  assertEntity("Search", answer);
  return answer.statuses.map((status: any) => status.id);
};

const pageIn = ({ json }: Answer): string[] => json.statuses.map((status: any) => status.id);

const act = async (who: Person, id: string, verb: string) => {
  await who.post(`/api/v1/statuses/${id}/${verb}`);
  await t.runJobs();
};

const profile = async (who: Person, json: object) => {
  const path = "/api/v1/accounts/update_credentials";
  await who.patch(path, json).done();
};

describe("who finds what", () => {
  it("one's own posts of every visibility, and not those of others", async () => {
    const own = [];
    for (const visibility of ["public", "unlisted", "private", "direct"]) {
      own.unshift(await post(alice, `capybara ${visibility}`, { visibility }));
    }
    assert.deepEqual(await idsOf(alice, "capybara"), own);
    assert.deepEqual(await idsOf(bob, "capybara"), []);
    assert.deepEqual(await idsOf(null, "capybara"), []);
  });

  it("words with an apostrophe", async () => {
    const id = await post(alice, `I don't know "bilbies" & others`);
    for (const q of ["don't", `"I don't know"`, `"bilbies others"`]) {
      assert.deepEqual(await idsOf(alice, q), [id], q);
    }
  });

  it("what one is mentioned in, has favourited or bookmarked", async () => {
    const named = await post(alice, "quokka for @bob", { visibility: "direct" });
    const liked = await post(alice, "quokka liked");
    const bookmarked = await post(alice, "quokka kept");
    assert.deepEqual(await idsOf(bob, "quokka"), [named]);
    await act(bob, liked, "favourite");
    await act(bob, bookmarked, "bookmark");
    assert.deepEqual(await idsOf(bob, "quokka"), [bookmarked, liked, named]);
    await act(bob, bookmarked, "unbookmark");
    assert.deepEqual(await idsOf(bob, "quokka"), [liked, named]);
    assert.deepEqual(await idsOf(carol, "quokka"), []);
  });

  it("public posts of those who let theirs be found, older ones too, until they change their mind", async () => {
    const open = await post(carol, "wombat public");
    await post(carol, "wombat unlisted", { visibility: "unlisted" });
    await post(carol, "wombat private", { visibility: "private" });
    assert.deepEqual(await idsOf(bob, "wombat"), []);
    await profile(carol, { indexable: true });
    assert.deepEqual(await idsOf(bob, "wombat"), [open]);
    assert.deepEqual(await idsOf(bob, "wombat in:library"), []);
    assert.equal((await idsOf(carol, "wombat in:library")).length, 3);
    assert.deepEqual(await idsOf(carol, "wombat in:public"), [open]);
    const later = await post(carol, "wombat again");
    assert.deepEqual(await idsOf(bob, "wombat"), [later, open]);
    await profile(carol, { indexable: false });
    assert.deepEqual(await idsOf(bob, "wombat"), []);
  });

  it("older posts are indexed step by step", async () => {
    const id = await post(carol, "numbat here");
    await t.app.sql`DELETE FROM status_search`;
    await profile(carol, { indexable: true });
    assert.deepEqual(await idsOf(bob, "numbat"), []);
    assert.equal(await catchUp(t.app), true);
    assert.equal(await catchUp(t.app), false);
    assert.deepEqual(await idsOf(bob, "numbat"), [id]);
  });

  it("posts older than the newest that are read one by one are found by their words", async () => {
    const old = await post(carol, "quokka of long ago");
    const marked = await post(alice, "quokka that bob favourited");
    await act(bob, marked, "favourite");
    await profile(carol, { indexable: true });
    const newer = await post(carol, "nothing of the kind");
    // Two thousand newer ones, which the word index has to look past.
    await t.write`
      INSERT INTO statuses SELECT (jsonb_populate_record(s, jsonb_build_object(
        'id', s.id + n, 'uri', s.uri || n, 'url', s.url || n
      ))).* FROM statuses s, generate_series(1, 2100) n WHERE s.id = ${newer}
    `;
    await t.write`
      INSERT INTO status_search SELECT (jsonb_populate_record(x, jsonb_build_object(
        'status_id', x.status_id + n
      ))).* FROM status_search x, generate_series(1, 2100) n WHERE x.status_id = ${newer}
    `;
    await t.write`
      INSERT INTO favourites (account_id, status_id)
      SELECT ${bob.accountId}, id FROM statuses WHERE id > ${newer}
    `;
    assert.deepEqual(await idsOf(bob, "quokka"), [marked, old]);
    assert.deepEqual(await idsOf(alice, "quokka"), [marked, old]);
    await profile(carol, { indexable: false });
    assert.deepEqual(await idsOf(bob, "quokka"), [marked]);
    await t.write`DELETE FROM statuses WHERE id > ${newer}`;
    await profile(carol, { indexable: true });
  });

  it("nothing of accounts with a block, or suspended or limited", async () => {
    const id = await post(carol, "kakapo");
    assert.deepEqual(await idsOf(bob, "kakapo"), [id]);
    const relate = (who: Person, whom: Person, verb: string) =>
      who.post(`/api/v1/accounts/${whom.accountId}/${verb}`);
    for (const [who, whom] of [
      [bob, carol],
      [carol, bob],
    ] as const) {
      await relate(who, whom, "block");
      assert.deepEqual(await idsOf(bob, "kakapo"), []);
      await relate(who, whom, "unblock");
    }
    for (const column of ["silenced_at", "suspended_at"]) {
      await t.write`UPDATE accounts SET ${t.app.sql(column)} = now() WHERE id = ${carol.accountId}`;
      assert.deepEqual(await idsOf(bob, "kakapo"), [], column);
      await t.write`UPDATE accounts SET ${t.app.sql(column)} = NULL WHERE id = ${carol.accountId}`;
    }
    assert.deepEqual(await idsOf(bob, "kakapo"), [id]);
  });

  it("no followers-only posts after unfollowing", async () => {
    await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
    const id = await post(alice, "axolotl", { visibility: "private" });
    await act(bob, id, "favourite");
    assert.deepEqual(await idsOf(bob, "axolotl"), [id]);
    await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`);
    assert.deepEqual(await idsOf(bob, "axolotl"), []);
  });
});

describe("remote posts", () => {
  /** Fetched from its server by URL, which stores it. */
  const arrived = async (actor: PeerActor, path: string, members: object): Promise<string> => {
    const note = peer.note(actor, path, members as Record<string, unknown>);
    const query = new URLSearchParams({ q: String(note["id"]), resolve: "true" });
    const answer = await alice.get(`/api/v2/search?${query}`);
    assert.equal(answer.json.statuses.length, 1, answer.text);
    await t.runJobs();
    return answer.json.statuses[0].id;
  };

  it("posts of those who let theirs be found there, and what is marked here", async () => {
    const dora = peer.actor("dora");
    (dora.document as Record<string, unknown>)["indexable"] = true;
    const emil = peer.actor("emil", 1);
    const open = await arrived(dora, "/1", { content: "<p>okapi <b>op</b>en &amp; seen</p>" });
    const closed = await arrived(emil, "/2", { content: "<p>okapi closed</p>" });
    assert.deepEqual(await idsOf(bob, "okapi"), [open]);
    assert.deepEqual(await idsOf(bob, '"okapi open seen"'), [open]);
    const [unseen] = await t.app.sql`
      SELECT count(*)::int AS count FROM status_search WHERE status_id = ${closed}
    `;
    assert.equal(unseen!["count"], 0);
    await act(bob, closed, "favourite");
    assert.deepEqual((await idsOf(bob, "okapi")).toSorted(), [open, closed].toSorted());
    assert.deepEqual(await idsOf(alice, "okapi"), [open]);
    await t.write`UPDATE accounts SET indexable = false WHERE username = 'dora'`;
    assert.deepEqual(await idsOf(alice, "okapi"), []);
    await t.write`UPDATE accounts SET indexable = true WHERE username = 'emil'`;
    assert.deepEqual(await idsOf(alice, "okapi"), [closed]);
  });
});

describe("what a batch of the inbox brings", () => {
  const create = (actor: PeerActor, path: string, members: Record<string, unknown>) => ({
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${actor.uri}${path}#create`,
    type: "Create",
    actor: actor.uri,
    object: peer.note(actor, path, members),
  });

  it("are found by those they mention, and by their new words after an edit", async () => {
    const fay = peer.actor("fay", 2);
    const uri = `${t.url}/users/alice`;
    const note = {
      content: "<p>a saola for you</p>",
      to: [uri],
      cc: [],
      tag: [{ type: "Mention", href: uri, name: "@alice" }],
    };
    const send = async (activity: Record<string, unknown>) => {
      assert.equal((await peer.post(`${t.url}/inbox`, fay, activity)).status, 202);
      await t.runJobs();
    };
    await send(create(fay, "/fay/1", note));
    const ids = await idsOf(alice, "saola");
    assert.equal(ids.length, 1);
    assert.deepEqual(await idsOf(bob, "saola"), []);
    assert.deepEqual(await idsOf(alice, `from:fay@${peer.host} saola`), ids);
    const object = peer.note(fay, "/fay/1", {
      ...note,
      content: "<p>a tapir for you</p>",
      updated: new Date().toISOString(),
    });
    await send({ ...create(fay, "/fay/1", note), id: `${fay.uri}#u`, type: "Update", object });
    assert.deepEqual(await idsOf(alice, "saola"), []);
    assert.deepEqual(await idsOf(alice, "tapir"), ids);
    await send({
      "@context": "https://www.w3.org/ns/activitystreams",
      id: `${fay.uri}#d`,
      type: "Delete",
      actor: fay.uri,
      object: object["id"],
    });
    assert.deepEqual(await idsOf(alice, "tapir"), []);
  });
});

describe("by what", () => {
  it("words without accents and case, phrases, exclusions", async () => {
    const id = await post(alice, "Größe und Ärger im Café, naïve Øre");
    const two = await post(alice, "kleine Größe, kein Café");
    assert.deepEqual(await idsOf(alice, "GROSSE"), [two, id]);
    assert.deepEqual(await idsOf(alice, "cafe arger"), [id]);
    assert.deepEqual(await idsOf(alice, "ore naive"), [id]);
    assert.deepEqual(await idsOf(alice, '"größe und ärger"'), [id]);
    assert.deepEqual(await idsOf(alice, '"ärger und größe"'), []);
    assert.deepEqual(await idsOf(alice, "größe -kleine"), [id]);
    assert.deepEqual(await idsOf(alice, 'größe -"kein café"'), [id]);
    assert.deepEqual(await idsOf(alice, "grö"), []);
  });

  it("in scripts without spaces, and pictures", async () => {
    const japanese = await post(alice, "今日は東京都庁へ行きました 🦀");
    const thai = await post(alice, "ฉันรักประเทศไทยมาก");
    const korean = await post(alice, "한국어를 배웁니다");
    assert.deepEqual(await idsOf(alice, "東京"), [japanese]);
    assert.deepEqual(await idsOf(alice, "東京都"), [japanese]);
    assert.deepEqual(await idsOf(alice, "京東"), []);
    assert.deepEqual(await idsOf(alice, "庁"), [japanese]);
    assert.deepEqual(await idsOf(alice, "東"), [japanese]);
    assert.deepEqual(await idsOf(alice, "🦀"), [japanese]);
    assert.deepEqual(await idsOf(alice, "ประเทศไทย"), [thai]);
    assert.deepEqual(await idsOf(alice, "한국어"), [korean]);
  });

  it("warnings, options of polls, tags, the text of links without HTML", async () => {
    const poll = { options: ["zebrafish", "other"], expires_in: 3600 };
    const id = await post(alice, "which #platypusday https://example.com/pangolin?a=1", {
      spoiler_text: "echidna ahead",
      poll,
    });
    for (const word of ["zebrafish", "platypusday", "#platypusday", "pangolin", "echidna"]) {
      assert.deepEqual(await idsOf(alice, word), [id], word);
    }
    for (const word of ["nofollow", "href", "span"]) assert.deepEqual(await idsOf(alice, word), []);
    assert.deepEqual(await idsOf(alice, "has:poll"), [id]);
    assert.deepEqual(await idsOf(alice, "has:link echidna"), [id]);
    assert.deepEqual(await idsOf(alice, "has:media"), []);
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const fair = await post(alice, "", { event: { name: "Glockenspiel fair", starts_at } });
    assert.deepEqual(await idsOf(alice, "has:event"), [fair]);
    assert.deepEqual(await idsOf(alice, "glockenspiel -has:event"), []);
    assert.deepEqual(await idsOf(alice, "echidna is:sensitive"), [id]);
  });

  it("operators: who, when, which language, whether it answers", async () => {
    const first = await post(alice, "ocelot erste", { language: "de" });
    const answer = await post(bob, "@alice ocelot reply", {
      in_reply_to_id: first,
      language: "en",
    });
    const all = [answer, first];
    assert.deepEqual(await idsOf(alice, "ocelot"), all);
    const host = t.app.config.site.localDomain;
    for (const from of ["from:bob", "from:@bob", `from:@bob@${host}`, "-from:me", "-from:alice"]) {
      assert.deepEqual(await idsOf(alice, `ocelot ${from}`), [answer], from);
    }
    assert.deepEqual(await idsOf(alice, "ocelot from:me"), [first]);
    assert.deepEqual(await idsOf(alice, "ocelot from:nobody"), []);
    assert.deepEqual(await idsOf(alice, "ocelot language:de"), [first]);
    assert.deepEqual(await idsOf(alice, "ocelot -language:de"), [answer]);
    assert.deepEqual(await idsOf(alice, "ocelot is:reply"), [answer]);
    assert.deepEqual(await idsOf(alice, "ocelot -is:reply"), [first]);
    const today = t.app.clock.now().toISOString().slice(0, 10);
    const year = today.slice(0, 4);
    assert.deepEqual(await idsOf(alice, `ocelot during:${today}`), all);
    assert.deepEqual(await idsOf(alice, `ocelot during:${year}`), all);
    assert.deepEqual(await idsOf(alice, `ocelot before:${today}`), []);
    assert.deepEqual(await idsOf(alice, `ocelot after:${today}`), []);
    assert.deepEqual(await idsOf(alice, `ocelot after:2020-01-01`), all);
    assert.deepEqual(await idsOf(alice, `ocelot before:2020`), []);
    for (const odd of ["before:soon", "has:wings", "is:odd", "language:klingonese", "in:jail"]) {
      assert.deepEqual(await idsOf(alice, `ocelot ${odd}`), [], odd);
    }
    assert.deepEqual(await idsOf(alice, "ocelot", { account_id: bob.accountId }), [answer]);
    assert.deepEqual(await idsOf(alice, "ocelot", { account_id: "x" }), []);
    assert.deepEqual(await idsOf(alice, "ocelot", { max_id: answer }), [first]);
    assert.deepEqual(await idsOf(alice, "ocelot", { min_id: first }), [answer]);
    assert.deepEqual(await idsOf(alice, "ocelot", { limit: "1" }), [answer]);
    assert.deepEqual(await idsOf(alice, "ocelot", { limit: "1", offset: "1" }), [first]);
    assert.deepEqual(await idsOf(alice, "ocelot", { offset: "2" }), []);
    await alice.post(`/api/v1/accounts/${bob.accountId}/mute`).ok();
    const pages: string[][] = [];
    let next: string | undefined = "/api/v2/search?q=ocelot&type=statuses&limit=1";
    while (next !== undefined) {
      const { json, headers }: Answer = await alice.get(next);
      pages.push(json.statuses.map((status: any) => status.id));
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`).ok();
    assert.deepEqual(
      pages,
      [[first]],
      "what is hidden is passed, and nothing is linked to behind the end",
    );
  });

  it("operators: to whom, and where among what one may find", async () => {
    const erin = peer.actor("erin", 1);
    const query = new URLSearchParams({ q: erin.uri, resolve: "true", type: "accounts" });
    const known = await alice.get(`/api/v2/search?${query}`);
    assert.equal(known.json.accounts.length, 1, known.text);
    const own = await post(alice, `margay for @erin@${peer.host}`);
    const toBob = await post(alice, "@bob margay");
    const toAlice = await post(bob, "@alice margay");
    assert.deepEqual(await idsOf(alice, `margay to:@erin@${peer.host}`), [own]);
    assert.deepEqual(await idsOf(alice, "margay to:bob"), [toBob]);
    assert.deepEqual(await idsOf(bob, "margay to:me"), [toBob]);
    assert.deepEqual(await idsOf(alice, "margay -to:me -to:bob"), [own]);
    assert.deepEqual(await idsOf(alice, "margay to:nobody"), []);
    assert.deepEqual(await idsOf(alice, "margay -to:nobody"), [toAlice, toBob, own]);
    await act(alice, toAlice, "favourite");
    await act(alice, own, "bookmark");
    assert.deepEqual(await idsOf(alice, "margay in:own"), [toBob, own]);
    assert.deepEqual(await idsOf(alice, "margay in:mentions"), [toAlice]);
    assert.deepEqual(await idsOf(alice, "margay in:favourites"), [toAlice]);
    assert.deepEqual(await idsOf(alice, "margay in:favorites"), [toAlice]);
    assert.deepEqual(await idsOf(alice, "margay in:bookmarks"), [own]);
    assert.deepEqual(await idsOf(alice, "margay in:bookmarks in:favourites"), [toAlice, own]);
    assert.deepEqual(await idsOf(alice, "in:bookmarks"), [own]);
    assert.deepEqual(await idsOf(bob, "margay in:bookmarks"), []);
    assert.deepEqual(await idsOf(alice, "margay in:public"), []);
  });

  it("operators: to which site or page it links, whoever else's words stand there", async () => {
    const page = await post(alice, "serval https://blog.serval-news.example/a?b=1#c");
    const site = await post(alice, "serval https://SERVAL-news.example/");
    const other = await post(
      alice,
      "serval serval-news.example and https://notserval-news.example",
    );
    assert.deepEqual(await idsOf(alice, "serval"), [other, site, page]);
    assert.deepEqual(await idsOf(alice, "link:serval-news.example"), [site, page]);
    assert.deepEqual(await idsOf(alice, "link:Blog.serval-news.example"), [page]);
    assert.deepEqual(await idsOf(alice, "link:https://blog.serval-news.example/a?b=1"), [page]);
    assert.deepEqual(await idsOf(alice, "link:https://blog.serval-news.example/a"), []);
    assert.deepEqual(await idsOf(alice, "serval has:link -link:serval-news.example"), [other]);
    assert.deepEqual(await idsOf(bob, "link:serval-news.example"), []);
    for (const odd of [
      "link:serval",
      "link:a/b.example",
      "link:https:",
      "link:'",
      "link:.example",
    ]) {
      assert.deepEqual(await idsOf(alice, `serval ${odd}`), [], odd);
    }
  });

  it("other forms of a word, in the language of the post, but not in quotes", async () => {
    const english = await post(alice, "cormorants diving", { language: "en" });
    const german = await post(alice, "die Kormorane der Häuser", { language: "de" });
    const french = await post(alice, "les élèves mangeaient", { language: "fr" });
    const russian = await post(alice, "красивая птица", { language: "ru" });
    const none = await post(alice, "cormorants gliding", { language: "ja" });
    assert.deepEqual(await idsOf(alice, "cormorant dive"), [english]);
    assert.deepEqual(await idsOf(alice, "cormorant"), [english]);
    assert.deepEqual(await idsOf(alice, "Cormorants"), [none, english]);
    assert.deepEqual(await idsOf(alice, '"cormorant"'), []);
    assert.deepEqual(await idsOf(alice, "cormorants -dives"), [none]);
    // Not a language of this person: who looks for it says so.
    assert.deepEqual(await idsOf(alice, "красивый"), []);
    assert.deepEqual(await idsOf(alice, "haus kormoran lang:de"), [german]);
    assert.deepEqual(await idsOf(alice, "eleve manger lang:fr"), [french]);
    assert.deepEqual(await idsOf(alice, "красивый птицы language:ru"), [russian]);
    await profile(alice, { source: { chosen_languages: ["de", "ru"] } });
    assert.deepEqual(await idsOf(alice, "haus kormoran"), [german]);
    assert.deepEqual(await idsOf(alice, "красивый"), [russian]);
  });

  it("a language that the database has no stemmer for, as it is written", async () => {
    const id = await post(alice, "quolls", { language: "en" });
    const words = { words: "'quolls':1", stemmer: "klingon_stem", plain: ["quolls"] };
    await t.write`DELETE FROM status_search WHERE status_id = ${id}`;
    await upsertSearchable(t.app.sql, [{ statusId: id, open: false, ...words }]);
    const [stored] = await t.app.sql`
      SELECT words::text FROM status_search WHERE status_id = ${id}`;
    assert.equal(stored!["words"], "'quolls':1");
  });

  it("in the order of what fits best, in pages", async () => {
    const best = await post(alice, "ibex ibex ibex");
    const liked = await post(alice, "one ibex among many other words that are said here");
    const last = await post(alice, "another ibex among many other words that are said here");
    await act(bob, liked, "favourite");
    assert.deepEqual(await idsOf(alice, "ibex"), [last, liked, best]);
    assert.deepEqual(await idsOf(alice, "ibex", { sort: "date" }), [last, liked, best]);
    assert.deepEqual(await idsOf(alice, "ibex", { sort: "wings" }), [last, liked, best]);
    const ranked = [best, liked, last];
    assert.deepEqual(await idsOf(alice, "ibex", { sort: "rank" }), ranked);
    assert.deepEqual(await idsOf(alice, "ibex -status", { sort: "rank" }), ranked);
    assert.deepEqual(await idsOf(alice, "ibex", { sort: "rank", limit: "1" }), [best]);
    assert.deepEqual(await idsOf(alice, "ibex", { sort: "rank", limit: "2", offset: "1" }), [
      liked,
      last,
    ]);
    assert.deepEqual(await idsOf(alice, "in:own", { sort: "rank", limit: "1" }), [last]);
  });

  it("the words that an edit left", async () => {
    const id = await post(alice, "dugong before");
    const json = { status: "manatee after" };
    await alice.put(`/api/v1/statuses/${id}`, json);
    await t.runJobs();
    assert.deepEqual(await idsOf(alice, "dugong"), []);
    assert.deepEqual(await idsOf(alice, "manatee"), [id]);
    await alice.delete(`/api/v1/statuses/${id}`);
    assert.deepEqual(await idsOf(alice, "manatee"), []);
  });
});

describe("whatever is asked", () => {
  it("breaks nothing", async () => {
    const odd = [
      "'",
      "\\",
      "''",
      '"',
      '""',
      '"a',
      "-",
      "--",
      '-"',
      "from:",
      "from:-",
      "has:'",
      "a & b | !c",
      "<->",
      "=open",
      "'=open'",
      ":*",
      "in:",
      "before:9999-99-99",
      "during:0000",
      "during:9999",
      "-a -b",
      "x ".repeat(1000),
      "漢".repeat(900),
      "language:'",
      `from:${"@".repeat(20)}`,
      "to:",
      "lang:",
      "in:bookmarks -in:own",
      "naïve' lang:de",
      "क्या ज्ञान lang:hi",
    ];
    for (const q of odd) await idsOf(alice, `${q} `.trim() || "x");
    for (const max_id of ["x", "-1", "0", "99999999999999999999"]) {
      await idsOf(alice, "word", { max_id, min_id: max_id, account_id: max_id });
    }
  });

  it("answers what it has found in time, be it nothing", { timeout: 10_000 }, async () => {
    const id = await post(alice, "zorilla");
    assert.deepEqual(await idsOf(alice, "zorilla"), [id]);
    await t.app.sql.begin(async (tx) => {
      await tx`LOCK TABLE status_search IN ACCESS EXCLUSIVE MODE`;
      assert.deepEqual(await idsOf(alice, "zorilla"), []);
    });
    assert.deepEqual(await idsOf(alice, "zorilla"), [id]);
  });

  it("a name alone finds posts where posts are asked for, in a few queries", async () => {
    for (let n = 0; n < 12; n++) await post(alice, `#tardigrade number ${n}`);
    const both = await alice.get("/api/v2/search?q=%23tardigrade");
    assert.deepEqual(both.json.statuses, []);
    assert.equal(both.json.hashtags[0].name, "tardigrade");
    const path = "/api/v2/search?q=tardigrade&type=statuses&limit=";
    const count = async (limit: number) => {
      const answer = await t.countQueries(() => alice.get(`${path}${limit}`));
      assert.equal(answer.result.json.statuses.length, limit);
      return answer.queries;
    };
    await count(1);
    assert.equal(await count(12), await count(2));
  });
});

describe("pages", () => {
  it("pages are full however many posts are hidden, and the last one has no next", async () => {
    const [loud, quiet] = [await t.person("loud"), await t.person("quiet")];
    for (const who of [loud, quiet]) await profile(who, { indexable: true });
    const wanted = [];
    for (let n = 0; n < 3; n += 1) wanted.unshift(await post(quiet, `tamarin ${n}`));
    for (let n = 0; n < 9; n += 1) await post(loud, `tamarin ${n}`);
    await carol.post(`/api/v1/accounts/${loud.accountId}/mute`).ok();
    const path = "/api/v2/search?q=tamarin&type=statuses";
    const first = await carol.get(`${path}&limit=2`);
    assert.deepEqual(pageIn(first), wanted.slice(0, 2));
    const [, next] = /<([^>]*)>; rel="next"/.exec(first.headers.get("link")!)!;
    const second = await carol.get(next!.slice(t.url.length));
    assert.deepEqual(pageIn(second), wanted.slice(2));
    for (const last of [second, await carol.get(`${path}&limit=3`)])
      assert.doesNotMatch(last.headers.get("link") ?? "", /rel="next"/);
  });
});
