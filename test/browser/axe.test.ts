// Every page of the web client, and what opens above it, by axe-core's rules: no violation on a desk and on a phone, in
// light and dark (each rule where its answer may differ); nothing is wider than a narrow window, nor with text twice as
// large; each page comes alive.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { listRoutes } from "../security/routes.ts";
import { DESK, MORE, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";
import { caller, makeVillage } from "./village.ts";
import type { Village } from "./village.ts";

// An open menu is no part of a landmark, like a dialog.
const AXE = `${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")}
axe.configure({ checks: [{ id: "region", options: { regionMatcher: "dialog, [role=dialog], [role=menu], svg" } }] });`;
/** Of the rules that are off by default: targets of at least 24 pixels. */
const ALL = `{ resultTypes: ["violations"], preload: false, rules: { "target-size": { enabled: true } } }`;
const only = (...rules: string[]): string =>
  `{ resultTypes: ["violations"], preload: false, runOnly: ${JSON.stringify(rules)} }`;
/** What depends on the layout alone. */
const LAYOUT = only("target-size", "region", "scrollable-region-focusable");
const COLOURS = only("color-contrast", "link-in-text-block");

const WHOLE = "document";
/** Without what is around all pages, and without more posts of the kinds that are looked at on pages of their own. */
const OWN = `{
  include: ["main", "dialog", "[role=menu]"].filter((each) => document.querySelector(each)),
  exclude: document.querySelector("main .feed > .post:nth-of-type(n+4)") ? [".feed > .post:nth-of-type(n+4)"] : [],
}`;

const run = (page: Page, context: string, options: string): Promise<string[]> =>
  page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 200) + " " + (any[0]?.message ?? "")).join(" | ")))`);

const NARROW = { width: 320, height: 640 };

type Size = { width: number; height: number };

/** A page, and who looks at it. */
type Looking = {
  page: Page;
  /** As \`page.setViewportSize\`, which also moves the browser's window: that takes longer than the rules. */
  resize(size: Size): Promise<unknown>;
  /** What is around all pages has been looked at. */
  knowsFrame: boolean;
};

const beginLooking = async (page: Page): Promise<Looking> => {
  const protocol = await page.context().newCDPSession(page);
  const fixed = { deviceScaleFactor: 1, mobile: false };
  return {
    page,
    resize: (size) => protocol.send("Emulation.setDeviceMetricsOverride", { ...size, ...fixed }),
    knowsFrame: false,
  };
};

const widths = async ({ page, resize }: Looking): Promise<string[]> => {
  await resize({ ...DESK, width: DESK.width / 2 });
  const large = await page.evaluate(`(() => {
    document.documentElement.style.fontSize = "200%";
    const over = ${OVERFLOW};
    document.documentElement.style.fontSize = "";
    return over;
  })()`);
  await resize(NARROW);
  const narrow = await page.evaluate(OVERFLOW);
  const faults: string[] = [];
  if (narrow) faults.push(`wider than ${NARROW.width} px: ${String(narrow)}`);
  if (large) faults.push(`too wide with text of 200 %: ${String(large)}`);
  return faults;
};

/**
 * What the bar at the edge of the window hides for now can be scrolled from under it: a window as high as the page
 * shows all.
 */
const onPhone = async ({ page, resize }: Looking): Promise<string[]> => {
  await resize(PHONE);
  const violations = await run(page, WHOLE, ALL);
  if (!violations.some((text) => text.includes("obscured"))) return violations;
  const height = (await page.evaluate("document.documentElement.scrollHeight")) as number;
  await resize({ ...PHONE, height: Math.max(PHONE.height, height) });
  return run(page, WHOLE, ALL);
};

/**
 * All that is wrong with what the page shows now: by all rules on a phone in light, by those that may differ elsewhere.
 */
const faultsOf = async (looking: Looking): Promise<string[]> => {
  const { page, resize } = looking;
  const context = looking.knowsFrame ? OWN : WHOLE;
  looking.knowsFrame = true;
  await page.evaluate(AXE);
  const violations = (await run(page, context, LAYOUT)).map((text) => `on a desk: ${text}`);
  violations.push(...(await widths(looking)));
  violations.push(...(await onPhone(looking)).map((text) => `on a phone: ${text}`));
  await page.emulateMedia({ colorScheme: "dark" });
  violations.push(...(await run(page, context, COLOURS)).map((text) => `in dark: ${text}`));
  await page.emulateMedia({ colorScheme: "light" });
  await resize(DESK);
  return violations;
};

/** alice's, with a post of bob's in it, another that waits, somebody who wants to join, and rules. */
const makeGroup = async (server: TestApp, { alice, bob, carol }: Village): Promise<string> => {
  const call = caller(server);
  const group = { name: "moss", rules: ["Be kind."] };
  const { id } = await call(alice, "POST", "/api/v1/groups", group);
  await call(bob, "POST", `/api/v1/accounts/${id}/follow`);
  await call(bob, "POST", "/api/v1/statuses", { status: "@moss which is this?" });
  await server.runJobs();
  await call(alice, "PATCH", `/api/v1/groups/${id}`, { holds_posts: true, locked: true });
  await call(carol, "POST", `/api/v1/accounts/${id}/follow`);
  await call(bob, "POST", "/api/v1/statuses", { status: "@moss and this?" });
  await server.runJobs();
  return id;
};

/** alice's, which carol answered. */
const makeEvent = async (server: TestApp, { alice, carol }: Village): Promise<string> => {
  const event = { name: "Mill night", starts_at: "2040-05-01T18:00:00Z", place: "The mill" };
  const post = { event, visibility: "public" };
  const { id } = await caller(server)(alice, "POST", "/api/v1/statuses", post);
  await caller(server)(carol, "POST", `/api/v1/statuses/${id}/event/answer`, { answer: "yes" });
  return id;
};

const POST = "/@:acct/:id(\\d+)";

/** The address at which each page of `pages.ts` has something to show. */
const addresses = ({ ids }: Village): Record<string, string> => {
  const of = (name: string): string => `/@bob/${ids[name]}`;
  const own = (name: string): string => `/@alice/${ids[name]}`;
  return {
    "/": "/",
    "/home": "/home",
    "/tags/:name": "/tags/owls",
    "/public/local": "/public/local",
    "/public": "/public",
    "/bookmarks": "/bookmarks",
    "/favourites": "/favourites",
    "/notifications": "/notifications",
    "/notifications/:id(\\d+)": `/notifications/${ids["notification"]}`,
    "/offline": "/offline",
    [POST]: of("thread"),
    "/about": "/about",
    "/privacy-policy": "/privacy-policy",
    "/terms-of-service": "/terms-of-service",
    "/terms-of-service/:date": "/terms-of-service/2020-01-01",
    "/explore": "/explore",
    "/explore/tags": "/explore/tags",
    "/explore/links": "/explore/links",
    "/explore/people": "/explore/people",
    "/directory": "/directory",
    "/search": "/search?q=mill",
    "/collections/:id(\\d+)": `/collections/${ids["collection"]}`,
    "/interact/:id(\\d+)": `/interact/${ids["thread"]}`,
    "/interact": "/interact?acct=bob",
    [`${POST}/favourites`]: `${own("own")}/favourites`,
    [`${POST}/reblogs`]: `${own("own")}/reblogs`,
    [`${POST}/history`]: `${own("edited")}/history`,
    "/@:acct/featured": "/@alice/featured",
    "/@:acct/followers": "/@bob/followers",
    "/@:acct/following": "/@bob/following",
    "/authorize_interaction": "/authorize_interaction?uri=acct:bob",
    "/share": "/share?text=Look",
    "/lists": "/lists",
    "/lists/:id(\\d+)": `/lists/${ids["list"]}`,
    "/lists/:id(\\d+)/edit": `/lists/${ids["list"]}/edit`,
    "/groups": "/groups",
    "/groups/:id(\\d+)": `/groups/${ids["group"]}`,
    "/followed_tags": "/followed_tags",
    "/conversations": "/conversations",
    "/catch-up": "/catch-up",
    "/drafts": "/drafts",
    "/scheduled": "/scheduled",
    "/compose": "/compose",
    "/notifications/requests": "/notifications/requests",
    "/notifications/requests/:id(\\d+)": `/notifications/requests/${ids["request"]}`,
    "/notifications/settings": "/notifications/settings",
    "/notifications/clear": "/notifications/clear",
    "/follow_requests": "/follow_requests",
    [`${POST}/quotes`]: `${own("own")}/quotes`,
    [`${POST}/delete`]: `${own("own")}/delete`,
    [`${POST}/reply_policy`]: `${own("own")}/reply_policy`,
    [`${POST}/boost_later`]: `${own("own")}/boost_later`,
    [`${POST}/why`]: `${own("thread")}/why`,
    [`${POST}/circle`]: `${own("circle")}/circle`,
    [`${POST}/answers`]: `${own("event")}/answers`,
    [`${POST}/quote_policy`]: `${own("own")}/quote_policy`,
    [`${POST}/filter`]: `${of("thread")}/filter`,
    "/@:acct/unfollow": "/@bob/unfollow",
    "/@:acct/block": "/@bob/block",
    "/@:acct/remove": "/@bob/remove",
    "/@:acct/mute": "/@bob/mute",
    "/@:acct/note": "/@bob/note",
    "/@:acct/follow": "/@bob/follow",
    "/@:acct/block_domain": "/@bob/block_domain",
    "/@:acct/lists": "/@bob/lists",
    "/@:acct/report": `/@bob/report?status=${ids["thread"]}`,
    "/welcome": "/welcome",
    "/settings": "/settings",
    "/settings/accounts": "/settings/accounts",
    "/settings/profile": "/settings/profile",
    "/settings/preferences": "/settings/preferences",
    "/settings/filters": "/settings/filters",
    "/settings/filters/:id(\\d+)": `/settings/filters/${ids["filter"]}`,
    "/settings/mutes": "/settings/mutes",
    "/settings/blocks": "/settings/blocks",
    "/settings/domain_blocks": "/settings/domain_blocks",
    "/settings/muted_tags": "/settings/muted_tags",
    "/@:acct": "/@bob",
    "/@:acct/with_replies": "/@bob/with_replies",
    "/@:acct/media": "/@bob/media",
    "/@:acct/tagged/:tag": "/@bob/tagged/owls",
  };
};

/**
 * Pages that the server draws itself within the client's frame, by their routes, also those that nobody has thought of
 * here.
 */
const framedPaths = async (
  { app }: TestApp,
  { ids }: Village,
  clients: readonly string[],
): Promise<string[]> => {
  const known = new Set(clients.map((path) => path.replaceAll(/\(.*?\)/g, "")));
  const routes = (await listRoutes(app)).filter(
    ({ method, url }) =>
      method === "GET" && /^\/(?:settings|disputes|admin)(?:\/|$)/.test(url) && !known.has(url),
  );
  return routes.map(({ url }) => url.replace(":id", ids[url.split("/")[2]!] ?? "0"));
};

/** More of a post than the others show. */
const MORE_POSTS = [
  "warned",
  "poll",
  "several",
  "picture",
  "sensitive",
  "quote",
  "arabic",
  "direct",
];

const VISITOR = [
  "/ /about /privacy-policy /@bob /@bob/followers /tags/owls /explore /explore/people /nothing-here",
  "/auth/sign_in /auth/sign_up /auth/password/new /auth/confirmation/new /offline /interact?acct=bob",
]
  .join(" ")
  .split(" ");

/** Other pages that are open meanwhile say that home was read. */
const openCatchUp = async (page: Page, { alice }: Village): Promise<void> => {
  await open(page, "/home");
  await eventually("posts to catch up with", async () => {
    const headers = { authorization: `Bearer ${alice.token}` };
    const data = { home: { last_read_id: "1" } };
    await page.request.post("/api/v1/markers", { headers, data });
    await open(page, "/catch-up");
    return (await page.locator(".catch-up-person").count()) > 0;
  });
  await page.locator(".catch-up-person summary").first().click();
};

/** What opens above a page: where, and how. */
const ABOVE: Record<string, (page: Page, village: Village) => Promise<unknown>> = {
  "the composer with all it has": async (page) => {
    await open(page, "/home");
    await page.click("[data-act=compose]");
    const sheet = page.locator("dialog");
    await sheet.locator("textarea").first().fill("Something");
    await sheet.getByRole("button", { name: "Poll" }).click();
    await sheet.getByRole("button", { name: "Content warning" }).click();
    await sheet.locator(MORE).click();
    await sheet.getByRole("button", { name: "Publish later" }).click();
    await sheet.locator(".composer-schedule").waitFor();
  },
  "who can see it": async (page) => {
    await open(page, "/compose");
    await page.getByLabel(/^Who can see it/).click();
    await page.getByRole("radio").first().waitFor();
  },
  "what is rarely chosen of a post": async (page) => {
    await open(page, "/compose");
    await page.click(MORE);
    await page.getByLabel("When it ends").selectOption({ label: "Ends after 1 day" });
    await page.locator(".composer-unusual").waitFor();
  },
  "an event that is written": async (page, { ids }) => {
    // A draft of its own: the one of a new post has a poll.
    await open(page, `/compose?in_reply_to=${ids["thread"]}`);
    await page.click(MORE);
    await page.getByRole("button", { name: "Event", exact: true }).click();
    await page.getByLabel("Ends (").fill("2020-01-01T00:00");
    await page.getByText("Give it a name").waitFor();
  },
  "the emojis": async (page) => {
    await open(page, "/compose");
    await page.getByRole("button", { name: "Emoji" }).click();
    await page.locator(".emoji-picker").waitFor();
  },
  "the menu of a post": async (page, { ids }) => {
    await open(page, `/@bob/${ids["thread"]}`);
    await page.locator(".post-main .act-more").click();
    await page.getByRole("menu").waitFor();
  },
  "the menu of a person": async (page) => {
    await open(page, "/@bob");
    await page.locator(".menu-button").click();
    await page.getByRole("menu").waitFor();
  },
  "a report in a sheet": async (page) => {
    await open(page, "/@bob");
    await page.locator(".menu-button").click();
    await page.getByRole("menuitem", { name: /^Report/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /report/i })
      .waitFor();
  },
  "the viewer of media": async (page, { ids }) => {
    await open(page, `/@bob/${ids["picture"]}`);
    await page.locator("a[data-media]").first().click();
    await page.getByRole("dialog", { name: "Media" }).waitFor();
  },
  "a catch-up with posts": openCatchUp,
  "the keys": async (page) => {
    await open(page, "/home");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
};

describe("axe", { skip: withoutChromium, concurrency: 2 }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let village: Village;
  let of: Record<string, string>;

  before(async () => {
    server = await startTestApp();
    village = await makeVillage(server);
    village.ids["group"] = await makeGroup(server, village);
    village.ids["event"] = await makeEvent(server, village);
    const circle = { status: "Among us", visibility: "circle", list_ids: [village.ids["list"]] };
    const { id } = await caller(server)(village.alice, "POST", "/api/v1/statuses", circle);
    village.ids["circle"] = id;
    of = addresses(village);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const look = async (page: Page, paths: readonly string[]): Promise<Record<string, string[]>> => {
    const looking = await beginLooking(page);
    const violations: Record<string, string[]> = {};
    for (const path of paths) {
      await open(page, path);
      const faults = await faultsOf(looking);
      if (faults.length > 0) violations[path] = faults;
    }
    return violations;
  };

  test("the table has every page of the client", async () => {
    const { pagePaths } = await loadBundle();
    assert.deepEqual(Object.keys(of).sort(), [...pagePaths].sort());
  });

  for (const part of [0, 1]) {
    test(`pages of members (${part + 1} of 2)`, async (t) => {
      const { page, allow } = await browser.visit(t, { who: "alice" });
      allow(/Failed to load resource.*404/);
      const all = [
        "/@moss",
        `/@alice/${village.ids["event"]}`,
        ...Object.values(of),
        ...MORE_POSTS.map((name) => `/@bob/${village.ids[name]}`),
      ];
      const violations = await look(
        page,
        all.filter((_path, index) => index % 2 === part),
      );
      assert.deepEqual(violations, {});
    });
  }

  test("pages of settings and of the staff", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    // A link of a mail that is not complete.
    allow(/Failed to load resource.*4\d\d/);
    const { pagePaths } = await loadBundle();
    const paths: string[] = [];
    for (const path of await framedPaths(server, village, pagePaths)) {
      const response = await page.request.get(path);
      if (response.headers()["content-type"]?.startsWith("text/html")) paths.push(path);
    }
    assert.ok(paths.length > 15, paths.join());
    assert.deepEqual(await look(page, paths), {});
  });

  test("pages of visitors", async (t) => {
    const { page, allow } = await browser.visit(t);
    // What is not there, and the form of a server that is closed to sign-ups.
    allow(/Failed to load resource.*40[34]/);
    assert.deepEqual(await look(page, VISITOR), {});
  });

  test("what opens above a page", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    const looking = await beginLooking(page);
    const violations: Record<string, string[]> = {};
    for (const [name, show] of Object.entries(ABOVE)) {
      await show(page, village);
      const faults = await faultsOf(looking);
      if (faults.length > 0) violations[name] = faults;
    }
    assert.deepEqual(violations, {});
  });
});
