// Subscriptions of the web client: they belong to the session, not to its tokens of an hour.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { makeReceiver, startPushService } from "../../../../test/push-service.ts";
import type { PushService } from "../../../../test/push-service.ts";

const PATH = "/api/v1/push/subscription";

let server: TestApp;
let service: PushService;
let alice: Person;
let bob: Person;
let now = Date.now();
const receiver = makeReceiver();

before(async () => {
  server = await startTestApp({ clock: { now: () => new Date(now) } });
  service = await startPushService();
  alice = await server.person("alice", { locale: "de" });
  bob = await server.person("bob");
});
after(async () => {
  await service.close();
  await server.close();
});

const signedIn = async (): Promise<Browser> => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  return browser;
};

/** A new token of the session. */
const tokenOf = async (browser: Browser): Promise<string> => {
  const { text } = await browser.get("/home");
  const [, formToken = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  return (await browser.post("/web/session", { form_token: formToken })).json.access_token;
};

const subscribe = async (token: string, path = "/push/1") => {
  const subscription = {
    endpoint: service.origin + path,
    keys: receiver.keys,
    standard: true,
  };
  const data = { alerts: { mention: true } };
  return server.as(token).post(PATH, { subscription, data }).ok();
};

const mention = async (text: string) => {
  service.received.length = 0;
  await bob.post("/api/v1/statuses", { status: `@alice ${text}` });
  await server.runJobs();
  return service.received.map((pushed) => receiver.read(pushed));
};

test("a subscription outlives the token, and every token of the session reads and changes it", async () => {
  const browser = await signedIn();
  const subscription = await subscribe(await tokenOf(browser));
  now += 2 * 3600_000;
  const later = await tokenOf(browser);
  const get = await server.as(later).get(PATH);
  assert.deepEqual([get.status, get.json], [200, subscription]);
  const [sent, ...others] = await mention("are you there?");
  assert.deepEqual(others, []);
  assert.equal(sent!.title, "@bob hat dich erwähnt");
  assert.equal(sent!.access_token, "", "no token leaves the server");
  assert.equal(sent!.account_id, alice.accountId, "a browser may be signed in to several");

  const again = await subscribe(later);
  assert.equal(again.id, subscription.id, "it is replaced");
  const alerts = { alerts: { mention: false } };
  await server.as(later).put(PATH, { data: alerts });
  assert.deepEqual(await mention("and now?"), []);
  await server.as(later).delete(PATH).ok();
  assert.equal((await server.as(later).get(PATH)).status, 404);
});

test("each session has its own, which ends with it", async () => {
  const [first, second] = [await signedIn(), await signedIn()];
  await subscribe(await tokenOf(first), "/push/first");
  const other = await tokenOf(second);
  assert.equal((await server.as(other).get(PATH)).status, 404);
  await subscribe(other, "/push/second");
  assert.equal((await mention("both of you")).length, 2);
  const page = await first.get("/settings");
  await first.submit(page, "/auth/sign_out", {});
  await server.runJobs();
  assert.equal((await mention("the other one")).length, 1);
  await server.as(other).get(PATH).ok();
});
