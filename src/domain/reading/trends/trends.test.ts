// Trends: hashtags, posts and links by the accounts that use them, once they are approved.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { oneDayClock } from "../../../../test/clocks/one-day.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { refreshTrends } from "./refresh.ts";
import { reviewLink, reviewPublisher, reviewStatus, reviewTag } from "./review.ts";

let t: TestApp;
let people: Person[];
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp({ clock: oneDayClock() });
  people = [];
  for (const name of ["alice", "bob", "carol", "dave"]) people.push(await t.person(name));
  [alice, bob, carol] = people as [Person, Person, Person];
  await t.write`UPDATE accounts SET discoverable = true`;
});
after(() => t.close());

const post = async (who: Person, status: string, more: object = {}): Promise<string> => {
  const json = { status, ...more };
  return (await who.post("/api/v1/statuses", json).ok()).id;
};

const act = (who: Person, id: string, verb: string) => who.post(`/api/v1/statuses/${id}/${verb}`);

const list = async (path: string, member: string, token: string | null = null) =>
  (await t.as(token).get(path).ok()).map((entity: any) => entity[member]);

const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";

const idOf = async (rows: PromiseLike<readonly { id: string }[]>): Promise<string> =>
  (await rows)[0]!.id;

describe("hashtags", () => {
  const tagId = (name: string) =>
    idOf(t.app.sql<{ id: string }[]>`SELECT id FROM tags WHERE name = ${name}`);

  it("trend by the people who use them, once they are reviewed", async () => {
    for (const who of people) await post(who, "#Lively and #steady");
    for (let n = 0; n < 5; n++) await post(alice, "#lonely");
    await post(bob, "#quietly", { visibility: "unlisted" });
    await post(carol, "#quietly", { visibility: "unlisted" });
    await refreshTrends(t.app);
    assert.deepEqual(await list("/api/v1/trends/tags", "name"), []);
    const [row] = await t.app.sql`SELECT requested_review_at FROM tags WHERE name = 'lively'`;
    assert.ok(row!["requested_review_at"]);
    await reviewTag(t.app, await tagId("lively"), true);
    await reviewTag(t.app, await tagId("lonely"), true);
    await reviewTag(t.app, await tagId("quietly"), true);
    const answer = await t.visitor.get("/api/v1/trends/tags");
    assert.deepEqual(
      answer.json.map((tag: any) => tag.name),
      ["Lively"],
    );
    assertEntity("Tag", answer.json[0]);
    assert.equal(answer.json[0].history[0].accounts, "4");
    assert.equal(answer.json[0].history.length, 7);
    assert.equal(answer.json[0].following, undefined);
    assert.equal(answer.headers.get("cache-control"), SHARED);
    assert.equal(answer.headers.get("vary"), "Authorization, Origin");
    const signed = await bob.get("/api/v1/trends/tags");
    assert.equal(signed.json[0].following, false);
    assert.equal(signed.headers.get("cache-control"), "private, no-store");
  });

  it("the old path is marked as deprecated; limit and offset page by Link", async () => {
    await setSetting(t.app, "trendable_by_default", true);
    const first = await t.visitor.get("/api/v1/trends?limit=1");
    assert.equal(first.headers.get("deprecation"), "@1648598400");
    assert.equal(first.json.length, 1);
    assert.equal(
      first.headers.get("link"),
      `<${t.url}/api/v1/trends?limit=1&offset=1>; rel="next"`,
    );
    const second = await t.visitor.get("/api/v1/trends?limit=1&offset=1");
    assert.notEqual(second.json[0].name, first.json[0].name);
    assert.match(second.headers.get("link")!, /offset=2>; rel="next", .*offset=0>; rel="prev"/);
    for (const odd of ["limit=x", "limit=-1", "limit=0", "offset=x", "offset=-1", "limit[]=1"]) {
      assert.equal((await t.visitor.get(`/api/v1/trends/tags?${odd}`)).status, 200, odd);
    }
    await setSetting(t.app, "trendable_by_default", null);
  });

  it("not what moderators do not let trend, nor anything where trends are switched off", async () => {
    await setSetting(t.app, "trendable_by_default", true);
    await reviewTag(t.app, await tagId("lively"), false);
    assert.deepEqual(await list("/api/v1/trends/tags", "name"), ["steady"]);
    await setSetting(t.app, "trends", false);
    for (const path of ["", "/tags", "/statuses", "/links"]) {
      assert.deepEqual((await t.visitor.get(`/api/v1/trends${path}`)).json, []);
    }
    await setSetting(t.app, "trends", null);
    await setSetting(t.app, "trendable_by_default", null);
    await assert.rejects(reviewTag(t.app, "1", true), /Record not found/);
  });

  it("a search can leave out unreviewed tags, except for an exact match", async () => {
    const namesFor = (query: string) =>
      t.visitor
        .get(`/api/v2/search?type=hashtags&q=${query}`)
        .then((answer) => answer.json.hashtags.map((tag: any) => tag.name));
    assert.deepEqual(await namesFor("l"), ["Lively", "lonely"]);
    await t.app.sql`UPDATE tags SET reviewed_at = NULL WHERE name = 'lonely'`;
    assert.deepEqual(await namesFor("l&exclude_unreviewed=true"), ["Lively"]);
    assert.deepEqual(await namesFor("lonely&exclude_unreviewed=true"), ["lonely"]);
    await t.app.sql`UPDATE tags SET listable = false WHERE name = 'lively'`;
    assert.deepEqual(await namesFor("l"), ["lonely"]);
    await t.app.sql`UPDATE tags SET listable = NULL`;
  });
});

