// The pages about other servers over real HTTP: the list, a server with what is done to it, and who may.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { confirm } from "../../../test/staff-world.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

const LIST = "/admin/domains/known";
const FAR = `${LIST}/far.example`;

let t: TestApp;
let owner: Browser;
let plain: Browser;
let alice: Person;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  alice = await t.person("alice");
  [owner, plain] = [openBrowser(t), openBrowser(t)];
  await owner.signIn("boss");
  await plain.signIn("alice");
  await t.app.sql`
    INSERT INTO servers
    SELECT 's' || n || '.example', 's' || n || '.example', '{}', n, 1000 - n, n, n * 1000000, now()
    FROM generate_series(100, 219) AS n`;
  await t.app.sql`
    INSERT INTO servers VALUES
      ('far.example', 'social.far.example', '{far.example}', 4, 1, 2, 1500000000, now())`;
  await t.app.sql`
    INSERT INTO peers (host, software, version, checked_at)
    VALUES ('social.far.example', 'mastodon', '4.5.1', now())`;
  await t.app.sql`
    INSERT INTO remote_hosts (host, failing_since, failures)
    VALUES ('social.far.example', now() - interval '2 days', 3)`;
});
after(() => t.close());

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
const domainsOf = (text: string): string[] =>
  [...text.matchAll(/href="\/admin\/domains\/known\/([^"?]+)"/g)].map(([, domain]) => domain!);

const confirmed = async (action: string, values: Record<string, string> = {}) => {
  const question = await owner.submit(await owner.get(FAR), action, values);
  assert.equal(question.status, 200, question.text);
  const answer = await confirm(owner, question, action);
  assert.equal(answer.status, 302, answer.text);
  return {
    question: flat(question.text),
    page: flat((await owner.get(answer.headers.get("location")!)).text),
  };
};

const lastAudit = async () =>
  (await t.app.sql`SELECT action FROM audit_log ORDER BY id DESC`)[0]?.["action"];

describe("the list", () => {
  test("a page after the other, in the order that is chosen", async () => {
    const first = await owner.get(LIST);
    const domains = domainsOf(first.text);
    assert.equal(domains.length, 50);
    assert.equal(domains[0], "s219.example");
    assert.match(flat(first.text), /aria-sort="descending" ?> ?<a href="[^"]*sort=accounts"/);
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)![1]!.replaceAll("&amp;", "&");
    const second = domainsOf((await owner.get(next)).text);
    assert.equal(second[0], "s169.example");
    const followed = domainsOf((await owner.get(`${LIST}?sort=followed`)).text);
    assert.equal(followed[0], "s100.example");
    for (const bad of ["after=x", "after=9999999999999999999999%20a", "sort=domain", "state=x"]) {
      assert.equal((await owner.get(`${LIST}?${bad}`)).status, 200);
    }
  });

  test("by name, software and state, and what cannot be", async () => {
    const page = flat((await owner.get(`${LIST}?software=mastodon&state=failing`)).text);
    assert.deepEqual(domainsOf(page), ["far.example"]);
    assert.match(page, /mastodon 4\.5\.1/);
    assert.match(page, /1\.5 GB/);
    assert.match(page, /Failing/);
    assert.deepEqual(domainsOf((await owner.get(`${LIST}?name=S21`)).text).length, 10);
    assert.match((await owner.get(`${LIST}?name=nothing`)).text, /No servers match/);
  });

  test("a fixed number of queries", async () => {
    const few = await t.countQueries(() => owner.get(`${LIST}?name=s21`));
    const many = await t.countQueries(() => owner.get(LIST));
    assert.equal(many.queries, few.queries);
  });

  test("only for who manages federation", async () => {
    assert.equal((await plain.get(LIST)).status, 403);
    assert.equal((await plain.get(FAR)).status, 403);
    assert.equal((await owner.get(`${LIST}/not%20one`)).status, 404);
    assert.equal((await owner.get(`${LIST}/unheard-of.example`)).status, 200);
  });
});

describe("a server", () => {
  test("deliveries are stopped after a question, go on, and are tried again", async () => {
    assert.match(flat((await owner.get(FAR)).text), /Inbox host<\/dt> ?<dd>social\.far\.example/);
    const stop = await confirmed(`${FAR}/deliveries/stop`);
    assert.match(stop.question, /Stop deliveries to social\.far\.example\?/);
    assert.match(stop.page, /Deliveries to this server stopped/);
    assert.match(stop.page, /Stopped/);
    assert.equal(await lastAudit(), "domain.stop_deliveries");
    const resume = `${FAR}/deliveries/resume`;
    const page = await owner.get(FAR);
    assert.equal((await owner.submit(page, resume, {})).status, 302);
    assert.equal(await lastAudit(), "domain.resume_deliveries");
    const again = await owner.submit(page, resume, {});
    assert.equal(again.status, 422);
    assert.match(again.text, /aren’t stopped/);
    await t.app.sql`
      INSERT INTO deliveries (host, activity_id, inbox)
      VALUES ('social.far.example', 1, 'https://social.far.example/inbox')`;
    const retry = await owner.submit(await owner.get(FAR), `${FAR}/deliveries/retry`, {});
    assert.equal(retry.status, 302);
    assert.equal(await lastAudit(), "domain.retry_deliveries");
  });

  test("copies of its media are deleted after a question", async () => {
    const { question, page } = await confirmed(`${FAR}/purge_media`);
    assert.match(question, /these addresses will be deleted: far\.example/);
    assert.match(page, /are being deleted/);
    assert.equal(await lastAudit(), "domain.purge_media");
  });

  test("it is blocked after a question that says what ends, and shown with its reason", async () => {
    await t.write`
      INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key)
      VALUES ('far', 'far.example', 'https://far.example/u', '', '', '')`;
    await t.write`
      INSERT INTO follows (account_id, target_account_id)
      SELECT ${alice.accountId}, id FROM accounts WHERE domain = 'far.example'`;
    const { question, page } = await confirmed(`${FAR}/block`, {
      severity: "suspend",
      public_comment: "Spam <b>",
    });
    assert.match(question, /accounts that will be hidden: 1\./);
    assert.match(
      question,
      /Follows that will end: 1 by people here, 0 of people here\..*Type far\.example to continue/,
    );
    assert.match(page, /Public reason: Spam &lt;b>/);
    assert.equal(await lastAudit(), "domain_block.create");
    assert.match(flat((await owner.get(`${LIST}?name=far`)).text), /badge bad">Blocked/);
    const limited = `${LIST}/s100.example`;
    const taken = await owner.submit(await owner.get(limited), `${limited}/block`, {
      severity: "silence",
    });
    assert.equal(taken.status, 302);
    const own = `${LIST}/${encodeURIComponent(t.app.config.site.localDomain)}`;
    assert.doesNotMatch((await owner.get(own)).text, /value="suspend"/);
    const form = await owner.get("/admin/domains");
    for (const severity of ["silence", "suspend"]) {
      const fields = { domain: t.app.config.site.localDomain, severity };
      const refused = await owner.submit(form, "/admin/domains", fields);
      assert.equal(refused.status, 422, severity);
      assert.match(refused.text, /This is this server itself\. It can’t be blocked\./);
    }
  });
});
