// Commands of upkeep, run as on the command line but in this process, on the database of a running server.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, mock, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import { enterCommandLine } from "../../../../test/command-line.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { rebuildAllIndexes } from "./queries.ts";
import { run } from "../../../../src/cli/run.ts";

let server: TestApp;
let peer: Awaited<ReturnType<typeof startPeer>>;
let alice: Person;
let bob: Person;
let carol: Person;
let leaveCommandLine: () => void;

before(async () => {
  server = await startTestApp();
  peer = await startPeer();
  [alice, bob, carol] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
  ];
  leaveCommandLine = enterCommandLine(server);
});
after(async () => {
  leaveCommandLine();
  await peer.close();
  await server.close();
});
afterEach(() => mock.restoreAll());

/** What a command prints, and its exit code. */
const rookery = async (...words: string[]): Promise<{ out: string; err: string; code: number }> => {
  const lines = { out: [] as string[], err: [] as string[] };
  mock.method(console, "log", (text: string) => lines.out.push(text));
  mock.method(console, "error", (text: string) => lines.err.push(text));
  process.exitCode = 0;
  await run(["node", "rookery", ...words]);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  mock.restoreAll();
  await server.runJobs();
  // Until the server has heard what the command invalidated.
  await server.fixture(async () => undefined);
  return { out: lines.out.join("\n"), err: lines.err.join("\n"), code };
};

const json = async (...words: string[]): Promise<any> =>
  JSON.parse((await rookery(...words, "--json")).out);

/** Whether an account is there; the row of a local one that was deleted keeps its name. */
const isThere = async (name: string): Promise<boolean> => {
  const [username, domain = null] = name.split("@") as [string, string?];
  const rows = await server.app.sql`
    SELECT FROM accounts
    WHERE username = ${username} AND domain IS NOT DISTINCT FROM ${domain} AND suspended_at IS NULL
  `;
  return rows.length === 1;
};

const follows = async (who: Person): Promise<string[]> => {
  const path = `/api/v1/accounts/${who.accountId}/following`;
  const { json: list } = await who.get(path);
  return list.map(({ acct }: { acct: string }) => acct);
};

test("everybody follows an account, and nobody any more; a dry run changes nothing", async () => {
  assert.deepEqual((await json("accounts", "follow", "alice", "--dry-run")).count, 3);
  assert.deepEqual(await follows(bob), []);
  const { done, looked, count } = await json("accounts", "follow", "alice");
  assert.deepEqual([done.sort(), looked, count], [["@bob", "@carol"], 3, 2]);
  assert.deepEqual([await follows(bob), await follows(carol)], [["alice"], ["alice"]]);
  assert.match((await rookery("accounts", "unfollow", "alice")).out, /do not follow it, 0 failed$/);
  assert.deepEqual(await follows(bob), []);
});

test("new keys replace the old ones", async () => {
  const key = async () =>
    (await server.visitor.get("/users/bob", { accept: "application/activity+json" })).json.publicKey
      .publicKeyPem;
  const before = await key();
  assert.equal((await json("accounts", "rotate", "bob")).count, 1);
  assert.notEqual(await key(), before);
  const { err, code } = await rookery("accounts", "rotate");
  assert.deepEqual([err, code], ["rookery: Name accounts, or pass --all.", 1]);
});

test("an email address is changed", async () => {
  await rookery("accounts", "modify", "bob", "--email", "new@example.com");
  const [row] = await server.app.sql`SELECT email FROM users WHERE id = ${bob.userId}`;
  assert.equal(row!.email, "new@example.com");
  const { code, err } = await rookery("accounts", "modify", "bob", "--email", "carol@example.com");
  assert.equal(code, 1);
  assert.match(err, /taken/);
});

