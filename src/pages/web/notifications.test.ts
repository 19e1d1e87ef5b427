// The pages of notifications as the server draws them, and their forms, without scripts.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import type { NotificationType } from "../../domain/reading/notifications/tables.ts";
import { createAnnouncement } from "../../domain/reading/announcements/announce.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { notify } from "../../domain/reading/notifications/notify.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let browser: Browser;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
  carol = await server.person("carol");
  browser = openBrowser(server);
  await browser.signIn("alice");
});
after(() => server.close());
beforeEach(() => server.write`TRUNCATE notifications, follows, follow_requests CASCADE`);

const post = async (who: Person, status: string, more: object = {}): Promise<string> =>
  (await who.post("/api/v1/statuses", { status, ...more }).ok()).id;

const read = async (path: string): Promise<string> => {
  const { status, text } = await browser.get(path);
  assert.equal(status, 200, `${path}: ${text}`);
  // Without what the browser goes on from, and with texts in one piece.
  return text.replace(/<script type="application\/json"[\s\S]*$/, "");
};

/** What a person reads of a page. */
const words = (html: string): string =>
  html
    .replaceAll(/<(?:svg|title)[\s\S]*?<\/(?:svg|title)>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");

const act = async (path: string, form: Record<string, string> = {}) => {
  const [, formToken = ""] = /name="form_token" value="([^"]+)"/.exec(await read("/home")) ?? [];
  const back = "/notifications";
  return browser.post(`/web/act/${path}`, { form_token: formToken, back, ...form });
};

describe("the page", () => {
  test("says what to do where there is nothing, and is for members", async () => {
    assert.match(words(await read("/notifications")), /No notifications yet/);
    assert.match(words(await read("/notifications?kind=poll")), /No notifications of this kind/);
    const { headers } = await openBrowser(server).get("/notifications");
    assert.match(headers.get("location") ?? "", /^\/auth\/sign_in/);
  });

  test("groups who did the same, and shows mentions whole, with what can be done", async () => {
    const id = await post(alice, "A post that is liked");
    for (const who of [bob, carol]) await who.post(`/api/v1/statuses/${id}/favourite`).ok();
    await bob.post(`/api/v1/statuses/${id}/reblog`).ok();
    await carol.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    const mention = await post(bob, "@alice look here", { visibility: "direct" });
    await server.runJobs();
    const html = await read("/notifications");
    const text = words(html);
    assert.match(text, /carol and one other person favourited your post/);
    assert.match(text, /bob boosted your post/);
    assert.match(text, /carol followed you/);
    assert.match(text, /bob mentioned you privately/);
    assert.match(html, new RegExp(`data-status="${mention}"`));
    assert.match(html, new RegExp(`formAction="/web/act/statuses/${mention}/favourite"`, "i"));
    assert.match(html, /class="unread-count"[^>]*>4</);
    assert.match(html, /<title>\(4\) Notifications/);

    const boosts = words(await read("/notifications?kind=reblog"));
    assert.match(boosts, /bob boosted/);
    assert.doesNotMatch(boosts, /favourited your post/);
  });

  const SIMPLE: [NotificationType, RegExp][] = [
    ["status", /bob posted/],
    ["update", /bob edited a post/],
    ["quote", /bob quoted your post/],
    ["quoted_update", /bob edited a post you quoted/],
    ["poll", /A poll by bob has ended/],
    ["admin.sign_up", /bob signed up/],
    ["annual_report", /Your year in review is ready/],
  ];
  for (const [type, said] of SIMPLE) {
    test(`says in words: ${type}`, async () => {
      const isAbout = type !== "admin.sign_up" && type !== "annual_report";
      const statusId = isAbout ? await post(bob, `about ${type}`) : null;
      await server.app.sql.begin((tx) =>
        notify(server.app, tx, [
          { accountId: alice.accountId, fromId: bob.accountId, type, statusId },
        ]),
      );
      const text = words(await read("/notifications"));
      assert.match(text, said);
      if (isAbout) assert.match(text, new RegExp(`about ${type}`));
    });
  }

  test("what was seen is read, here and in other apps", async () => {
    await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await server.runJobs();
    const html = await read("/notifications");
    const [, newest] =
      /formAction="\/web\/act\/markers" name="[^"]*" value="(\d+)"/i.exec(html) ?? [];
    assert.ok(newest);
    assert.match(html, /class="notification notification-follow unread"/);
    assert.equal((await act("markers", { "notifications[last_read_id]": newest })).status, 303);
    assert.doesNotMatch(await read("/notifications"), /unread/);
    const markers = await alice.get("/api/v1/markers?timeline[]=notifications").ok();
    assert.equal(markers.notifications.last_read_id, newest);
  });

  test("asks before all are deleted", async () => {
    await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await server.runJobs();
    assert.match(await read("/notifications/settings"), /href="\/notifications\/clear"/);
    const page = await browser.get("/notifications/clear");
    assert.match(words(page.text), /can’t be undone/);
    assert.match(words(await read("/notifications")), /bob followed you/);
    await browser.submit(page, "/web/act/notifications/clear", {});
    assert.match(words(await read("/notifications")), /No notifications yet/);
  });

  test("an address for each leads to what it is about", async () => {
    await post(bob, "@alice over here");
    await carol.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await server.runJobs();
    const listed = await alice.get("/api/v1/notifications").ok();
    for (const { id, type, status } of listed) {
      const { headers } = await browser.get(`/notifications/${id}`);
      const expected = type === "follow" ? "/@carol" : `/@bob/${status.id}`;
      assert.equal(headers.get("location"), expected);
    }
    assert.equal((await browser.get("/notifications/123")).status, 404);
  });
});

