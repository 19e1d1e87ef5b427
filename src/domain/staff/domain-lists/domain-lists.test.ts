// Lists of servers to block that others keep: mapped, looked at first, followed as they change, retracted, with
// exceptions, and without touching what moderators decided; and the files of blocks.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { readDomainCsv } from "../../base/blocklists/csv.ts";

let t: TestApp;
let owner: Person;
let plain: Person;
let ahead = 0;
/** What the list says: a status and a text by path. */
const pages = new Map<string, { status?: number; text: string; type?: string }>();
let requests = 0;
const keeper = createServer((request, response) => {
  requests += 1;
  const page = pages.get(request.url!);
  const etag = `"${page?.text.length}-${page?.text.slice(0, 5)}"`;
  if (page && request.headers["if-none-match"] === etag) return response.writeHead(304).end();
  response.writeHead(page ? (page.status ?? 200) : 404, {
    "content-type": page?.type ?? "text/csv",
    etag,
  });
  response.end(page?.text ?? "");
});
let base: string;

before(async () => {
  await new Promise<void>((resolve) => keeper.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}`;
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  const scopes = ["read", "write", "admin:read", "admin:write"];
  owner = await t.person("owner1", { role: "Owner", scopes });
  plain = await t.person("plain", { scopes });
});
after(async () => {
  keeper.close();
  await t.close();
});
beforeEach(async () => {
  pages.clear();
  await t.write`DELETE FROM domain_lists`;
  await t.write`DELETE FROM domain_blocks`;
  await t.write`DELETE FROM domain_list_exceptions`;
});

const blocks = async (): Promise<Record<string, string>> => {
  const rows = await t.app.sql<{ domain: string; severity: string }[]>`
    SELECT domain, severity FROM domain_blocks ORDER BY domain`;
  return Object.fromEntries(rows.map(({ domain, severity }) => [domain, severity]));
};
const subscribe = async (path: string, more: object = {}) => {
  const list = await owner
    .post("/api/v1/admin/domain_lists", { url: base + path, title: path, ...more })
    .ok();
  await t.runJobs();
  return list;
};
const later = async () => {
  ahead += 13 * 3_600_000;
  await t.app.jobs.add(t.app.sql, "domain_lists.due", {});
  await t.runJobs();
};
const HEAD = "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n";

describe("a list", () => {
  it("is looked at first, then blocks by its mapping, follows changes, and is retracted", async () => {
    pages.set("/a", {
      text: `${HEAD}bad.example,suspend,false,false,spam,false\nloud.example,silence,true,false,,false\nodd.example,noop,false,false,,false\nsub.bad.example,silence,false,false,,false\nnot a domain,suspend\n`,
    });
    const url = `${base}/a`;
    const dry = await owner
      .post("/api/v1/admin/domain_lists", {
        url,
        dry_run: true,
        severities: { suspend: "silence" },
      })
      .ok();
    assert.deepEqual(
      [dry.add_count, dry.covered, dry.add[0]],
      [2, 1, { domain: "bad.example", severity: "silence", lists: [new URL(url).host] }],
    );
    assert.deepEqual(
      [await blocks(), await owner.get("/api/v1/admin/domain_lists").ok()],
      [{}, []],
    );
    const list = await subscribe("/a");
    assert.deepEqual(await blocks(), { "bad.example": "suspend", "loud.example": "silence" });
    const [row] = await t.app.sql`SELECT * FROM domain_blocks WHERE domain = 'loud.example'`;
    assert.deepEqual([row!["reject_media"], row!["private_comment"]], [true, "From the list /a"]);
    // Not read again before its time, nor stored again where it is the same.
    const before = requests;
    await t.app.jobs.add(t.app.sql, "domain_lists.due", {});
    await t.runJobs();
    assert.equal(requests, before);
    await later();
    assert.equal(requests, before + 1);
    pages.set("/a", { text: "loud.example\nnew.example\n" });
    await later();
    assert.deepEqual(await blocks(), { "loud.example": "suspend", "new.example": "suspend" });
    const changes = await owner.get("/api/v1/admin/domain_lists/changes?since=2020-01-01").ok();
    assert.deepEqual(
      changes
        .slice(0, 3)
        .map((change: { domain: string; change: string }) => `${change.change} ${change.domain}`)
        .toSorted(),
      ["added new.example", "changed loud.example", "removed bad.example"],
    );
    await owner
      .put(`/api/v1/admin/domain_lists/${list.id}`, { severities: { suspend: "silence" } })
      .ok();
    await t.runJobs();
    assert.deepEqual(await blocks(), { "loud.example": "silence", "new.example": "silence" });
    await owner.delete(`/api/v1/admin/domain_lists/${list.id}`).ok();
    await t.runJobs();
    assert.deepEqual(await blocks(), {});
  });

  it("leaves what moderators decided, before and after it", async () => {
    await owner
      .post("/api/v1/admin/domain_blocks", { domain: "mine.example", severity: "silence" })
      .ok();
    pages.set("/a", { text: "mine.example\ntheirs.example\nother.example\n" });
    const list = await subscribe("/a");
    assert.deepEqual(await blocks(), {
      "mine.example": "silence",
      "other.example": "suspend",
      "theirs.example": "suspend",
    });
    const [block] = (await owner.get("/api/v1/admin/domain_blocks").ok()).filter(
      (entry: { domain: string }) => entry.domain === "theirs.example",
    );
    await owner.put(`/api/v1/admin/domain_blocks/${block.id}`, { severity: "noop" }).ok();
    await owner.post(`/api/v1/admin/domain_lists/${list.id}/sync`).ok();
    await t.runJobs();
    assert.equal((await blocks())["theirs.example"], "noop");
    await owner.delete(`/api/v1/admin/domain_lists/${list.id}`).ok();
    await t.runJobs();
    assert.deepEqual(await blocks(), { "mine.example": "silence", "theirs.example": "noop" });
  });

  it("of several the strictest counts; exceptions are blocked by none, nor from above", async () => {
    pages.set("/a", {
      text: `${HEAD}one.example,silence\ntwo.example,suspend\nfriend.example,suspend\n`,
    });
    pages.set("/b", { text: `${HEAD}one.example,suspend,true\nthree.example,suspend\n` });
    const [a] = [await subscribe("/a"), await subscribe("/b", { retract: false })];
    assert.equal((await blocks())["one.example"], "suspend");
    await owner
      .post("/api/v1/admin/domain_list_exceptions", { domain: "club.friend.example" })
      .ok();
    await owner.post("/api/v1/admin/domain_list_exceptions", { domain: "two.example" }).ok();
    await t.runJobs();
    assert.deepEqual(Object.keys(await blocks()), ["one.example", "three.example"]);
    assert.deepEqual(await owner.get("/api/v1/admin/domain_list_exceptions").ok(), [
      "club.friend.example",
      "two.example",
    ]);
    await owner.delete("/api/v1/admin/domain_list_exceptions", { domain: "two.example" }).ok();
    await t.runJobs();
    assert.ok("two.example" in (await blocks()));
    await owner.delete(`/api/v1/admin/domain_lists/${a.id}`).ok();
    // Of a list that does not retract what it blocked stays.
    pages.set("/b", { text: "four.example\n" });
    await later();
    assert.deepEqual(Object.keys(await blocks()), ["four.example", "one.example", "three.example"]);
  });

  it("that cannot be read, is a page, or has suddenly become short changes nothing and says why", async () => {
    const many = Array.from({ length: 60 }, (_, n) => `n${n}.example`).join("\n");
    pages.set("/a", { text: many });
    const { id } = await subscribe("/a");
    assert.equal(Object.keys(await blocks()).length, 60);
    const faulty = async (
      page: { status?: number; text: string; type?: string },
      reason: RegExp,
    ) => {
      pages.set("/a", page);
      await later();
      assert.match((await owner.get(`/api/v1/admin/domain_lists/${id}`).ok()).error, reason);
      assert.equal(Object.keys(await blocks()).length, 60);
    };
    await faulty({ text: "", status: 500 }, /responded with 500/);
    await faulty({ text: "<p>hello", type: "text/html" }, /not a list of domains/);
    await faulty({ text: "" }, /no domains/);
    const half = `${many}\n`.split("\n").slice(0, 40).join("\n") + "\nwhat is this?".repeat(10);
    await faulty({ text: half }, /10 lines of the list are no domains: nothing was changed/);
    await faulty({ text: "n1.example" }, /had 60 domains and has 1 now/);
    await owner.post(`/api/v1/admin/domain_lists/${id}/sync`).ok();
    await t.runJobs();
    assert.deepEqual(Object.keys(await blocks()), ["n1.example"]);
    assert.equal((await owner.get(`/api/v1/admin/domain_lists/${id}`).ok()).error, null);
    assert.equal(
      (await owner.post("/api/v1/admin/domain_lists", { url: "file:///etc/passwd" })).status,
      422,
    );
    assert.equal(
      (await owner.post("/api/v1/admin/domain_lists", { url: `${base}/a` })).status,
      422,
    );
    // A subscription is judged as it is when it is only tried.
    for (const dry_run of [true, false]) {
      const unread = { url: `${base}/none`, dry_run };
      const refused = await owner.post("/api/v1/admin/domain_lists", unread);
      assert.equal(refused.status, 422);
      assert.match(refused.json.error, /responded with 404/);
    }
  });

  it("and files are for those who may block servers alone", async () => {
    const rows: [string, string][] = [
      ["GET", "domain_lists"],
      ["POST", "domain_lists"],
      ["GET", "domain_lists/changes"],
      ["GET", "domain_lists/1"],
      ["DELETE", "domain_lists/1"],
      ["POST", "domain_lists/1/sync"],
      ["GET", "domain_list_exceptions"],
      ["POST", "domain_list_exceptions"],
      ["GET", "domain_blocks.csv"],
      ["POST", "domain_blocks/import"],
    ];
    for (const [method, path] of rows) {
      const json = method === "GET" ? undefined : { url: base, domain: "x.example" };
      assert.equal((await plain.send(method, `/api/v1/admin/${path}`, json)).status, 403, path);
    }
  });
});

describe("files of blocks", () => {
  const send = async (text: string, more: Record<string, string> = {}) => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries(more)) multipart.set(name, value);
    multipart.set("data", new Blob([text]), "blocks.csv");
    return owner.post("/api/v1/admin/domain_blocks/import", multipart).ok();
  };

  it("go round; a dry run changes nothing; others' severities are changed only where that is wanted", async () => {
    const text = `${HEAD}a.example,suspend,false,false,"well, no",false\nb.example,silence,true,true,,true\n`;
    assert.equal((await send(text, { dry_run: "true" })).added, 2);
    assert.deepEqual(await blocks(), {});
    assert.equal((await send(text)).added, 2);
    const file = await owner.get("/api/v1/admin/domain_blocks.csv");
    assert.deepEqual(
      readDomainCsv(file.text).entries.toSorted((x, y) => (x.domain < y.domain ? -1 : 1)),
      readDomainCsv(text).entries,
    );
    const other = text.replace("a.example,suspend", "a.example,silence");
    const kept = await send(other);
    assert.deepEqual([kept.left, kept.unchanged, kept.changed], [1, 1, 0]);
    assert.equal((await send(other, { overwrite: "true" })).changed, 1);
    assert.equal((await blocks())["a.example"], "silence");
  });

  it("are read with remarks, without headings, and once for each domain", () => {
    const { entries, refused } = readDomainCsv(
      "# a list\nX.example\nx.example\n#no.example\nbad domain\n",
    );
    assert.deepEqual(
      [entries.map(({ domain }) => domain), refused],
      [["x.example"], ["bad domain"]],
    );
  });
});