test("remote accounts are fetched again; those that are gone are culled; a domain is purged", async () => {
  const { host } = peer;
  const [first, second] = [peer.actor("stays"), peer.actor("leaves")];
  for (const { uri } of [first, second]) assert.ok(await server.app.remote.address(uri));
  first.document["name"] = "New name";
  assert.deepEqual((await json("accounts", "refresh", "--domain", host)).count, 2);
  const seen = await alice.get(`/api/v1/accounts/lookup?acct=stays@${host}`);
  assert.equal(seen.json.display_name, "New name");
  peer.documents.set(new URL(second.uri).pathname, 410);
  const { failed, done } = await json("accounts", "refresh", "--domain", host);
  assert.deepEqual([done, failed.length], [[`@stays@${host}`], 1]);
  assert.deepEqual((await json("accounts", "cull", "--dry-run")).done, [`@leaves@${host}`]);
  assert.ok(await isThere(`leaves@${host}`));
  assert.deepEqual((await json("accounts", "cull")).done, [`@leaves@${host}`]);
  assert.ok(!(await isThere(`leaves@${host}`)));
  assert.equal((await json("domains", "purge", host)).count, 1);
  assert.match((await rookery("audit", "list")).out, new RegExp(`domain\\.purge.*${host}`));
  assert.ok(!(await isThere(`stays@${host}`)));
});

test("posts, previews and the search index", async () => {
  await carol.patch("/api/v1/accounts/update_credentials", { indexable: true });
  await carol.post("/api/v1/statuses", { status: "a lighthouse" });
  await server.runJobs();
  await server.write`DELETE FROM status_search`;
  const relation = async () =>
    (await alice.get("/api/v2/search?q=lighthouse&type=statuses")).json.statuses.length;
  assert.equal(await relation(), 0);
  assert.match(
    (await rookery("search", "reindex")).out,
    /^The posts of 1 accounts are in the index\.$/,
  );
  assert.equal(await relation(), 1);
  assert.equal((await rookery("preview-cards", "remove")).out, "0 preview cards deleted");
});

/** A post of another server's actor from so many days ago, as it is stored; returns its id. */
const oldPost = async (actorUri: string, days: number): Promise<string> => {
  const [row] = await server.write<{ id: string }[]>`
    INSERT INTO statuses (id, account_id, uri, url, content, local, visibility, awaits_approval, created_at)
    SELECT ((extract(epoch FROM now()) - ${days} * 86400) * 1000)::bigint << 16, id,
      ${actorUri} || '/old', '', 'old', false, 'public', false, now() - ${days} * interval '1 day'
    FROM accounts WHERE uri = ${actorUri} RETURNING id
  `;
  return row!.id;
};

test("old posts of other servers and accounts that nobody knows are counted first, then deleted", async () => {
  const { host } = peer;
  const [loud, unknown, followed] = [
    peer.actor("loud"),
    peer.actor("unknown"),
    peer.actor("followed"),
  ];
  for (const { uri } of [loud, unknown, followed]) assert.ok(await server.app.remote.address(uri));
  await oldPost(loud.uri, 20);
  await server.write`
    INSERT INTO follows (id, account_id, target_account_id)
    SELECT 1, ${alice.accountId}, id FROM accounts WHERE uri = ${followed.uri}
  `;
  assert.equal((await json("accounts", "prune")).count, 0, "they are new");
  assert.equal((await json("accounts", "prune", "--days", "0", "--dry-run")).count, 1);
  assert.deepEqual(await json("statuses", "remove", "--days", "30"), { dry_run: false, count: 0 });
  const dry = await rookery("statuses", "remove", "--days", "10", "--dry-run");
  assert.equal(dry.out, "Dry run: 1 posts would be deleted");
  assert.equal((await json("statuses", "remove", "--days", "10")).count, 1);
  assert.ok(await isThere(`unknown@${host}`));
  assert.equal((await rookery("accounts", "prune", "--days", "0")).out, "2 accounts deleted");
  for (const [name, there] of [
    ["loud", false],
    ["unknown", false],
    ["followed", true],
  ] as const) {
    assert.equal(await isThere(`${name}@${host}`), there, name);
  }
});

