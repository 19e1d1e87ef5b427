// What somebody did to a post they can take back after its author blocked them, or the post is hidden from them
// otherwise.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const act = (verb: string, id: string, who = bob) => who.post(`/api/v1/statuses/${id}/${verb}`);
const account = (verb: string, of: Person, by: Person) =>
  by.post(`/api/v1/accounts/${of.accountId}/${verb}`);

const ROWS = {
  favourite: () => t.app.sql`SELECT 1 FROM favourites WHERE account_id = ${bob.accountId}`,
  bookmark: () => t.app.sql`SELECT 1 FROM bookmarks WHERE account_id = ${bob.accountId}`,
  reblog: () =>
    t.app
      .sql`SELECT 1 FROM statuses WHERE account_id = ${bob.accountId} AND reblog_of_id IS NOT NULL`,
  mute: () => t.app.sql`SELECT 1 FROM conversation_mutes WHERE account_id = ${bob.accountId}`,
};
const ACTS = Object.keys(ROWS) as (keyof typeof ROWS)[];

/** What bob has done, where `hide` hides the post and `show` ends that. */
const undoWhere = async (
  acts: (keyof typeof ROWS)[],
  {
    post,
    hide,
    show,
  }: { post: object; hide: () => Promise<unknown>; show: () => Promise<unknown> },
) => {
  const { id } = (await alice.post("/api/v1/statuses", post)).json;
  for (const verb of acts) assert.equal((await act(verb, id)).status, 200, verb);
  await hide();
  assert.equal((await bob.get(`/api/v1/statuses/${id}`)).status, 404);
  const answers = [];
  for (const verb of acts) {
    assert.equal((await ROWS[verb]()).length, 1, verb);
    const answer = await act(`un${verb}`, id).ok();
    assertEntity("Status", answer);
    assert.equal((await ROWS[verb]()).length, 0, verb);
    answers.push(answer);
    const again = await act(`un${verb}`, id);
    assert.equal(again.status, 404, `un${verb} once more`);
    assert.equal((await act(verb, id)).status, 404, `${verb} anew`);
  }
  const last = answers.at(-1);
  assert.deepEqual(
    [last.id, last.favourited, last.reblogged, last.bookmarked, last.muted],
    [id, false, false, false, false],
  );
  await show();
  return last;
};

/** Sends the forms of the web client's pages, without scripts. */
const formsOf = async (browser: Browser) => {
  const { text } = await browser.get("/home");
  const [, token] = /name="form_token" value="([^"]+)"/.exec(text)!;
  return (act: string) => browser.post(`/web/act/${act}`, { form_token: token!, back: "/home" });
};

describe("undoing after the post is hidden", () => {
  test("its author blocked one: the answer is what everybody may see", async () => {
    const last = await undoWhere(ACTS, {
      post: { status: "for everybody" },
      hide: () => account("block", bob, alice),
      show: () => account("unblock", bob, alice),
    });
    assert.equal(last.content, "<p>for everybody</p>");
    const seen = (await alice.get(`/api/v1/statuses/${last.id}`)).json;
    assert.deepEqual([seen.favourites_count, seen.reblogs_count], [0, 0]);
  });

  test("one is no follower any more: it is answered without what is hidden", async () => {
    await account("follow", alice, bob);
    const last = await undoWhere(["favourite", "bookmark", "mute"], {
      post: {
        status: "for followers, with #tags and @bob",
        visibility: "private",
        spoiler_text: "secret",
        poll: { options: ["yes", "no"], expires_in: 3600 },
      },
      hide: async () => {
        await t.write`DELETE FROM mentions`;
        await account("remove_from_followers", bob, alice);
      },
      show: async () => {},
    });
    assert.deepEqual(
      [last.content, last.spoiler_text, last.tags, last.mentions, last.poll, last.card],
      ["", "", [], [], null, null],
    );
    assert.equal(last.account.id, alice.accountId);
  });

  test("a post that is gone is a 404", async () => {
    for (const verb of ACTS) assert.equal((await act(`un${verb}`, "1")).status, 404);
  });

  test("one's own pins", async () => {
    const { id } = (await alice.post("/api/v1/statuses", { status: "pinned" })).json;
    assert.equal((await act("pin", id, alice)).json.pinned, true);
    await act("unpin", id, bob).ok();
    assert.equal((await act("unpin", id, alice)).json.pinned, false);
  });

  test("by the forms of pages as well", async () => {
    const { id } = (await alice.post("/api/v1/statuses", { status: "by a form" })).json;
    const browser = openBrowser(t);
    await browser.signIn("bob");
    const submit = await formsOf(browser);
    const send = async (verb: string) => (await submit(`statuses/${id}/${verb}`)).status;
    for (const verb of ["favourite", "reblog"]) assert.equal(await send(verb), 303);
    await account("block", bob, alice);
    for (const verb of ["unfavourite", "unreblog"]) assert.equal(await send(verb), 303);
    assert.equal((await ROWS.favourite()).length + (await ROWS.reblog()).length, 0);
    for (const verb of ["favourite", "reblog"]) assert.equal(await send(verb), 404);
    await account("unblock", bob, alice);
  });

  test("a quote of one's own post that one cannot see", async () => {
    const { id } = (await bob.post("/api/v1/statuses", { status: "quoted" })).json;
    const quote = { status: "what a post", quoted_status_id: id };
    const quoting = (await alice.post("/api/v1/statuses", quote)).json;
    await t.runJobs();
    await account("block", bob, alice);
    const path = `/api/v1/statuses/${id}/quotes/${quoting.id}/revoke`;
    const answer = await bob.post(path).ok();
    assert.equal(answer.quote.state, "revoked");
    await account("unblock", bob, alice);
  });
});

describe("what the author allows is asked on every path", () => {
  test("the page favourites nothing that the API refuses", async () => {
    const { id } = (await alice.post("/api/v1/statuses", { status: "no favourites" })).json;
    // canLike: nobody.
    await t.write`UPDATE statuses SET interaction_policy = ${16 << 5} WHERE id = ${id}`;
    assert.equal((await act("favourite", id, carol)).status, 403);
    const browser = openBrowser(t);
    await browser.signIn("carol");
    const submit = await formsOf(browser);
    assert.equal((await submit(`statuses/${id}/favourite`)).status, 403);
    const rows = await t.app.sql`SELECT 1 FROM favourites WHERE account_id = ${carol.accountId}`;
    assert.equal(rows.length, 0);
  });
});
