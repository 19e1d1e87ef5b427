// Notifications by mail, the summary after an absence, the settings, and the end of them by one click.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { openStream } from "../../../../test/stream-client.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
/** Jobs are due by the database's clock, so this one moves with it, and is ahead of it. */
let ahead = 0;
let mails: Mail[] = [];
/** The mail server is away for so many mails. */
let failures = 0;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  t.app.mail = {
    async send(mail) {
      if (failures > 0) {
        failures -= 1;
        throw new Error("451 later");
      }
      mails.push(mail);
    },
    close: () => {},
  };
  alice = await t.person("alice", { locale: "de-AT" });
  bob = await t.person("bob");
});
beforeEach(() => {
  mails = [];
});
after(() => t.close());

const post = async (who: Person, status: string, more: object = {}): Promise<string> =>
  (await who.post("/api/v1/statuses", { status, ...more }).done()).id;

const act = async (who: Person, path: string): Promise<void> => {
  await who.post(path).done();
};

const choose = (who: Person, chosen: object) =>
  t.write`
    UPDATE users SET settings = jsonb_build_object('mails', ${chosen as never}::jsonb)
    WHERE id = ${who.userId}`;

/** What failed is due again. */
const tryAgain = async () => {
  await t.write`
    SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    FROM graphile_worker.jobs`;
  await t.runJobs();
};

const newest = (): Mail => mails.at(-1)!;

const pathOf = (mail: Mail): string => new URL(mail.list!.unsubscribe).pathname;

describe("notifications by mail", () => {
  it("a mention: in the recipient's language, with the post, in both parts", async () => {
    const id = await post(bob, "@alice wie geht’s?\n\n<b>1 & 2</b>");
    assert.equal(mails.length, 1);
    const mail = newest();
    assert.equal(mail.to, "alice@example.com");
    assert.equal(mail.subject, "@bob hat dich erwähnt");
    assert.match(mail.text, /@bob \(@bob\):\n> @alice wie geht’s\?\n>\n> <b>1 & 2<\/b>/);
    assert.match(mail.text, new RegExp(`Beitrag ansehen:\n${t.url}/@bob/${id}\n`));
    assert.match(mail.text, /\/unsubscribe\//);
    assert.match(mail.html, /<html lang="de">/);
    assert.match(mail.html, /&lt;b&gt;1 &amp; 2&lt;\/b&gt;/);
    assert.doesNotMatch(mail.html, /<script|<img|src=/);
    const { list } = mail;
    assert.equal(list!.id, `mention.alice.${t.app.config.site.localDomain}`);
    assert.match(list!.message, /^notification\.\d+$/);
    assert.match(list!.thread!, /^conversation\.\d+\.alice$/);
    await post(bob, "@alice noch etwas", { in_reply_to_id: id });
    assert.equal(mails[1]!.list!.thread, list!.thread);
    assert.notEqual(mails[1]!.list!.message, list!.message);
  });

  it("what is behind a content warning stays there", async () => {
    await post(bob, "@alice the secret", { spoiler_text: "careful" });
    assert.match(mails[0]!.text, /> careful/);
    assert.doesNotMatch(mails[0]!.text + mails[0]!.html, /secret/);
  });

  it("each kind as the person wants it; some are off until chosen", async () => {
    const id = await post(alice, "a post");
    await act(bob, `/api/v1/statuses/${id}/favourite`);
    await act(bob, `/api/v1/statuses/${id}/reblog`);
    assert.deepEqual(mails, []);
    await choose(alice, { favourite: true, follow: false });
    const other = await post(alice, "another");
    await act(bob, `/api/v1/statuses/${other}/favourite`);
    await act(bob, `/api/v1/accounts/${alice.accountId}/follow`);
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ["@bob hat deinen Beitrag favorisiert"],
    );
    await choose(alice, {});
    const carol = await t.person("carol");
    await act(carol, `/api/v1/accounts/${alice.accountId}/follow`);
    assert.equal(newest().subject, "@carol folgt dir");
    assert.match(newest().text, new RegExp(`Profil ansehen:\n${t.url}/@carol\n`));
  });

  it("once, however often the job runs, and again when the mail server was away", async () => {
    failures = 1;
    await post(bob, "@alice once");
    assert.equal(mails.length, 0);
    await tryAgain();
    assert.equal(mails.length, 1);
  });

  it("not to somebody with an app open, unless they want that", async () => {
    const query = { stream: "user", access_token: alice.token };
    const stream = await openStream(t.url, { query });
    await post(bob, "@alice online");
    assert.deepEqual(mails, []);
    await choose(alice, { always: true });
    await post(bob, "@alice online, too");
    assert.equal(mails.length, 1);
    await choose(alice, {});
    stream.socket.terminate();
  });

  it("not to whoever cannot use the account, nor of what was taken back", async () => {
    await t.write`UPDATE users SET disabled = true WHERE id = ${alice.userId}`;
    await post(bob, "@alice are you there?");
    await t.write`UPDATE users SET disabled = false WHERE id = ${alice.userId}`;
    assert.deepEqual(mails, []);
    failures = 1;
    const id = await post(bob, "@alice never mind");
    await bob.delete(`/api/v1/statuses/${id}`);
    await tryAgain();
    assert.deepEqual(mails, []);
  });

  it("after the quiet hours, where it comes in these", async () => {
    const at = (ms: number) => new Date(Date.now() + ahead + ms).toISOString().slice(11, 16);
    const settings = { quiet_from: at(-3_600_000), quiet_until: at(3_600_000) };
    await t.write`UPDATE users SET settings = ${t.app.sql.json(settings)} WHERE id = ${alice.userId}`;
    await post(bob, "@alice at night");
    ahead += 600_000;
    await tryAgain();
    assert.deepEqual(mails, []);
    ahead += 3_600_000;
    await tryAgain();
    assert.deepEqual(
      mails.map(({ text }) => /at night/.test(text)),
      [true],
    );
    await choose(alice, {});
  });

  it("twenty an hour at most", async () => {
    // Mails are counted by hours of the clock, of which the next begins now.
    ahead += 3_600_000 - ((Date.now() + ahead) % 3_600_000);
    for (let n = 0; n < 22; n++) await post(bob, `@alice number ${n}`);
    assert.equal(mails.length, 20);
    ahead += 3_600_000;
  });
});