test("counts that are wrong are counted again, and shown at once", async () => {
  await json("cache", "recount", "accounts");
  await server.write`UPDATE account_stats SET statuses_count = 77 WHERE account_id = ${carol.accountId}`;
  const shown = async () =>
    (await server.visitor.get(`/api/v1/accounts/${carol.accountId}`)).json.statuses_count;
  await rookery("cache", "clear");
  assert.equal(await shown(), 77);
  const dry = { dry_run: true, count: 1 };
  assert.deepEqual(await json("cache", "recount", "accounts", "--dry-run"), dry);
  assert.equal(await shown(), 77);
  assert.equal((await json("cache", "recount", "accounts")).count, 1);
  assert.equal(await shown(), 1);
  assert.equal((await json("cache", "recount", "accounts")).count, 0);
  await server.write`UPDATE status_stats SET replies_count = 5, favourites_count = 6`;
  assert.equal((await json("cache", "recount", "statuses")).count, 1);
  const [post] = await server.app.sql`SELECT replies_count, favourites_count FROM status_stats`;
  assert.deepEqual({ ...post }, { replies_count: "0", favourites_count: "0" });
  assert.equal((await rookery("cache", "recount", "sheep")).code, 1);
});

test("feeds are emptied and filled by the server", async () => {
  const home = () => carol.get("/api/v1/timelines/home");
  assert.equal((await home()).json.length, 1);
  // What is in the feed and not in the database goes, and what is missing comes.
  const [key] = [`home:${carol.accountId}`];
  const page = { maxId: null, sinceId: null, minId: null, limit: 20 };
  await rookery("feeds", "clear", "--all", "--dry-run");
  assert.equal((await server.app.feeds.page(key, page))?.length, 1);
  assert.equal((await json("feeds", "clear", "carol")).count, 1);
  assert.equal(await server.app.feeds.page(key, page), null);
  assert.equal((await json("feeds", "build", "--all")).count, 3);
  assert.equal((await server.app.feeds.page(key, page))?.length, 1);
  assert.equal((await rookery("feeds", "build")).code, 1);
});

test("servers are asked for others, those that are blocked are not", async () => {
  const { host } = peer;
  peer.documents.set("/api/v1/instance", { stats: { user_count: 12, status_count: 345 } });
  const names = ["blocked.example", "not a name!", 5, host];
  peer.pages.set("/api/v1/instance/peers", { body: JSON.stringify(names) });
  await rookery("domain-blocks", "add", "blocked.example");
  const { servers, ...counts } = await json("domains", "crawl", host);
  assert.deepEqual(servers, [{ domain: host, users: 12, posts: 345, peers: 2 }]);
  assert.deepEqual(counts, { visited: 1, answered: 1, known: 2 });
  await rookery("domain-blocks", "remove", "blocked.example");
  assert.equal((await rookery("domains", "crawl", "no domain")).code, 1);
});

test("an import of blocks with a line that is none exits with 1, and imports the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-blocks-"));
  const file = join(folder, "blocks.csv");
  writeFileSync(file, "#domain,#severity\nworst.example,suspend\nno domain!,suspend\n");
  const dry = await rookery("domain-blocks", "import", file, "--dry-run");
  assert.match(dry.out, /Dry run: 1 would be added, 0 changed/);
  const { out, code } = await rookery("domain-blocks", "import", file);
  assert.match(out, /\+ worst\.example[^]*! no domain!/);
  assert.equal(code, 1);
  assert.equal((await rookery("domain-blocks", "import", file, "--dry-run", "--json")).code, 1);
  writeFileSync(file, "#domain,#severity\nworst.example,suspend\n");
  assert.equal((await rookery("domain-blocks", "import", file)).code, 0);
  rmSync(folder, { recursive: true });
  await rookery("domain-blocks", "remove", "worst.example");
});

