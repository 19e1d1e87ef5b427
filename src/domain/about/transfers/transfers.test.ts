// What people take along and bring: the files as Mastodon writes them, imports with their progress and what failed, the
// pages and the API.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { parseCsv } from "../../../platform/text/csv.ts";
import { guessKind, MAX_LINES, readFileOf } from "./formats.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dora: Person;
let host: string;

before(async () => {
  t = await startTestApp();
  host = t.app.config.site.localDomain;
  [alice, bob, carol, dora] = [
    await t.person("alice"),
    await t.person("bob"),
    await t.person("carol"),
    await t.person("dora"),
  ];
});
after(() => t.close());

const exported = async (who: Person, name: string): Promise<string> => {
  const answer = await who.get(`/api/v1/exports/${name}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
};

const send = (who: Person, type: string, text: string | Buffer, mode = "merge", more = {}) => {
  const multipart = new FormData();
  multipart.set("type", type);
  multipart.set("mode", mode);
  for (const [name, value] of Object.entries(more)) multipart.set(name, String(value));
  multipart.set("data", new Blob([text as string]), `${type}.csv`);
  return who.post("/api/v1/imports", multipart);
};

const imported = async (who: Person, type: string, text: string | Buffer, mode = "merge") =>
  who.get(`/api/v1/imports/${(await send(who, type, text, mode).done()).id}`).ok();

const follows = async (who: Person): Promise<string[]> =>
  (await who.get(`/api/v1/accounts/${who.accountId}/following`).ok()).map(
    (account: { username: string }) => account.username,
  );

const entriesOf = (...file: Parameters<typeof readFileOf>) => readFileOf(...file).entries;

describe("files", () => {
  it("are read with and without headings, in any order of columns, quoted, with a BOM", () => {
    const headed =
      "\uFEFFAccount address,Show boosts,Notify on new posts,Languages\r\n" +
      '@a@x.example,false,true,"en, xx-nonsense, pt-BR"\r\nb@y.example,true,false,\r\n';
    assert.deepEqual(entriesOf("following", headed), [
      { acct: "a@x.example", reblogs: false, notify: true, languages: ["en", "pt-BR"] },
      { acct: "b@y.example", reblogs: true, notify: false, languages: null },
    ]);
    assert.deepEqual(entriesOf("following", "a@x.example\nb"), [
      { acct: "a@x.example" },
      { acct: "b" },
    ]);
    assert.deepEqual(
      entriesOf("mutes", "Hide notifications,Account address\nfalse,a@x.example\n"),
      [{ acct: "a@x.example", notifications: false }],
    );
    assert.deepEqual(entriesOf("mutes", "a@x.example\n"), [
      { acct: "a@x.example", notifications: true },
    ]);
    assert.deepEqual(entriesOf("lists", '"one, ""two""",a@x.example\n'), [
      { title: 'one, "two"', acct: "a@x.example" },
    ]);
    // An administrator's list of domains has more columns.
    assert.deepEqual(entriesOf("domain_blocks", "#domain,#severity\nx.example,suspend\n"), [
      { domain: "x.example" },
    ]);
  });

  it("that are empty, too long, of another kind or broken are refused with a sentence", () => {
    assert.throws(() => entriesOf("blocks", "\n\n"), /The file is empty/);
    assert.throws(() => entriesOf("blocks", "a\n".repeat(MAX_LINES + 1)), /more than 20,000 lines/);
    // Lines that say nothing count, too: they are not read on and on.
    assert.throws(() => entriesOf("lists", "a\n".repeat(MAX_LINES + 1)), /more than 20,000 lines/);
    assert.throws(
      () => entriesOf("bookmarks", "Account address\nx@y.example\n"),
      /contains something else/,
    );
    assert.deepEqual(entriesOf("following", '["https://a.test/b", "no", 1]'), [
      { acct: "https://a.test/b" },
    ]);
    assert.deepEqual(entriesOf("mutes", '{"muted":{"0":"https://a.test/b"},"blocked":[]}'), [
      { acct: "https://a.test/b", notifications: true },
    ]);
    assert.throws(() => entriesOf("lists", '["https://a.test/b"]'), /contains something else/);
    assert.throws(() => entriesOf("following", "{broken"), /The file is empty/);
    assert.equal(
      JSON.stringify(entriesOf("filters", '[{"title":"a\\u0000b"}]')).includes("u0000"),
      false,
    );
    assert.throws(() => entriesOf("filters", "a,b"), /isn’t JSON/);
    assert.throws(() => entriesOf("filters", "null"), /isn’t JSON/);
    assert.throws(() => entriesOf("filters", "{}"), /The file is empty/);
  });

  it("say by their name what they hold", () => {
    const names =
      "following_accounts follows blocked_accounts muted_accounts blocked_domains".split(" ");
    assert.deepEqual(
      [...names, "lists", "bookmarks", "custom_filters", "x"].map((name) =>
        guessKind(`${name}.csv`),
      ),
      [
        "following",
        "following",
        "blocks",
        "mutes",
        "domain_blocks",
        "lists",
        "bookmarks",
        "filters",
        null,
      ],
    );
  });
});

describe("over the API", () => {
  it("follows: merged with their options, exported as Mastodon writes them, and overwritten", async () => {
    const file =
      "Account address,Show boosts,Notify on new posts,Languages,Show replies,Posts a day\n" +
      `bob@${host},false,true,"de, en",false,5\ncarol@${host},true,false,,true,\n`;
    const row = await imported(alice, "following", file);
    assert.deepEqual(
      [row.state, row.total, row.imported, row.failed, row.error],
      ["done", 2, 2, 0, null],
    );
    const lines = parseCsv(await exported(alice, "following.csv"));
    assert.deepEqual(lines[0], [
      "Account address",
      "Show boosts",
      "Notify on new posts",
      "Languages",
      "Show replies",
      "Posts a day",
    ]);
    assert.deepEqual(lines.slice(1).toSorted(), [
      [`bob@${host}`, "false", "true", "de, en", "false", "5"],
      [`carol@${host}`, "true", "false", "", "true", ""],
    ]);
    assert.equal(await exported(bob, "followers.csv"), `alice@${host}\n`);
    const over = await imported(alice, "following", `dora@${host}\nbob\n`, "overwrite");
    assert.deepEqual([over.state, over.imported, over.removed], ["done", 2, 1]);
    assert.deepEqual((await follows(alice)).toSorted(), ["bob", "dora"]);
    // What the file does not say stays.
    const [bobs] = parseCsv(await exported(alice, "following.csv")).filter(([acct]) =>
      acct!.startsWith("bob@"),
    );
    assert.deepEqual(bobs, [`bob@${host}`, "false", "true", "de, en", "false", "5"]);
  });

  it("blocks, mutes and domains go round", async () => {
    await imported(bob, "blocks", `dora@${host}\n`);
    await imported(bob, "mutes", `Account address,Hide notifications\ncarol@${host},false\n`);
    await imported(bob, "domain_blocks", "HTTPS://Bad.Example/\nworse.example\n");
    assert.equal(await exported(bob, "blocks.csv"), `dora@${host}\n`);
    assert.equal(
      await exported(bob, "mutes.csv"),
      `Account address,Hide notifications,Ends at\ncarol@${host},false,\n`,
    );
    const domains = async () =>
      parseCsv(await exported(bob, "domain_blocks.csv"))
        .flat()
        .toSorted();
    assert.deepEqual(await domains(), ["bad.example", "worse.example"]);
    const over = await imported(bob, "domain_blocks", "worse.example\nother.example", "overwrite");
    assert.equal(over.removed, 1);
    assert.deepEqual(await domains(), ["other.example", "worse.example"]);
    assert.equal((await imported(bob, "blocks", `carol@${host}`, "overwrite")).removed, 1);
    assert.equal(await exported(bob, "blocks.csv"), `carol@${host}\n`);
    assert.equal((await imported(bob, "blocks", `dora@${host}`, "overwrite")).removed, 1);
  });

  it("mutes of one's own account and of nobody here fail at once with the reason, the rest is imported", async () => {
    const file =
      "Account address,Hide notifications\n" +
      `dora@${host},true\nnobody@${host},true\nalice@${host},false\nbob@${host},true\n`;
    const row = await imported(dora, "mutes", file);
    assert.deepEqual([row.state, row.imported, row.failed], ["done", 2, 2]);
    const path = `/api/v1/imports/${row.id}/failures`;
    const failures = await dora.get(path);
    assert.deepEqual(
      parseCsv(failures.text)
        .slice(1)
        .map((cells) => [cells[0], cells.at(-1)]),
      [
        [`dora@${host}`, "You can’t mute yourself."],
        [`nobody@${host}`, "This account doesn’t exist on this server."],
      ],
    );
    const browser = openBrowser(t);
    await browser.signIn("dora");
    const { text } = await browser.get(`/settings/import/${row.id}`);
    assert.match(text, /dora@[^<]*<\/[^>]+>\s*<[^>]+>You can’t mute yourself./);
    await t.write`UPDATE users SET locale = 'de' WHERE id = ${dora.userId}`;
    const inGerman = "Dieses Konto gibt es auf diesem Server nicht.";
    assert.ok((await browser.get(`/settings/import/${row.id}`)).text.includes(inGerman));
    assert.ok((await browser.get(`/settings/import/${row.id}/failures`)).text.includes(inGerman));
    await t.write`UPDATE users SET locale = 'en' WHERE id = ${dora.userId}`;
    await dora.post(`/api/v1/accounts/${alice.accountId}/unmute`).ok();
    await dora.post(`/api/v1/accounts/${bob.accountId}/unmute`).ok();
  });

  it("lists are made, their members followed; members that the file has not are removed", async () => {
    const row = await imported(
      carol,
      "lists",
      `Friends,bob@${host}\nFriends,dora@${host}\n"a, b",dora@${host}\n`,
    );
    assert.deepEqual([row.imported, row.failed], [3, 0]);
    assert.deepEqual((await follows(carol)).toSorted(), ["bob", "dora"]);
    assert.deepEqual(parseCsv(await exported(carol, "lists.csv")).toSorted(), [
      ["Friends", `bob@${host}`],
      ["Friends", `dora@${host}`],
      ["a, b", `dora@${host}`],
    ]);
    const over = await imported(carol, "lists", `Friends,bob@${host}\n`, "overwrite");
    assert.equal(over.removed, 2);
    assert.equal(await exported(carol, "lists.csv"), `Friends,bob@${host}\n`);
  });

  it("bookmarks by their addresses: only of posts that the person may see", async () => {
    const post = async (visibility: string) =>
      (await bob.post("/api/v1/statuses", { status: "for the shelf", visibility }).ok()).uri;
    const [open, closed] = [await post("public"), await post("direct")];
    await t.runJobs();
    const row = await imported(alice, "bookmarks", `${open}\n${closed}\n`);
    assert.deepEqual([row.state, row.imported, row.failed], ["done", 1, 1]);
    assert.equal(await exported(alice, "bookmarks.csv"), `${open}\n`);
  });

  it("filters in Mastodon's JSON, added to those of the same title", async () => {
    const filter = {
      title: "Sport",
      expire_at: null,
      context: ["home", "unknown"],
      action: "hide",
      keywords_attributes: [{ keyword: "ball", whole_word: false }],
      statuses: [],
    };
    const file = (keyword: string) =>
      JSON.stringify({
        custom_filters: [
          {
            ...filter,
            keywords_attributes: [...filter.keywords_attributes, { keyword, whole_word: true }],
          },
          { title: "" },
        ],
      });
    const row = await imported(dora, "filters", file("goal"));
    assert.deepEqual([row.imported, row.failed], [1, 1]);
    await imported(dora, "filters", file("score"));
    const { custom_filters: filters } = JSON.parse(await exported(dora, "custom_filters.json"));
    assert.equal(filters.length, 1);
    assert.deepEqual(
      {
        ...filters[0],
        keywords_attributes: filters[0].keywords_attributes.map(
          (keyword: { keyword: string }) => keyword.keyword,
        ),
      },
      { ...filter, context: ["home"], keywords_attributes: ["ball", "goal", "score"] },
    );
  });

  it("notes about accounts and followed hashtags go round, and are removed where the file has them not", async () => {
    const notes = `Account address,Note\nalice@${host},"met, in Graz"\nbob@${host},tall\n`;
    const tags = "#Gardening\nno tag\nbirds\n";
    const row = await imported(dora, "account_notes", notes);
    assert.deepEqual([row.imported, row.failed], [2, 0]);
    const [relation] = await dora.get(`/api/v1/accounts/relationships?id=${alice.accountId}`).ok();
    assert.equal(relation.note, "met, in Graz");
    const followed = await imported(dora, "followed_tags", tags);
    assert.deepEqual([followed.imported, followed.failed], [2, 1]);
    const followedTags = async () =>
      parseCsv(await exported(dora, "followed_tags.csv"))
        .flat()
        .toSorted();
    assert.deepEqual(await followedTags(), ["Gardening", "birds"]);
    await imported(dora, "followed_tags", "BIRDS\nmoss\n", "overwrite");
    await imported(dora, "account_notes", `bob@${host},taller\n`, "overwrite");
    const searches = await imported(
      dora,
      "saved_searches",
      `#search\nmoss\n"""wet fern"""\n${"x".repeat(501)}\n`,
    );
    assert.deepEqual([searches.imported, searches.failed], [2, 1]);
    await imported(dora, "saved_searches", "fern\nmoss\n", "overwrite");
    assert.equal(await exported(dora, "saved_searches.csv"), "fern\nmoss\n");
    await imported(dora, "muted_tags", "#Rain\nwind\n");
    await imported(dora, "muted_tags", "wind\nsnow\n", "overwrite");
    assert.equal(await exported(dora, "muted_tags.csv"), "snow\nwind\n");
    assert.deepEqual(await followedTags(), ["birds", "moss"]);
    assert.equal(
      await exported(dora, "account_notes.csv"),
      `Account address,Note\nbob@${host},taller\n`,
    );
    const long = await imported(dora, "account_notes", `alice@${host},${"x".repeat(2001)}\n`);
    assert.deepEqual([long.imported, long.failed], [0, 1]);
  });

  it("what is not found is asked for again, then failed, and can be downloaded and imported again", async () => {
    const row = await imported(
      alice,
      "following",
      `nobody@127.0.0.1:9\nalice@${host}\ncarol@${host}\n`,
    );
    assert.deepEqual([row.state, row.imported, row.failed], ["running", 1, 1]);
    for (let n = 0; n < 3; n += 1) {
      await t.write`UPDATE import_rows SET due_at = now() - interval '1 minute' WHERE state = 'waiting'`;
      await t.write`
        SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
        FROM graphile_worker.jobs WHERE task_identifier = 'import.due'`;
      await t.runJobs();
    }
    const after = await alice.get(`/api/v1/imports/${row.id}`).ok();
    assert.deepEqual([after.state, after.imported, after.failed], ["done", 1, 2]);
    const failures = await alice.get(`/api/v1/imports/${row.id}/failures`);
    assert.match(failures.headers.get("content-disposition")!, /following_accounts_failures\.csv/);
    const lines = parseCsv(failures.text);
    assert.deepEqual(lines[0]!.at(-1), "Reason");
    assert.deepEqual(
      lines.slice(1).map((cells) => cells[0]),
      ["nobody@127.0.0.1:9", `alice@${host}`],
    );
    assert.match(lines[1]!.at(-1)!, /account doesn’t exist/);
    assert.match(lines[2]!.at(-1)!, /follow yourself/);
    assert.equal(entriesOf("following", failures.text).length, 2);
    const left = await t.app.sql`SELECT FROM import_rows WHERE import_id = ${row.id}`;
    assert.equal(left.length, 2);
  });

  it("spreadsheets of Europe, tabs, UTF-16 and CR replace by what they say", async () => {
    const eve = await t.person("eve");
    const rows = [
      ["Account address", "Show boosts"],
      [`bob@${host}`, "true"],
      [`carol@${host}`, "false"],
    ];
    const written = (separator: string, end: string) =>
      rows.map((row) => row.join(separator) + end).join("");
    const files = {
      semicolons: Buffer.from(written(";", "\r\n")),
      tabs: Buffer.from(written("\t", "\n")),
      "UTF-16": Buffer.from(`\ufeff${written("\t", "\r\n")}`, "utf16le"),
      "UTF-16, the other way": Buffer.from(`\ufeff${written(";", "\r\n")}`, "utf16le").swap16(),
      CR: Buffer.from(written(",", "\r")),
    };
    for (const [name, file] of Object.entries(files)) {
      await imported(eve, "following", `dora@${host}\n`, "merge");
      const row = await imported(eve, "following", file, "overwrite");
      assert.deepEqual([row.imported, row.failed, row.removed], [2, 0, 1], name);
      assert.deepEqual((await follows(eve)).toSorted(), ["bob", "carol"], name);
    }
  });

  it("what cannot be read is refused, and nothing is removed for it", async () => {
    const frank = await t.person("frank");
    const kept = {
      following: `bob@${host}\ncarol@${host}\n`,
      blocks: `dora@${host}\n`,
      mutes: `carol@${host}\n`,
      domain_blocks: "bad.example\n",
      lists: `friends,bob@${host}\n`,
      followed_tags: "birds\n",
      muted_tags: "spiders\n",
      account_notes: `Account address,Note\nbob@${host},a friend\n`,
    };
    const page =
      "<!DOCTYPE html>\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n" +
      "<center><h1>502, sorry</h1></center>\n<hr><center>nginx/1.24, here</center>\n</body></html>\n";
    const totals = () => frank.get("/api/v1/exports/stats").ok();
    for (const [kind, file] of Object.entries(kept)) await imported(frank, kind, file);
    const before = await totals();
    for (const kind of Object.keys(kept)) {
      for (const mode of ["overwrite", "merge"]) {
        const answer = await send(frank, kind, page, mode);
        assert.equal(answer.status, 422, `${kind}: ${answer.text}`);
      }
    }
    // Handles are no domains: each would block a whole server.
    assert.equal((await send(frank, "domain_blocks", `bob@${host}\nx@y.example\n`)).status, 422);
    // Two of ten lines are none.
    const some = `bob@${host}\n`.repeat(8) + "<p>\n".repeat(2);
    assert.equal((await send(frank, "following", some, "overwrite")).status, 422);
    assert.deepEqual(await totals(), before);
  });

  it("pictures and lists of another kind are refused, and nothing is removed for them", async () => {
    const paula = await t.person("paula");
    await imported(paula, "following", `bob@${host}\ncarol@${host}\n`);
    await imported(paula, "saved_searches", "moss\n");
    const before = await paula.get("/api/v1/exports/stats").ok();
    const refused = async (kind: string, file: string | Buffer) => {
      const answer = await send(paula, kind, file, "overwrite");
      assert.equal(answer.status, 422, `${kind}: ${answer.text}`);
    };
    // Three lines, as those of a small picture are.
    const picture = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\x08\x02&\x93", "latin1");
    for (const kind of ["following", "blocks", "mutes", "saved_searches", "followed_tags"]) {
      await refused(kind, picture);
    }
    // The first cell alone could be somebody here, or what is looked for.
    const lists = `friends,bob@${host}\nfriends,carol@${host}\n`;
    for (const kind of ["following", "blocks", "mutes", "saved_searches"]) {
      await refused(kind, lists);
    }
    // Not that there is nothing in it.
    assert.match((await send(paula, "saved_searches", lists)).json.error, /^Most lines/);
    const muted = `Account address,Hide notifications\nbob@${host},true\n`;
    for (const kind of ["following", "blocks", "account_notes"]) await refused(kind, muted);
    await refused("following", "bad.example\nworse.example\n");
    const posts = "https://a.example/users/x/statuses/1\nhttps://b.example/@y/2\n";
    for (const kind of ["following", "blocks", "mutes"]) {
      await refused(kind, posts);
      assert.match((await send(paula, kind, posts)).json.error, /^Most lines/);
    }
    assert.deepEqual(await paula.get("/api/v1/exports/stats").ok(), before);
  });

  it("nothing is removed where more than a tenth of the lines failed, nor what a line names", async () => {
    const gina = await t.person("gina");
    await imported(gina, "following", `bob@${host}\ncarol@${host}\n`);
    const row = await imported(gina, "following", `bob@${host}\nnobody@${host}\n`, "overwrite");
    assert.deepEqual([row.state, row.imported, row.failed, row.removed], ["done", 1, 1, 0]);
    assert.match(row.error, /nothing was removed/);
    assert.deepEqual((await follows(gina)).toSorted(), ["bob", "carol"]);
    // Of ten one fails: it names somebody who is muted.
    const nine = Array.from({ length: 9 }, () => `dora@${host},true,\n`).join("");
    await imported(gina, "mutes", `carol@${host}\nbob@${host}\n`);
    const file = `Account address,Hide notifications,Ends at\n${nine}carol@${host},true,2001-01-01T00:00:00Z\n`;
    const over = await imported(gina, "mutes", file, "overwrite");
    assert.deepEqual([over.failed, over.removed, over.error], [1, 1, null]);
    const muted = (await exported(gina, "mutes.csv"))
      .split("\n")
      .filter((line) => line.includes("@"));
    assert.deepEqual(muted.map((line) => line.split("@")[0]).toSorted(), ["carol", "dora"]);
  });

  it("one that is not started says what it would remove", async () => {
    const hanna = await t.person("hanna");
    await imported(hanna, "following", `bob@${host}\ncarol@${host}\ndora@${host}\n`);
    const file = `BOB@${host}\nalice\n`;
    const answer = await send(hanna, "following", file, "overwrite", { start: false }).done();
    const row = await hanna.get(`/api/v1/imports/${answer.id}`).ok();
    assert.equal(row.state, "new");
    const { count, names } = row.would_remove;
    assert.deepEqual([count, names.toSorted()], [2, [`carol@${host}`, `dora@${host}`]]);
    assert.equal((await follows(hanna)).length, 3);
    await hanna.post(`/api/v1/imports/${answer.id}/start`).ok();
    await t.runJobs();
    const done = await hanna.get(`/api/v1/imports/${answer.id}`).ok();
    assert.deepEqual([done.state, done.removed, done.would_remove], ["done", 2, null]);
    assert.deepEqual((await follows(hanna)).toSorted(), ["alice", "bob"]);
  });

  it("another person's import is missing; too many at once and nonsense are refused", async () => {
    const row = await imported(alice, "blocks", "nobody@127.0.0.1:9\n");
    for (const path of ["", "/failures"]) {
      const answer = await bob.get(`/api/v1/imports/${row.id}${path}`);
      assert.equal(answer.status, 404);
    }
    const gone = await bob.delete(`/api/v1/imports/${row.id}`);
    assert.equal(gone.status, 404);
    assert.equal((await send(alice, "nonsense", "x")).status, 422);
    assert.equal((await send(alice, "blocks", "")).status, 422);
    const none = await alice.post("/api/v1/imports", { type: "blocks", data: "x" });
    assert.equal(none.status, 422);
    const reader = await t.token(alice.userId, ["read", "write:follows"]);
    assert.equal((await send({ ...alice, token: reader }, "blocks", "x")).status, 403);
    for (let n = 0; n < 9; n += 1)
      assert.equal((await send(alice, "blocks", `no${n}@127.0.0.1:9`)).status, 200);
    const over = await send(alice, "blocks", `bob@${host}`);
    assert.match(over.json.error, /10 unfinished imports/);
    await t.write`DELETE FROM imports`;
  });
});

