// What people lost by blocks of servers: the page, the files, and that they are only theirs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { upsertRemoteAccount } from "../../people/accounts/upsert-remote.ts";
import { createDomainBlock } from "../../staff/moderation/blocks.ts";
import { follow } from "../../people/relationships/follow.ts";
import { acceptFollow } from "../../people/relationships/accept-follow.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { readFileOf } from "../../about/transfers/formats.ts";

let t: TestApp;
let alice: Person;
const PATH = "/settings/severed_relationships";

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  await t.person("bob");
});
after(() => t.close());

const remote = (username: string): Promise<string> => {
  const uri = `https://lost.example/users/${username}`;
  return upsertRemoteAccount(t.app.sql, {
    username,
    domain: "lost.example",
    uri,
    url: uri,
    inbox_url: "",
    shared_inbox_url: null,
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
  });
};

test("whom somebody lost with a server is listed, and can be downloaded and imported elsewhere", async () => {
  const [rosa, remy] = [await remote("rosa"), await remote("remy")];
  const options = {
    reblogs: false,
    notify: true,
    languages: ["de", "en"],
    replies: false,
    dailyLimit: 7,
  };
  await follow(t.app, { accountId: alice.accountId, targetId: rosa, options });
  await acceptFollow(t.app, { accountId: alice.accountId, targetId: rosa });
  await follow(t.app, {
    accountId: remy,
    targetId: alice.accountId,
    uri: "https://lost.example/f",
  });
  await t.runJobs();
  const [browser, other] = [openBrowser(t), openBrowser(t)];
  await browser.signIn("alice");
  await other.signIn("bob");
  assert.match((await browser.get(PATH)).text, /You haven’t lost any connections/);
  await createDomainBlock(t.app, COMMAND_LINE, "lost.example", { severity: "suspend" });
  await t.runJobs();
  const { text } = await browser.get(PATH);
  assert.match(text, /<strong>lost\.example<\/strong>/);
  const [following, followers] = [...text.matchAll(/href="([^"]+\.csv)"/g)].map(
    ([, path]) => path!,
  );
  const answer = await browser.get(following!);
  assert.equal(
    answer.text,
    "Account address,Show boosts,Notify on new posts,Languages,Show replies,Posts a day\n" +
      'rosa@lost.example,false,true,"de, en",false,7\n',
  );
  assert.match(
    answer.headers.get("content-disposition")!,
    /"following-lost\.example-\d{4}-\d\d-\d\d\.csv"/,
  );
  assert.deepEqual(readFileOf("following", answer.text).entries, [
    { acct: "rosa@lost.example", ...options },
  ]);
  assert.equal((await browser.get(followers!)).text, "Account address\nremy@lost.example\n");
  assert.match((await other.get(PATH)).text, /You haven’t lost any connections/);
  assert.equal((await other.get(following!)).status, 404);
  const led = await t.visitor.get("/severed_relationships");
  assert.equal(led.headers.get("location"), PATH);
});