test("unfinished indexes are made again", async () => {
  assert.deepEqual(await json("maintenance"), { dry_run: false, tasks: [] });
  const { sql } = server.app;
  await sql`CREATE TABLE numbers AS SELECT 1 AS n FROM generate_series(1, 2)`;
  await assert.rejects(sql`CREATE UNIQUE INDEX CONCURRENTLY numbers_n ON numbers (n)`);
  await sql`TRUNCATE numbers`;
  const { tasks } = await json("maintenance", "--dry-run");
  assert.deepEqual(tasks, [
    { what: "make an index again that was left unfinished", name: "numbers_n" },
  ]);
  assert.match((await rookery("maintenance", "--dry-run")).out, /1 things would be put right$/);
  assert.equal((await json("maintenance")).tasks.length, 1);
  assert.deepEqual((await json("maintenance")).tasks, []);
  // What an update of the system's libraries makes necessary, and a test may not feign.
  await rebuildAllIndexes(sql);
  await sql`DROP TABLE numbers`;
});

test("sign-ups that wait are approved, the oldest first", async () => {
  for (const name of ["dora", "emil", "fred"]) await server.person(name);
  await server.write`UPDATE users SET approved = false WHERE account_id IN (
    SELECT id FROM accounts WHERE username IN ('dora', 'emil', 'fred') AND domain IS NULL)`;
  assert.deepEqual((await json("accounts", "approve", "--number", "1", "--dry-run")).done, [
    "@dora",
  ]);
  assert.deepEqual((await json("accounts", "approve", "--number", "1")).done, ["@dora"]);
  assert.deepEqual((await json("accounts", "approve", "emil")).done, ["@emil"]);
  const again = await rookery("accounts", "approve", "emil", "fred");
  assert.deepEqual([again.code, again.out], [1, "@fred\n1 of 2 approved, 1 failed"]);
  assert.equal(again.err, "@emil: @emil does not wait for approval.");
  assert.equal((await rookery("accounts", "approve")).code, 1);
  await rookery("accounts", "delete", "dora", "emil", "fred");
});

test("addresses and networks", async () => {
  assert.equal((await rookery("canonical-email-blocks", "find", "a.b@example.com")).code, 1);
  await rookery("canonical-email-blocks", "add", "ab@example.com");
  assert.ok((await json("canonical-email-blocks", "find", "A.B+c@example.com")).id);
  await rookery("canonical-email-blocks", "remove", "ab@example.com");
  assert.equal(await json("canonical-email-blocks", "find", "ab@example.com"), null);
  await rookery("ip-blocks", "add", "192.0.2.0/24", "--severity", "no_access");
  await rookery("ip-blocks", "add", "192.0.3.0/24", "--severity", "sign_up_block");
  const file = join(server.app.config.dataDir, "blocked.conf");
  await rookery("ip-blocks", "export", file, "--format", "nginx");
  assert.equal(await readFile(file, "utf8"), "deny 192.0.2.0/24;\n");
});

test("an archive is made again, however short the last one was ago", async () => {
  // One is made at a time: a second that is wanted before the first is put away waits for some seconds.
  const isWaiting = async () =>
    (await server.app.sql`SELECT FROM archives WHERE state = 'waiting'`).length > 0;
  for (let n = 0; n < 2; n++) {
    assert.equal((await rookery("accounts", "backup", "carol")).code, 0);
    while (await isWaiting()) await server.runJobs();
  }
  const rows = await server.app.sql`SELECT state FROM archives ORDER BY id`;
  assert.deepEqual(
    rows.map(({ state }) => state),
    ["done", "done"],
  );
  assert.equal((await rookery("accounts", "backup", "nobody")).code, 1);
});

test("lists are printed as JSON", async () => {
  assert.equal((await json("settings", "list")).trends, "");
  for (const list of ["rules", "emojis", "relays", "announcements", "domain-blocks", "terms"]) {
    assert.deepEqual(await json(list, "list"), []);
  }
  assert.deepEqual(await json("domains", "list"), []);
  assert.equal((await json("media", "usage")).length, 3);
});

test("a dry run counts what would be removed", async () => {
  for (const words of [
    ["media", "remove"],
    ["media", "refresh"],
    ["preview-cards", "remove"],
  ]) {
    const { out, code } = await rookery(...words, "--dry-run");
    assert.equal(code, 0);
    assert.match(out, /\b0 /, words.join(" "));
  }
});