describe("on the pages", () => {
  const upload = async (
    browser: Browser,
    name: string,
    text: string,
    form: Record<string, string>,
  ) => {
    const page = await browser.get("/settings/import");
    const multipart = new FormData();
    const fields = { ...hiddenFields(page.text, "/settings/import"), ...form };
    for (const [field, value] of Object.entries(fields)) multipart.set(field, value);
    multipart.set("file", new Blob([text]), name);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    return t.visitor.post("/settings/import", multipart, { cookie });
  };

  it("a file is looked at, then started; its progress and end are shown", async () => {
    const browser = openBrowser(t);
    await browser.signIn("carol");
    await imported(carol, "blocks", `bob@${host}\n`);
    const wrong = await upload(browser, "x.csv", "bob", { kind: "", mode: "merge" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /doesn’t show what it contains/);
    const answer = await upload(browser, "blocked_accounts.csv", `dora@${host}\nalice@${host}`, {
      kind: "",
      mode: "overwrite",
    });
    assert.equal(answer.status, 302, answer.text);
    const path = answer.headers.get("location")!;
    await t.runJobs();
    const page = await browser.get(path);
    assert.match(page.text, /Ready to start/);
    assert.match(page.text, /will be removed at the end:\s+1/);
    assert.match(page.text, new RegExp(`<code>bob@${host}</code>`));
    assert.match(page.text, /<div class="buttons">[^]*\/start"[^]*\/cancel"[^]*<\/div>/);
    assert.equal(await exported(carol, "blocks.csv"), `bob@${host}\n`);
    await browser.submit(page, `${path}/start`, {});
    await t.runJobs();
    const done = await browser.get(path);
    assert.match(done.text, /2\s+imported\s+·\s+1\s+removed/);
    assert.equal(done.headers.get("refresh"), null);
    assert.match((await browser.get("/settings/import")).text, /Finished:\s+2 of\s+2/);
    const other = openBrowser(t);
    await other.signIn("bob");
    assert.equal((await other.get(path)).status, 404);
    assert.equal((await other.get(`${path}/failures`)).status, 404);
  });

  it("the files can be downloaded, with what there is of each", async () => {
    const browser = openBrowser(t);
    await browser.signIn("carol");
    const page = await browser.get("/settings/export");
    const links = [...page.text.matchAll(/href="(\/settings\/exports\/[^"]+)"/g)].map(
      ([, path]) => path!,
    );
    assert.equal(links.length, 12);
    for (const path of links) {
      const { status, headers } = await browser.get(path);
      assert.equal(status, 200, path);
      assert.match(headers.get("content-disposition")!, /^attachment; filename="/);
    }
    const [stats, blocks] = [
      await carol.get("/api/v1/exports/stats").ok(),
      await browser.get("/settings/exports/blocks.csv"),
    ];
    assert.equal(stats.blocks, 2);
    assert.deepEqual(parseCsv(blocks.text).flat().toSorted(), [`alice@${host}`, `dora@${host}`]);
  });
});
