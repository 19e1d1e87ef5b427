// Which posts are on public pages and in ActivityPub's collections: hidden ones are not among the ids that SQL selects.
// They would not be shown, as each is judged again when it is loaded, but pages would be short, and links to further
// pages would name them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { selectOutboxIds, selectReplies } from "../../src/federation/routes/queries.ts";
import { loadAccounts } from "../../src/domain/people/accounts/load.ts";
import { accountPage } from "../../src/domain/reading/timelines/account-page.ts";
import { selectByAccount, selectByTag } from "../../src/pages/queries.ts";
import { NOBODY } from "../../src/platform/viewer.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";

let t: TestApp;
let authorId: string;
let statusId: string;
/** Visibilities of the replies by their ids. */
const visibilities = new Map<string, string>();

before(async () => {
  t = await startTestApp();
  const alice = await t.person("alice");
  authorId = alice.accountId;
  statusId = (await alice.post("/api/v1/statuses", { status: "first" }).ok()).id;
  for (const visibility of ["public", "unlisted", "private", "direct"]) {
    const reply = { status: "#tagged", visibility, in_reply_to_id: statusId };
    visibilities.set((await alice.post("/api/v1/statuses", reply).ok()).id, visibility);
  }
});
after(() => t.close());

const NEWEST = { maxId: null, sinceId: null, minId: null, limit: 20 };
const EVERYTHING = {
  viewer: NOBODY,
  excludeReblogs: false,
  excludeReplies: false,
  onlyMedia: false,
  pinned: false,
  excludeDirect: false,
  tag: null,
};

const pageOfAccount = async (): Promise<string[]> => {
  const account = (await loadAccounts(t.app, [authorId])).get(authorId)!;
  return (await accountPage(t.app, account, NEWEST, EVERYTHING)).ids;
};

const repliesOf = async (): Promise<string[]> => {
  const query = { statusId, authorId, others: false, minId: "0", limit: 20 };
  return (await selectReplies(t.app.sql, query)).map(({ id }) => id);
};

const READERS: Record<string, [read: () => Promise<string[]>, shown: string[]]> = {
  "the outbox": [() => selectOutboxIds(t.app.sql, authorId, NEWEST), ["public", "unlisted"]],
  "the collection of replies": [repliesOf, ["public", "unlisted"]],
  "the public profile": [() => selectByAccount(t.app.sql, authorId, 20), ["public", "unlisted"]],
  "the public page of a tag": [() => selectByTag(t.app.sql, "tagged", 20), ["public"]],
  "an account's posts in the API": [pageOfAccount, ["public", "unlisted"]],
};

for (const [name, [read, shown]] of Object.entries(READERS))
  test(`${name} selects no hidden posts`, async () => {
    const found = (await read()).flatMap((id) => visibilities.get(id) ?? []);
    assert.deepEqual(found.toSorted(), shown);
  });
