// Every page of the web client, and what opens above it, by axe-core's rules: no violation on a phone, in light and dark
// in turns, nor on a desk, of some pages that differ there; nothing is wider than a narrow window or with text twice as
// large, nor mirrored with texts twice as long; no focus ring is cut; fingers hit what is pressed on pages of settings
// and of the staff; no form is judged by the browser; each page comes alive.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { MISSED } from "./hit-areas.ts";
import { DESK, MORE, PHONE, SEND, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { BROKEN, MIRRORED_AND_LONG, OVERFLOW } from "./overflow.ts";
import { addresses, framedPaths, makeWholeVillage, MORE_POSTS, VISITOR } from "./pages.ts";
import { CUT_RINGS } from "./rings.ts";
import { open } from "./until.ts";
import type { Village } from "./village.ts";

// An open menu is no part of a landmark, like a dialog.
const AXE = `${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")}
axe.configure({ checks: [{ id: "region", options: { regionMatcher: "dialog, [role=dialog], [role=menu], svg" } }] });`;
/** Of the rules that are off by default: targets of at least 24 pixels. */
const ALL = `{ resultTypes: ["violations"], preload: false, rules: { "target-size": { enabled: true } } }`;
const only = (...rules: string[]): string =>
  `{ resultTypes: ["violations"], preload: false, runOnly: ${JSON.stringify(rules)} }`;
/** These rules depend on the layout or on the colours of each part of a page. */
const OF_PARTS = [
  "target-size",
  "scrollable-region-focusable",
  "color-contrast",
  "link-in-text-block",
];
/** "region" depends on the layout of the whole page. */
const LOOKS = only(...OF_PARTS, "region");

const WHOLE = "document";
/** Without what is around all pages, and without more posts of the kinds that are looked at on pages of their own. */
const OWN = `{
  include: [document],
  exclude: [".side", ".aside", ".feed > .post:nth-of-type(n+4)"].filter((each) => document.querySelector(each)),
}`;

const run = (page: Page, context: string, options: string): Promise<string[]> =>
  page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 200) + " " + (any[0]?.message ?? "")).join(" | ")))`);

const ruleOf = (violation: string): string => violation.split(":")[0]!;

/** Pages of settings that the client draws. */
const HAND_PAGES = /^\/settings(?:\/\w+)?$/;

const NARROW = { width: 320, height: 640 };
/** Those of the design: a tablet with a menu of icons, a wide desk, a desk, and a phone, as which the page stays. */
const WIDTHS = [768, 1600, DESK.width, PHONE.width];

type Size = { width: number; height: number };

/** A page, and who looks at it. */
type Looking = {
  page: Page;
  /** As \`page.setViewportSize\`, which also moves the browser's window: that takes longer than the rules. */
  resize(size: Size): Promise<unknown>;
  /** Whether the pages are laid out in other ways on a desk: those of the client are a column of the same parts. */
  hasDesk: boolean;
  protocol: CDPSession;
  /** Pages so far; on the first two, one of each scheme, layout and colours of what is around all pages count, too. */
  pages: number;
};

const beginLooking = async (page: Page, hasDesk = false): Promise<Looking> => {
  await page.addInitScript(AXE);
  const protocol = await page.context().newCDPSession(page);
  const fixed = { deviceScaleFactor: 1, mobile: false };
  return {
    page,
    resize: (size) => protocol.send("Emulation.setDeviceMetricsOverride", { ...size, ...fixed }),
    hasDesk,
    protocol,
    pages: 0,
  };
};

/** A window of twice the width with text of 200 % has as much room as a narrow one: they take turns. */
const widths = async ({ page, resize, pages }: Looking): Promise<string[]> => {
  const faults: string[] = [];
  if (pages % 4 < 2) {
    await resize(NARROW);
    const narrow = await page.evaluate(OVERFLOW);
    if (narrow) faults.push(`wider than ${NARROW.width} px: ${String(narrow)}`);
  } else {
    await resize({ ...NARROW, width: 2 * NARROW.width });
    const large = await page.evaluate(`(() => {
      document.documentElement.style.fontSize = "200%";
      const over = ${OVERFLOW};
      document.documentElement.style.fontSize = "";
      return over;
    })()`);
    if (large) faults.push(`too wide with text of 200 %: ${String(large)}`);
  }
  for (const width of WIDTHS) {
    await resize({ ...PHONE, width });
    const found = [await page.evaluate(OVERFLOW), await page.evaluate(BROKEN)].filter(Boolean);
    if (found.length > 0) faults.push(`${width} px: ${found.join(" ")}`);
  }
  // Posts outside the window get their new widths with a frame.
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
  );
  const mirrored = String(await page.evaluate(MIRRORED_AND_LONG));
  if (mirrored) faults.push(`mirrored, with long texts, ${PHONE.width} px: ${mirrored}`);
  return faults;
};

/**
 * What the bar at the edge of the window hides for now can be scrolled from under it: a window as high as the page
 * shows all.
 */
const onPhone = async ({ page, resize }: Looking, context: string): Promise<string[]> => {
  const violations = await run(page, context, ALL);
  if (!violations.some((text) => text.includes("obscured"))) return violations;
  const height = (await page.evaluate("document.documentElement.scrollHeight")) as number;
  await resize({ ...PHONE, height: Math.max(PHONE.height, height) });
  const again = violations.filter((text) => text.includes("obscured")).map(ruleOf);
  const others = violations.filter((text) => !again.includes(ruleOf(text)));
  return [...others, ...(await run(page, context, only(...again)))];
};

/**
 * All that is wrong with what the page shows now: by all rules on a phone, by those that may differ on a desk, of
 * some pages that do, in dark on the one and in light on the other, in turns. The page stays as wide as a phone, as
 * each other width lays it out and draws it again.
 */
const faultsOf = async (looking: Looking): Promise<string[]> => {
  const { page, resize, hasDesk, pages } = looking;
  const schemes = ["light", "dark"] as const;
  const [onDesk, below] = pages % 2 === 0 ? schemes : schemes.toReversed();
  const context = pages < 2 ? WHOLE : OWN;
  looking.pages += 1;
  const violations: string[] = [];
  if (pages < 2 || (hasDesk && pages % 3 === 0)) {
    await resize(DESK);
    await page.emulateMedia({ colorScheme: onDesk! });
    const found = await run(page, context, LOOKS);
    violations.push(...found.map((text) => `${onDesk} desk: ${text}`));
  }
  await page.emulateMedia({ colorScheme: below! });
  violations.push(...(await widths(looking)));
  violations.push(...(await onPhone(looking, context)).map((text) => `${below} phone: ${text}`));
  return violations;
};

/** In a narrow and in a wide window in turns: what cuts a ring is a part that many pages have. */
const cutRings = async ({ page, resize, pages }: Looking): Promise<string[]> => {
  // The focus shows as for who uses keys.
  await page.keyboard.press("Shift");
  const size = pages % 4 < 2 ? PHONE : DESK;
  await resize(size);
  const cut = (await page.evaluate(CUT_RINGS)) as string;
  return cut ? [`a focus ring is cut, ${size.width} wide: ${cut}`] : [];
};

/** Forms that the browser judges, in the language that it has: the server says what is wrong, beside each field. */
const JUDGED = `[...document.forms].filter((form) => !form.noValidate && [...form.elements].some((field) =>
  field.matches("input:not([type=hidden]), select, textarea") &&
  (field.required || field.pattern || /^(email|url|number|date|time|datetime-local)$/.test(field.type)),
)).map((form) => "judged by the browser: " + form.cloneNode().outerHTML)`;

/** On a phone everything that is pressed can be hit on a height of 44 pixels. */
const missed = async ({ page, resize, protocol }: Looking): Promise<string[]> => {
  await resize(PHONE);
  await protocol.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const faults = (await page.evaluate(MISSED)) as string[];
  await protocol.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  return faults.map((text) => `missed by fingers: ${text}`);
};

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
    await page.getByLabel(/^Who can see this/).click();
    await page.getByRole("radio").first().waitFor();
  },
  "what is rarely chosen of a post": async (page) => {
    await open(page, "/compose");
    await page.click(MORE);
    await page.getByLabel("Expiry").selectOption({ label: "Expires after 1 day" });
    await page.locator(".composer-unusual").waitFor();
  },
  "an event that is written": async (page, { ids }) => {
    // A draft of its own: the one of a new post has a poll.
    await open(page, `/compose?in_reply_to=${ids["thread"]}`);
    await page.click(MORE);
    await page.getByRole("button", { name: "Event", exact: true }).click();
    await page.getByLabel("Ends (").fill("2020-01-01T00:00");
    await page.locator(SEND).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
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
    village = await makeWholeVillage(server);
    of = addresses(village);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const look = async (
    page: Page,
    paths: readonly string[],
    isServed = false,
  ): Promise<Record<string, string[]>> => {
    const looking = await beginLooking(page, isServed);
    const violations: Record<string, string[]> = {};
    for (const path of paths) {
      await open(page, path);
      const faults = [...(await faultsOf(looking)), ...(await cutRings(looking))];
      faults.push(...((await page.evaluate(JUDGED)) as string[]));
      if (isServed || HAND_PAGES.test(path)) faults.push(...(await missed(looking)));
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
      const { page, allow } = await browser.visit(t, { who: "alice", apart: true });
      allow(/Failed to load resource.*404/);
      const all = [
        "/@moss",
        "/@carol",
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
    const { page, allow } = await browser.visit(t, { who: "alice", apart: true });
    // A link of a mail that is not complete.
    allow(/Failed to load resource.*4\d\d/);
    const { pagePaths } = await loadBundle();
    const paths: string[] = [];
    for (const path of await framedPaths(server, village, pagePaths)) {
      const response = await page.request.get(path);
      if (response.headers()["content-type"]?.startsWith("text/html")) paths.push(path);
    }
    assert.ok(paths.length > 15, paths.join());
    assert.deepEqual(await look(page, paths, true), {});
  });

  test("pages of visitors", async (t) => {
    const { page, allow } = await browser.visit(t, { apart: true });
    // What is not there, and the form of a server that is closed to sign-ups.
    allow(/Failed to load resource.*40[34]/);
    assert.deepEqual(await look(page, VISITOR), {});
  });

  test("what opens above a page", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", apart: true });
    allow(/Failed to load resource/);
    const looking = await beginLooking(page);
    const violations: Record<string, string[]> = {};
    for (const [name, show] of Object.entries(ABOVE)) {
      await looking.resize(DESK);
      await show(page, village);
      const faults = await faultsOf(looking);
      if (faults.length > 0) violations[name] = faults;
    }
    assert.deepEqual(violations, {});
  });
});
