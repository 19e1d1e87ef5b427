// Web Push in a browser: its push service takes the server's key, and what is delivered is shown.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { makeReceiver, startPushService } from "../push-service.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { startPushApp } from "./push-app.ts";
import { open } from "./until.ts";

const SHOWN = `navigator.serviceWorker.ready.then(async (registration) => {
  const [first] = await registration.getNotifications();
  return first && (({ title, body, lang, icon, data }) => ({ title, body, lang, icon, data }))(first);
})`;

type Shown = { title: string; body: string; lang: string; icon: string; data: any };

/** Chromium drops a message now and then while a worker begins, and no push service is there to send it again. */
const AGAIN_MS = 4000;

/** Gives the page's worker what a push service would, and waits for the notification. */
const deliver = async (page: Page, message: object): Promise<Shown> => {
  await page.evaluate("navigator.serviceWorker.ready.then(() => {})");
  const protocol = await page.context().newCDPSession(page);
  let registrationId: string | undefined;
  protocol.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId ??= registrations[0]?.registrationId;
  });
  await protocol.send("ServiceWorker.enable");
  await eventually("the registration", () => registrationId);
  const push = {
    origin: new URL(page.url()).origin,
    registrationId: registrationId!,
    data: JSON.stringify(message),
  };
  let sent = -AGAIN_MS;
  return eventually<Shown>("the notification", async () => {
    if (performance.now() - sent > AGAIN_MS) {
      sent = performance.now();
      await protocol.send("ServiceWorker.deliverPushMessage", push);
    }
    return page.evaluate(SHOWN);
  });
};

describe("push", { skip: withoutChromium }, () => {
  let server: TestApp;
  let alice: Person;
  let bob: Person;

  const post = async (status: string): Promise<string> => {
    return (await bob.post("/api/v1/statuses", { status }).done()).id;
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice", { locale: "de-AT" });
    bob = await server.person("bob");
  });
  after(() => server.close());

  describe("in the client", () => {
    let browser: TestBrowser;
    before(async () => (browser = await startBrowser(server, { hasPush: true })));
    after(() => browser?.close());

    test("it is offered by a button, and what arrives is shown and leads to its subject", async (t) => {
      const { page, context } = await browser.visit(t, { who: "alice", worker: true });
      await open(page, "/notifications/settings");
      await page.getByRole("button", { name: /Turn on|Einschalten/ }).waitFor();
      assert.notEqual(await page.evaluate("Notification.permission"), "granted", "not asked yet");
      await context.grantPermissions(["notifications"], { origin: server.url });

      const id = await post("@alice from afar");
      const newest = await alice.get("/api/v1/notifications?limit=1");
      const [notification] = newest.json;
      assert.equal(notification.status.id, id);
      const title = "@bob hat dich erwähnt";
      const body = "@alice from afar";
      const shown = await deliver(page, {
        access_token: "",
        preferred_locale: "de",
        notification_id: notification.id,
        notification_type: "mention",
        icon: "",
        title,
        body,
      });
      const path = `/notifications/${notification.id}`;
      assert.deepEqual(shown, { title, body, lang: "de", icon: "", data: { path } });
      await page.goto(server.url + path);
      assert.equal(new URL(page.url()).pathname, `/@bob/${id}`);
    });
  });

  describe("in another app", () => {
    let app: Awaited<ReturnType<typeof startPushApp>>;
    let service: Awaited<ReturnType<typeof startPushService>>;
    let browser: TestBrowser;
    before(async () => {
      app = await startPushApp();
      service = await startPushService();
      browser = await startBrowser(app, { hasPush: true });
    });
    after(async () => {
      await browser?.close();
      await service.close();
      await app.close();
    });

    test("the server's key is accepted, and what is sent is shown", async (t) => {
      const { page, context, allow } = await browser.visit(t, { worker: true });
      allow(/another host|Push API in incognito mode/);
      await context.grantPermissions(["notifications"], { origin: app.url });
      await page.goto("/");
      const { asked, wrong } = await page.evaluate<{
        asked: string;
        wrong: string[];
      }>(`(async () => {
        const answer = await fetch("${server.url}/api/v2/instance");
        const { configuration } = await answer.json();
        await navigator.serviceWorker.register("/worker.js");
        const { pushManager } = await navigator.serviceWorker.ready;
        const ask = (applicationServerKey) =>
          pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
            .then(() => "subscribed", ({ name, message }) => name + ": " + message);
        const key = configuration.vapid.public_key;
        let asked = "waits for the push service";
        void ask(key).then((answer) => (asked = answer));
        const wrong = [await ask(key.slice(0, -4)), await ask("A" + key.slice(1))];
        return { asked, wrong };
      })()`);
      // A key that is none is refused at once; with ours it goes on to its push service, which it cannot reach here.
      for (const answer of wrong) assert.match(answer, /^InvalidAccessError: /);
      assert.match(asked, /^(?:subscribed|waits for the push service|AbortError: .*push service)/);

      const receiver = makeReceiver();
      const subscription = {
        endpoint: `${service.origin}/push/1`,
        keys: receiver.keys,
        standard: true,
      };
      await alice
        .post("/api/v1/push/subscription", { subscription, data: { alerts: { mention: true } } })
        .ok();
      await post("@alice hello <b>there</b> & you");
      const message = receiver.read(service.received[0]!);
      const { lang: _lang, ...shown } = await deliver(page, message);
      const { title, body, icon, ...data } = message;
      assert.deepEqual(shown, { title, body, icon, data });
      assert.match(title, /bob/);
      assert.match(body, /hello/);
      assert.equal((await fetch(icon)).status, 200);
    });
  });
});