describe("who asked", () => {
  test("to follow is accepted or rejected in place", async () => {
    await alice.patch("/api/v1/accounts/update_credentials", { locked: true }).ok();
    for (const who of [bob, carol]) {
      await who.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    }
    await server.runJobs();
    for (const path of ["/notifications", "/follow_requests"]) {
      const html = await read(path);
      assert.match(html, new RegExp(`follow_requests/${bob.accountId}/authorize`));
      assert.match(html, new RegExp(`follow_requests/${carol.accountId}/reject`));
    }
    await act(`follow_requests/${bob.accountId}/authorize`);
    await act(`follow_requests/${carol.accountId}/reject`);
    assert.match(words(await read("/follow_requests")), /No follow requests/);
    const followers = await alice.get(`/api/v1/accounts/${alice.accountId}/followers`).ok();
    assert.deepEqual(
      followers.map(({ id }: { id: string }) => id),
      [bob.accountId],
    );
    await alice.patch("/api/v1/accounts/update_credentials", { locked: false }).ok();
  });

  test("for attention waits by the policy, is read, and then decided", async () => {
    const page = await browser.get("/notifications/settings");
    const saved = await browser.submit(page, "/web/act/notifications/policy", {
      for_not_following: "filter",
    });
    assert.equal(saved.status, 303);
    const policy = await alice.get("/api/v2/notifications/policy").ok();
    assert.equal(policy.for_not_following, "filter");
    await post(bob, "@alice may I ask you something?");
    await post(carol, "@alice buy this");
    await server.runJobs();

    const all = await read("/notifications");
    assert.match(words(all), /Filtered notifications 2 people/);
    assert.doesNotMatch(words(all), /may I ask/);
    const list = await browser.get("/notifications/requests");
    assert.match(words(list.text), /may I ask you something/);
    const requests = await alice.get("/api/v1/notifications/requests").ok();
    const idOf = (who: Person): string =>
      requests.find(({ account }: any) => account.id === who.accountId).id;
    const single = await read(`/notifications/requests/${idOf(bob)}`);
    assert.match(words(single), /bob mentioned you/);
    assert.match(single, new RegExp(`notifications/requests/${idOf(bob)}/accept`));

    await act(`notifications/requests/${idOf(bob)}/accept`);
    await act("notifications/requests/dismiss", { "id[]": idOf(carol) });
    assert.match(words(await read("/notifications/requests")), /No filtered notifications/);
    assert.match(words(await read("/notifications")), /may I ask/);
  });
});

test("announcements are at the head of home, with reactions, until they are dismissed", async () => {
  const announced = await createAnnouncement(server.app, COMMAND_LINE, {
    text: "We move house on Sunday",
  });
  await server.runJobs();
  assert.match(words(await read("/home")), /We move house on Sunday/);
  await act(`announcements/${announced}/reactions/${encodeURIComponent("🎉")}`);
  const [reacted] = await alice.get("/api/v1/announcements").ok();
  assert.deepEqual(reacted.reactions, [{ name: "🎉", count: 1, me: true }]);
  assert.match(await read("/home"), /aria-label="React with 🎉"[^>]*aria-pressed="true"/);
  await act(`announcements/${announced}/reactions/${encodeURIComponent("🎉")}/delete`);
  assert.deepEqual((await alice.get("/api/v1/announcements").ok())[0].reactions, []);
  await act(`announcements/${announced}/dismiss`);
  assert.doesNotMatch(words(await read("/home")), /We move house/);
});

test("the service worker may not be kept, and the offline page is nobody's", async () => {
  const worker = await server.visitor.get("/sw.js");
  assert.equal(worker.status, 200);
  assert.match(worker.headers.get("content-type") ?? "", /^text\/javascript/);
  assert.equal(worker.headers.get("cache-control"), "no-cache");
  const { status, text, headers } = await server.visitor.get("/offline");
  assert.equal(status, 200);
  assert.match(words(text), /The server can’t be reached/);
  assert.match(headers.get("cache-control") ?? "", /public/);
});
