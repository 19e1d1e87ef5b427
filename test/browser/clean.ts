// Makes a window of a browser as new for the next test: a window that was used before opens a page for half of the CPU
// that one costs in a new window, which has to start a process and to compile the client again.

import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** Kinds of listeners that tests add to pages. */
const EVENTS = ["dialog", "request", "requestfinished", "requestfailed", "pageerror"] as const;

/** A small document of ours without the client, from which the storage of the page before can be cleared. */
const BLANK_PATH = "/health";

const FORGET = `(async () => {
  for (const storage of [localStorage, sessionStorage]) storage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
})()`;

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** Leaves the page by whatever it asks, and takes back what a test can have changed. */
export const clean = async (
  page: Page,
  url: string,
  { viewport, colorScheme }: BrowserContextOptions,
  cookies: Cookies,
): Promise<void> => {
  const context = page.context();
  await context.setOffline(false);
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const event of EVENTS) page.removeAllListeners(event);
  page.on("dialog", (dialog) => void dialog.accept());
  // A navigation of the page's own that is under way ends the first.
  await page.goto(url + BLANK_PATH).catch(() => page.goto(url + BLANK_PATH));
  page.removeAllListeners("dialog");
  await page.evaluate(FORGET);
  const protocol = await context.newCDPSession(page);
  // Keys that lead back do otherwise where nothing was before.
  await protocol.send("Page.resetNavigationHistory");
  await protocol.detach();
  await page.mouse.move(0, 0);
  const { width, height } = page.viewportSize()!;
  // This moves the browser's window, and takes as long as to open a page.
  if (width !== viewport!.width || height !== viewport!.height)
    await page.setViewportSize(viewport!);
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme!,
    forcedColors: null,
    reducedMotion: null,
  });
  await context.clearPermissions();
  await context.clearCookies();
  await context.addCookies(cookies);
};
