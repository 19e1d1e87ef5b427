// Commands of upkeep, run as on the command line but in this process, on the database of a running server.

import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import { startPeer } from "../../test/fake-peer.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { run } from "./run.ts";

let server: TestApp;
let peer: Awaited<ReturnType<typeof startPeer>>;
let alice: Person;
let bob: Person;
let carol: Person;
const environment = { ...process.env };

before(async () => {
  server = await startTestApp();
  peer = await startPeer();
  [alice, bob, carol] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
  ];
  const { config } = server.app;
  Object.assign(process.env, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: config.dataDir,
    LOCAL_DOMAIN: config.site.localDomain,
    LOCAL_HTTPS: "false",
    ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  });
});
after(async () => {
  process.env = environment;
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
  const { json: list } = await server.request("GET", path, { token: who.token });
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
    (
      await server.request("GET", "/users/bob", {
        headers: { accept: "application/activity+json" },
      })
    ).json.publicKey.publicKeyPem;
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
  const [one, two] = [peer.actor("stays"), peer.actor("leaves")];
  for (const { uri } of [one, two]) assert.ok(await server.app.remote.address(uri));
  one.document["name"] = "New name";
  assert.deepEqual((await json("accounts", "refresh", "--domain", host)).count, 2);
  const seen = await server.request("GET", `/api/v1/accounts/lookup?acct=stays@${host}`, {
    token: alice.token,
  });
  assert.equal(seen.json.display_name, "New name");
  peer.documents.set(new URL(two.uri).pathname, 410);
  const { failed, done } = await json("accounts", "refresh", "--domain", host);
  assert.deepEqual([done, failed.length], [[`@stays@${host}`], 1]);
  assert.deepEqual((await json("accounts", "cull", "--dry-run")).done, [`@leaves@${host}`]);
  assert.ok(await isThere(`leaves@${host}`));
  assert.deepEqual((await json("accounts", "cull")).done, [`@leaves@${host}`]);
  assert.ok(!(await isThere(`leaves@${host}`)));
  assert.equal((await json("domains", "purge", host)).count, 1);
  assert.ok(!(await isThere(`stays@${host}`)));
});

test("posts, previews and the search index", async () => {
  await server.request("PATCH", "/api/v1/accounts/update_credentials", {
    token: carol.token,
    json: { indexable: true },
  });
  await server.request("POST", "/api/v1/statuses", {
    token: carol.token,
    json: { status: "a lighthouse" },
  });
  await server.runJobs();
  await server.write`DELETE FROM status_search`;
  const found = async () =>
    (
      await server.request("GET", "/api/v2/search?q=lighthouse&type=statuses", {
        token: alice.token,
      })
    ).json.statuses.length;
  assert.equal(await found(), 0);
  assert.match(
    (await rookery("search", "reindex")).out,
    /^The posts of 1 accounts are in the index\.$/,
  );
  assert.equal(await found(), 1);
  assert.equal((await rookery("preview-cards", "remove")).out, "OK");
  assert.equal((await rookery("statuses", "remove", "--days", "1")).out, "OK");
  assert.equal((await rookery("statuses", "remove", "--days", "x")).code, 1);
});

test("lists are printed as JSON", async () => {
  assert.equal((await json("settings", "list")).trends, "");
  for (const list of ["rules", "emojis", "relays", "announcements", "domain-blocks"]) {
    assert.deepEqual(await json(list, "list"), []);
  }
  assert.equal((await json("media", "usage")).length, 3);
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