describe("posts", () => {
  const popular = async (id: string, who: Person[] = [bob, carol]) => {
    for (const person of who) await act(person, id, "favourite");
  };
  const trending = (token: string | null = null) => list("/api/v1/trends/statuses", "id", token);

  it("trend by the people who favourite and reblog them, of late more than before", async () => {
    await setSetting(t.app, "trendable_by_default", true);
    const best = await post(alice, "liked by three");
    await popular(best, [bob, carol]);
    await act(people[3]!, best, "reblog");
    const weaker = await post(bob, "liked by two");
    await popular(weaker, [alice, carol]);
    const older = await post(carol, "liked by three, a while ago");
    await popular(
      older,
      people.filter((person) => person !== carol),
    );
    await t.write`
      UPDATE favourites SET created_at = created_at - interval '40 hours' WHERE status_id = ${older}
    `;
    const lonely = await post(people[3]!, "liked by one, twice");
    await popular(lonely, [bob]);
    await act(bob, lonely, "reblog");
    await refreshTrends(t.app);
    const answer = await t.visitor.get("/api/v1/trends/statuses");
    assert.deepEqual(
      answer.json.map((status: any) => status.id),
      [best, weaker, older],
    );
    assertEntity("Status", answer.json[0]);
    assert.equal(answer.headers.get("vary"), "Authorization, Accept-Language, Origin");
    const page = await t.visitor.get("/api/v1/trends/statuses?limit=1&offset=1");
    assert.equal(page.json[0].id, weaker);
    assert.match(page.headers.get("link")!, /offset=2/);
    await act(carol, weaker, "unfavourite");
    await refreshTrends(t.app);
    assert.deepEqual(await trending(), [best, older]);
    await popular(weaker, [carol, bob]);
    await refreshTrends(t.app);
    // An author's own favourites and boosts do not count.
    assert.deepEqual(await trending(), [best, weaker, older]);
  });

  it("none that is sensitive, an answer, not public, or of somebody who is limited", async () => {
    const none = [
      await post(alice, "nsfw", { sensitive: true }),
      await post(alice, "warned", { spoiler_text: "careful" }),
      await post(alice, "answer", { in_reply_to_id: await post(alice, "root") }),
      await post(alice, "quiet", { visibility: "unlisted" }),
    ];
    for (const id of none) await popular(id, [bob, carol, people[3]!]);
    await refreshTrends(t.app);
    const before = await trending();
    assert.ok(none.every((id) => !before.includes(id)));
    for (const column of ["silenced_at", "suspended_at"]) {
      await t.write`UPDATE accounts SET ${t.app.sql(column)} = now() WHERE id = ${alice.accountId}`;
      const without = await trending();
      assert.deepEqual(without, before.slice(1), column);
      await refreshTrends(t.app);
      assert.deepEqual(await trending(), before.slice(1), column);
      await t.write`UPDATE accounts SET ${t.app.sql(column)} = NULL WHERE id = ${alice.accountId}`;
      await refreshTrends(t.app);
    }
    await t.write`UPDATE accounts SET discoverable = NULL WHERE id = ${alice.accountId}`;
    assert.deepEqual(await trending(), before.slice(1));
    await t.write`UPDATE accounts SET discoverable = true WHERE id = ${alice.accountId}`;
  });

  it("nothing of accounts that the viewer blocks; the viewer's languages first", async () => {
    const before = await trending();
    await bob.post(`/api/v1/accounts/${alice.accountId}/block`);
    assert.deepEqual(await trending(bob.token), before.slice(1));
    await bob.post(`/api/v1/accounts/${alice.accountId}/unblock`);
    await t.write`UPDATE statuses SET language = 'de' WHERE id = ${before[0]}`;
    await setSetting(t.app, "languages_by_locale", true);
    const inLanguage = async (language: string) => {
      const headers = { "accept-language": language };
      const { json } = await t.visitor.get("/api/v1/trends/statuses", headers);
      return json.map((status: any) => status.id);
    };
    const [best, ...others] = before;
    // All languages, one's own first, also where timelines have no others.
    assert.deepEqual(await inLanguage("de, en;q=0.5"), before);
    assert.deepEqual(await inLanguage("fr"), before);
    assert.deepEqual(await inLanguage("en"), [...others, best]);
    await setSetting(t.app, "languages_by_locale", null);
    assert.deepEqual(await inLanguage("*"), before);
    assert.deepEqual(await trending(carol.token), [...others, best]);
    const choose = (chosen_languages: string[]) =>
      carol.patch("/api/v1/accounts/update_credentials", { source: { chosen_languages } }).ok();
    await choose(["de"]);
    assert.deepEqual(await trending(carol.token), before);
    await choose([]);
    const english = await t.visitor.get("/api/v1/trends/statuses", { "accept-language": "en" });
    assert.equal(english.json.at(-1).id, best);
    assert.equal(english.headers.get("vary"), "Authorization, Accept-Language, Origin");
  });

  it("stand on the front page where the server wants that", async () => {
    const recent = (await t.visitor.get("/")).text;
    assert.match(recent, /Recent posts/);
    assert.doesNotMatch(recent, /Trending posts/);
    assert.ok(!("trends_as_landing_page" in (await t.visitor.get("/api/v2/instance")).json));
    await setSetting(t.app, "trends_as_landing_page", true);
    assert.equal((await t.visitor.get("/api/v2/instance")).json.trends_as_landing_page, true);
    const page = (await t.visitor.get("/")).text;
    assert.match(page, /Trending posts/);
    assert.doesNotMatch(page, /Recent posts/);
    assert.match(page, /liked by three/);
    assert.doesNotMatch(page, /nsfw|careful/);
    await setSetting(t.app, "trends_as_landing_page", null);
  });

  it("what is said of a post goes before what is said of its author", async () => {
    await t.write`UPDATE statuses SET language = 'en'`;
    await setSetting(t.app, "trendable_by_default", false);
    assert.deepEqual(await trending(), []);
    // As an import of a Mastodon leaves it.
    const setAuthor = (trendable: boolean) =>
      t.write`UPDATE accounts SET trendable = ${trendable} WHERE id = ${alice.accountId}`;
    await setAuthor(true);
    const [best] = await trending();
    assert.equal((await trending()).length, 1);
    await reviewStatus(t.app, best, false);
    assert.deepEqual(await trending(), []);
    await setAuthor(false);
    await reviewStatus(t.app, best, true);
    assert.deepEqual(await trending(), [best]);
  });
});

