// GET /api/v2/search: what is found, and what is looked up on other servers for whom.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let test: TestApp;
let peer: FakePeer;
let alice: Person;
let carol: Person;
let bob: PeerActor;

const search = (query: Record<string, string>, token: string | null = alice.token) =>
  test.as(token).get(`/api/v2/search?${new URLSearchParams(query)}`);

const post = async (person: Person, status: string, visibility = "public") =>
  (await person.post("/api/v1/statuses", { status, visibility })).json;

before(async () => {
  test = await startTestApp();
  peer = await startPeer();
  alice = await test.person("alice");
  carol = await test.person("carol");
  bob = peer.actor("bob");
});

after(async () => {
  await peer.close();
  await test.close();
});

describe("what is known", () => {
  it("accounts by the beginning of a name, by handle, with or without a viewer", async () => {
    const { localDomain } = test.app.config.site;
    for (const q of ["car", "@carol", "carol", `@carol@${localDomain}`]) {
      for (const token of [alice.token, null]) {
        const { json } = await search({ q }, token);
        assert.deepEqual(
          json.accounts.map((account: any) => account.acct),
          ["carol"],
          q,
        );
        assert.deepEqual(json.statuses, []);
      }
    }
  });

  it("hashtags by their beginning, the very name first", async () => {
    await post(alice, "#catsitting #catsitting2 #Cats #dogs");
    await post(alice, "#catsitting");
    for (const q of ["cats", "#CATS"]) {
      const { json } = await search({ q, type: "hashtags" });
      assert.deepEqual(
        json.hashtags.map((hashtag: any) => hashtag.name),
        // As each was first written.
        ["Cats", "catsitting", "catsitting2"],
      );
      assert.equal(json.hashtags[0].url, `${test.url}/tags/cats`);
      assert.deepEqual(json.accounts, []);
    }
    const page = await search({ q: "cats", type: "hashtags", limit: "1", offset: "1" });
    assert.deepEqual(
      page.json.hashtags.map((hashtag: any) => hashtag.name),
      ["catsitting"],
    );
  });

  it("our own posts and people by address, as far as the viewer may see them", async () => {
    const open = await post(carol, "open");
    const hidden = await post(carol, "hidden", "private");
    for (const q of [open.uri, open.url]) {
      assert.deepEqual(
        (await search({ q }, null)).json.statuses.map((status: any) => status.id),
        [open.id],
      );
    }
    assert.deepEqual((await search({ q: hidden.url })).json.statuses, []);
    assert.deepEqual((await search({ q: hidden.url }, carol.token)).json.statuses.length, 1);
    const person = await search({ q: `${test.url}/@carol` });
    assert.deepEqual(
      person.json.accounts.map((account: any) => account.acct),
      ["carol"],
    );
    assert.deepEqual((await search({ q: open.url, type: "accounts" })).json.statuses, []);
  });
});

describe("on other servers", () => {
  it("is looked up by handle and by address, for people and when they ask", async () => {
    const note = peer.note(bob, "/notes/1");
    const handle = `@bob@${peer.host}`;
    const address = String(note["id"]);
    for (const q of [handle, address]) {
      const { json } = await search({ q });
      assert.deepEqual([json.accounts, json.statuses], [[], []], q);
    }
    assert.equal(peer.received.length, 0);
    const answer = await search({ q: handle, resolve: "true" });
    assert.deepEqual(
      answer.json.accounts.map((account: any) => account.acct),
      [`bob@${peer.host}`],
    );
    const { json } = await search({ q: address, resolve: "true" });
    assert.equal(json.statuses[0].uri, address);
    // Now it is known to everybody.
    assert.equal((await search({ q: address }, null)).json.statuses.length, 1);
    assert.equal((await search({ q: bob.uri }, null)).json.accounts.length, 1);
  });

  it("a page leads to its post", async () => {
    const note = peer.note(bob, "/notes/2");
    const link = `<link rel="alternate" type="application/activity+json" href="${note["id"]}">`;
    peer.pages.set("/@bob/2", { headers: { "content-type": "text/html" }, body: link });
    const { json } = await search({ q: `${peer.origin}/@bob/2`, resolve: "true" });
    assert.deepEqual(
      json.statuses.map((status: any) => status.uri),
      [note["id"]],
    );
  });

  it("what cannot be had is an empty answer", async () => {
    peer.documents.set("/broken", 500);
    for (const q of [
      `${peer.origin}/nothing`,
      `${peer.origin}/broken`,
      `@x@${peer.host}`,
      "http://127.0.0.1:9/",
    ]) {
      const { status, json } = await search({ q, resolve: "true" });
      assert.equal(status, 200, q);
      assert.deepEqual([json.accounts, json.statuses, json.hashtags], [[], [], []], q);
    }
  });
});

describe("limits", () => {
  it("400 without a question or for negative numbers, 401 for what wants a person", async () => {
    for (const query of [
      {},
      { q: "" },
      { q: "  " },
      { q: "a", limit: "-1" },
      { q: "a", offset: "-1" },
    ]) {
      assert.equal(
        (await search(query as Record<string, string>)).status,
        400,
        JSON.stringify(query),
      );
    }
    assert.equal((await search({ q: "a", resolve: "true" }, null)).status, 401);
    assert.equal((await search({ q: "a", offset: "1" }, null)).status, 401);
    const app = await test.token(null, ["read"]);
    assert.equal((await search({ q: "a", resolve: "true" }, app)).status, 401);
    const narrow = await test.token(alice.userId, ["write"]);
    assert.equal((await search({ q: "a" }, narrow)).status, 403);
  });

  it("an unknown type, odd text and odd numbers find nothing and break nothing", async () => {
    const { json } = await search({ q: "carol", type: "planets" });
    assert.deepEqual(json, { accounts: [], statuses: [], hashtags: [], collections: [] });
    for (const q of [
      "%",
      "_",
      "\\",
      "a".repeat(100_000),
      "'; --",
      "@",
      "#",
      "https://",
      "http://[::1]/",
    ]) {
      assert.equal(
        (await alice.get(`/api/v2/search?q=${encodeURIComponent(q.slice(0, 2000))}`)).status,
        200,
        q.slice(0, 20),
      );
    }
    const long = await search({ q: ` ${"x".repeat(2001)} ` });
    assert.equal(long.status, 422);
    assert.equal(long.json.error, "Validation failed: Q is too long (maximum is 2000 characters)");
    assert.match(
      (await openBrowser(test).get(`/search?q=${"x".repeat(2001)}`)).text,
      /The search is too long\. Use up to 2,?000 characters\./,
    );
    assert.equal((await search({ q: "carol", limit: "x" })).json.accounts.length, 0);
    assert.equal((await search({ q: "carol", limit: "0" })).json.accounts.length, 0);
  });
});