test("what is done by commands is in the audit log, as done by the command line", async () => {
  const last = async () => {
    const { out } = await rookery("audit", "list", "--json");
    const [entry] = JSON.parse(out) as any[];
    return entry;
  };
  const email = "audited@example.com";
  const role = ["--role", "Moderator"];
  const steps: [words: string[], action: string, details?: object][] = [
    [["accounts", "create", "audited", "--email", email, ...role], "account.create"],
    [["accounts", "modify", "audited", "--role", "none"], "account.change_role"],
    [["accounts", "modify", "audited", "--email", "other@example.com"], "account.change_email"],
    [["accounts", "modify", "audited", "--confirm"], "account.confirm"],
    [["accounts", "modify", "audited", "--reset-password"], "account.reset_password"],
    [["accounts", "modify", "audited", "--disable-2fa"], "account.disable_2fa"],
    [["tokens", "create", "audited", "--scopes", "admin:read read"], "token.create"],
    [["accounts", "backup", "audited"], "account.archive"],
    [["accounts", "rotate", "audited"], "account.rotate_keys"],
  ];
  for (const [words, action] of steps) {
    const { code, err } = await rookery(...words);
    assert.equal(code, 0, err);
    const entry = await last();
    assert.deepEqual([entry.action, entry.username], [action, null], words.join(" "));
    assert.match(entry.target_label, /^audited/);
    if (action === "token.create") assert.deepEqual(entry.details.scopes, ["admin:read", "read"]);
    if (action === "account.create") assert.equal(entry.details.role, "Moderator");
  }
  await rookery("accounts", "delete", "audited");
});

test("a command that can do nothing says so and ends with 1", async () => {
  const { localDomain } = server.app.config.site;
  for (const [words, why] of [
    ["domains purge nowhere.example", /No account of nowhere\.example is known here\./],
    [`domains purge ${localDomain}`, /is this server itself/],
    ["accounts refresh --domain nowhere.example", /No account of nowhere\.example/],
    ["accounts refresh alice", /An account of this server is not fetched\./],
    ["emojis copy nowhere.example a", /No such emoji of nowhere\.example/],
    ["domains crawl nowhere.example", /No server answered\./],
  ] as const) {
    const { code, err } = await rookery(...words.split(" "));
    assert.deepEqual([words, code], [words, 1]);
    assert.match(err, why);
  }
  const { out } = await rookery("accounts", "delete", "bob", "--dry-run");
  assert.match(out, /^@bob\nDry run: 1 of 1 would be deleted, 0 failed$/);
});

test("an account is deleted; and everybody, but only with the domain", async () => {
  assert.equal((await json("accounts", "delete", "bob", "--dry-run")).count, 1);
  assert.ok(await isThere("bob"));
  assert.match(
    (await rookery("accounts", "delete", "bob")).out,
    /^@bob\n1 of 1 deleted, 0 failed$/,
  );
  assert.ok(!(await isThere("bob")));
  assert.match((await rookery("audit", "list")).out, /account\.delete.*bob/);
  const refused = await rookery("self-destruct");
  assert.deepEqual([refused.code, await isThere("carol")], [1, true]);
  assert.match(refused.err, /pass --confirm 127\.0\.0\.1:\d+ if you mean it/);
  const { localDomain } = server.app.config.site;
  assert.equal((await json("self-destruct", "--confirm", localDomain)).count, 2);
  const left = await server.app.sql`SELECT count(*)::int AS count FROM users`;
  assert.equal(left[0]!.count, 0);
});

test("what cannot be done with an account is said in a sentence that names it", async () => {
  await server.person("quiet");
  const refused = { out: "", code: 1 };
  assert.deepEqual(await rookery("accounts", "purge", "quiet"), {
    ...refused,
    err: "rookery: quiet is not suspended: suspend it first.",
  });
  assert.deepEqual(await rookery("accounts", "reject", "quiet"), {
    ...refused,
    err: "rookery: quiet does not wait for approval.",
  });
});