describe("the link that ends them", () => {
  it("ends mails of that kind without sign-in, by a POST alone", async () => {
    await post(bob, "@alice hello");
    const path = pathOf(mails[0]!);
    const page = await t.visitor.get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /Someone mentions me/);
    await post(bob, "@alice still here");
    assert.equal(mails.length, 2);
    const done = await t.visitor.post(
      path,
      new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    );
    assert.equal(done.status, 200);
    assert.match(done.text, /unsubscribed/);
    await post(bob, "@alice gone");
    assert.equal(mails.length, 2);
    await choose(alice, {});
  });

  it("of another server, or changed, is not found", async () => {
    await post(bob, "@alice hello again");
    const path = pathOf(mails[0]!);
    const changed = path.slice(0, -2) + (path.endsWith("AA") ? "BB" : "AA");
    for (const bad of [changed, "/unsubscribe/x", `/unsubscribe/${"A".repeat(300)}`]) {
      assert.equal((await t.visitor.get(bad)).status, 404, bad);
      assert.equal((await t.visitor.post(bad)).status, 404, bad);
    }
  });
});

describe("the settings page", () => {
  it("changes what is sent; only who runs the server is offered reports", async () => {
    const browser = openBrowser(t);
    assert.equal((await browser.get("/settings/mail")).status, 302);
    await browser.signIn("alice");
    const page = await browser.get("/settings/mail");
    assert.equal(page.status, 200);
    assert.match(page.text, /name="mention"\s+value="1"\s+checked/);
    assert.doesNotMatch(page.text, /name="favourite"\s+value="1"\s+checked|files a report/);
    const saved = await browser.submit(page, "/settings/mail", { favourite: "1" });
    assert.equal(saved.headers.get("location"), "/settings/mail?done=saved");
    const after = await browser.get("/settings/mail?done=saved");
    assert.match(after.text, /wurden gespeichert/);
    assert.match(after.text, /name="favourite"\s+value="1"\s+checked/);
    assert.doesNotMatch(after.text, /name="mention"\s+value="1"\s+checked/);
    await post(bob, "@alice no mail");
    assert.deepEqual(mails, []);
    await choose(alice, {});
    const forged = await browser.post("/settings/mail", { favourite: "1" });
    assert.equal(forged.status, 403);
    await t.person("mod", { role: "Moderator" });
    const staff = openBrowser(t);
    await staff.signIn("mod");
    assert.match((await staff.get("/settings/mail")).text, /files a report/);
  });
});

describe("the summary after an absence", () => {
  const away = (who: Person, days: number) =>
    t.write`
      UPDATE users SET last_active_at = ${new Date(Date.now() + ahead - days * 86_400_000)}
      WHERE id = ${who.userId}`;
  const runDigests = async () => {
    await t.app.jobs.add(t.app.sql, "mail.digests", {});
    await t.runJobs();
  };

  it("counts what was missed, once a week, for those who were away a week to five", async () => {
    const dora = await t.person("dora");
    const erik = await t.person("erik");
    await choose(dora, { mention: false, follow: false });
    await act(bob, `/api/v1/accounts/${dora.accountId}/follow`);
    await post(bob, "@dora one");
    await post(bob, "@dora two");
    assert.deepEqual(mails, []);
    ahead += 8 * 86_400_000;
    await away(dora, 8.5);
    await away(erik, 8.5);
    await away(alice, 1);
    await away(bob, 1);
    await runDigests();
    assert.deepEqual(
      mails.map(({ to }) => to),
      ["dora@example.com"],
    );
    const mail = newest();
    assert.match(mail.subject, /^What you missed on /);
    assert.match(mail.text, /Mentions: 2/);
    assert.match(mail.text, /New followers: 1/);
    assert.match(mail.text, /> @dora two/);
    assert.match(mail.list!.id, /^digest\.dora\./);
    await runDigests();
    assert.equal(mails.length, 1);
    ahead += 7.1 * 86_400_000;
    await runDigests();
    assert.equal(mails.length, 2);
    await away(dora, 36);
    ahead += 7.1 * 86_400_000;
    await runDigests();
    assert.equal(mails.length, 2);
  });
});