describe("links", () => {
  it("trend by the people who share them, with their history", async () => {
    await setSetting(t.app, "trendable_by_default", true);
    const url = "https://news.example/stories/1?page=2";
    for (const who of people) await post(who, `${url} again`);
    for (const who of [alice, bob]) await post(who, "https://other.example/ too");
    for (const who of [alice, bob])
      await post(who, "sh https://hidden.example/", { sensitive: true });
    for (const who of people) await post(who, `${t.url}/@alice`);
    for (let n = 0; n < 3; n++) await post(carol, "https://lonely.example/");
    await refreshTrends(t.app);
    const answer = await t.visitor.get("/api/v1/trends/links");
    assert.deepEqual(
      answer.json.map((link: any) => link.url),
      [url, "https://other.example/"],
    );
    for (const link of answer.json) assertEntity("Trends_Link", link);
    assert.equal(answer.json[0].title, "news.example/stories/1");
    assert.deepEqual(
      [answer.json[0].history[0].accounts, answer.json[0].history[0].uses],
      ["4", "4"],
    );
    assert.equal(answer.headers.get("vary"), "Authorization, Accept-Language, Origin");
    assert.match(
      (await t.visitor.get("/api/v1/trends/links?limit=1")).headers.get("link")!,
      /offset=1/,
    );
    await setSetting(t.app, "languages_by_locale", true);
    for (const language of ["fr", "en"]) {
      const headers = { "accept-language": language };
      assert.equal((await t.visitor.get("/api/v1/trends/links", headers)).json.length, 2);
    }
    await setSetting(t.app, "languages_by_locale", null);
  });

  it("need a review of the URL or its site; a review outlives the trend", async () => {
    await setSetting(t.app, "trendable_by_default", false);
    const { sql } = t.app;
    const links = () => list("/api/v1/trends/links", "url");
    assert.deepEqual(await links(), []);
    const site = await idOf(
      sql<{ id: string }[]>`SELECT id FROM trend_publishers WHERE domain = 'other.example'`,
    );
    await reviewPublisher(t.app, site, true);
    assert.deepEqual(await links(), ["https://other.example/"]);
    const id = await idOf(
      sql<{ id: string }[]>`SELECT id FROM trend_links WHERE domain = 'other.example'`,
    );
    await reviewLink(t.app, id, false);
    assert.deepEqual(await links(), []);
    await sql`DELETE FROM status_links`;
    await refreshTrends(t.app);
    const left = await sql`SELECT id FROM trend_links`;
    assert.deepEqual(
      left.map((row) => row["id"]),
      [id],
    );
  });
});

describe("the work behind it", () => {
  it("a page takes a fixed number of queries", async () => {
    await setSetting(t.app, "trendable_by_default", true);
    await t.app.sql`UPDATE tags SET trendable = NULL`;
    for (const path of ["tags", "statuses"]) {
      const single = await t.countQueries(() => carol.get(`/api/v1/trends/${path}?limit=1`));
      const all = await t.countQueries(() => carol.get(`/api/v1/trends/${path}`));
      assert.ok(all.result.json.length > 1, path);
      assert.equal(all.queries, single.queries, path);
    }
  });
});
