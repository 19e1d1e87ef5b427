// Drives Chromium by its own protocol and Firefox by WebDriver BiDi, both through Puppeteer.

import puppeteer from "puppeteer-core";
import type { BrowserContext, KeyInput, Page } from "puppeteer-core";
import { findProgram } from "../../src/platform/config/programs.ts";
import { ARGS } from "../browser/open.ts";
import { HANGS_MS, orHangs } from "./port.ts";
import type { Browser, Window, WindowOptions } from "./port.ts";

/** Value for media queries: a pointer that is coarse and cannot hover, for windows with touch. */
const COARSE = 1;

const FIREFOX_PREFS = (touch: boolean) => ({
  "intl.accept_languages": "en",
  "dom.w3c_touch_events.enabled": 1,
  ...(touch && {
    "ui.primaryPointerCapabilities": COARSE,
    "ui.allPointerCapabilities": COARSE,
    // Bars of phones lie above the page, so that it is as wide with one.
    "ui.useOverlayScrollbars": 1,
  }),
});

const program = {
  chromium: () => findProgram("chromium-headless-shell") ?? findProgram("chromium"),
  firefox: () => findProgram("firefox-esr") ?? findProgram("firefox"),
};

export const hasProgram = (name: keyof typeof program): boolean => program[name]() !== null;

/** Whether the console only repeats the status of an answer, which is judged as the server gave it. */
const isRepeated = (text: string): boolean =>
  /Failed to load resource: the server responded/.test(text);

const watch = (page: Page, faults: string[]): void => {
  page.on("console", (message) => {
    if (message.type() === "error" && !isRepeated(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${String(error)}`));
  page.on("error", () => faults.push("error: the page crashed"));
  page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));
};

/** Opens the page, once more where a navigation that the last press began has ended this one. */
const goTo = async (page: Page, url: string): Promise<void> => {
  const isEnded = (error: unknown) => String(error).includes("NS_BINDING_ABORTED");
  await page.goto(url).catch((error: unknown) => {
    if (!isEnded(error)) throw error;
    return page.goto(url);
  });
};

const toWindow = (
  context: BrowserContext,
  page: Page,
  { touch, origin }: WindowOptions,
): Window => {
  const faults: string[] = [];
  watch(page, faults);
  return {
    open: async (path) => orHangs(`opening ${path}`, goTo(page, new URL(path, origin).href)),
    evaluate: (expression) => orHangs("no answer", page.evaluate(expression) as Promise<never>),
    press: (x, y) =>
      orHangs("a press", touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y)),
    key: (name) => orHangs("a key", page.keyboard.press(name as KeyInput)),
    picture: async (path) =>
      void (await orHangs("a picture", page.screenshot({ path: path as `${string}.png` }))),
    takeFaults: () => faults.splice(0),
    close: () => orHangs("closing", context.close()),
  };
};

/** `touch` is chosen here, because Firefox has one kind of pointer for all of its windows. */
export const launch = async (name: keyof typeof program, touch: boolean): Promise<Browser> => {
  const browser = await puppeteer.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath: program[name]()!,
    protocolTimeout: HANGS_MS,
    ...(name === "firefox"
      ? { extraPrefsFirefox: FIREFOX_PREFS(touch) }
      : { args: [...ARGS, "--lang=en"] }),
  });
  return {
    name,
    version: await browser.version(),
    async window(options) {
      const { width, height, cookies, origin, withoutScripts } = options;
      const context = await browser.createBrowserContext();
      // A press lets pages write to the clipboard, which a browser without a window refuses.
      if (name === "chromium")
        await context.setPermission(origin, {
          permission: { name: "clipboard-write" },
          state: "granted",
        });
      const page = await context.newPage();
      if (withoutScripts) await page.setJavaScriptEnabled(false);
      const isMobile = options.touch && name === "chromium";
      await page.setViewport({ width, height, isMobile, hasTouch: isMobile });
      const domain = new URL(origin).hostname;
      const all = [...cookies].map(([key, value]) => ({
        name: key,
        value,
        domain,
        path: "/",
        httpOnly: true,
      }));
      if (all.length > 0) await context.setCookie(...all);
      return toWindow(context, page, options);
    },
    close: () => browser.close(),
  };
};
