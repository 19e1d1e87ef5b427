// Opens Debian's Chromium for tests of the web client: a browser for a test file, a context for each person, signed in
// through the page. A test fails on errors in the console or of the page's scripts, violations of the policy (which the
// console reports), and requests to any other host.

import type { TestContext } from "node:test";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findProgram } from "../../src/platform/config/programs.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS } from "./until.ts";

const program = findProgram("chromium");
/** The headless shell draws no window and is four times as fast, but has no push notifications. */
const shell = findProgram("chromium-headless-shell") ?? program;

/** Value for tests' `skip`. With NEED_CHROMIUM tests fail instead. */
export const withoutChromium =
  program === null && process.env["NEED_CHROMIUM"] === undefined
    ? "there is no chromium (apt-get install chromium)"
    : false;

export const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Requests of a page to another host are recorded, and go nowhere.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  // This makes `performance.memory` exact to the byte.
  "--enable-precise-memory-info",
];
const PASSWORD = "correct horse";

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** Window sizes and themes in which pages are tested: wide and light, narrow and dark. */
export const LOOKS = [
  { size: DESK, dark: false },
  { size: PHONE, dark: true },
];
/** Selectors of the composer: its text, its send button, and its menus of audience and rare choices. */
export const [TEXT, SEND, AUDIENCE, MORE] = [
  ".composer-text textarea",
  ".composer-end .button",
  "button.choice:not(.choice-more)",
  "button.choice-more",
];

export type VisitOptions = {
  /** Login of the signed-in person; absent for a visitor. */
  who?: string;
  /**
   * Gives the visit a session of its own that can be ended, instead of the one that all visits of this person share.
   */
  ownSession?: boolean;
  size?: { width: number; height: number };
  dark?: boolean;
  scripts?: boolean;
  locale?: string;
  /** Has touch, like a phone. */
  touch?: boolean;
};

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** What went wrong so far. */
  faults: string[];
  /** Ignores matching faults: the browser also reports what a test refuses on purpose. */
  allow(fault: RegExp): void;
};

export type TestBrowser = {
  /** Opens a visit that ends with the test, which fails if something went wrong in the page. */
  visit(t: TestContext, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
};

type Cookies = Awaited<ReturnType<BrowserContext["storageState"]>>;

export const signIn = async (page: Page, url: string, login: string): Promise<void> => {
  await page.goto(`${url}/auth/sign_in`);
  await page.fill("[name=login]", login);
  await page.fill("[name=password]", PASSWORD);
  await Promise.all([
    page.waitForURL((address) => address.pathname !== "/auth/sign_in"),
    page.press("[name=password]", "Enter"),
  ]);
};

/** Records the faults of all pages of a context. */
const watchFaults = (context: BrowserContext, origin: string, faults: string[]): void => {
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin)
      faults.push(`a request to another host: ${request.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error")
      faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => faults.push(`error: ${error.error().stack}`));
};

/** Describes the page for whoever reads why a test failed. */
const describePage = async (page: Page): Promise<string> => {
  const text = await page.evaluate("document.body.innerText").catch(String);
  return `${page.url()} shows: ${String(text).slice(0, 2000)}`;
};

export const startBrowser = async (
  { url }: Pick<TestApp, "url">,
  { hasPush = false } = {},
): Promise<TestBrowser> => {
  const browser: Browser = await chromium.launch({
    executablePath: (hasPush ? program : shell)!,
    args: ARGS,
  });
  const sessions = new Map<string, Promise<Cookies>>();

  const makeSession = async (who: string): Promise<Cookies> => {
    const context = await browser.newContext();
    await signIn(await context.newPage(), url, who);
    const state = await context.storageState();
    await context.close();
    return state;
  };

  const sessionOf = (who: string): Promise<Cookies> => {
    const state = sessions.get(who) ?? makeSession(who);
    sessions.set(who, state);
    return state;
  };

  const contextFor = async (options: VisitOptions): Promise<BrowserContext> => {
    const { who, ownSession = false, size = DESK, dark = false, scripts = true } = options;
    const state = who && (ownSession ? makeSession(who) : sessionOf(who));
    const context = await browser.newContext({
      baseURL: url,
      viewport: size,
      colorScheme: dark ? "dark" : "light",
      javaScriptEnabled: scripts,
      locale: options.locale ?? "en",
      hasTouch: options.touch ?? false,
      ...(state && { storageState: await state }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };

  return {
    async visit(t, options = {}) {
      const context = await contextFor(options);
      const faults: string[] = [];
      const allowed: RegExp[] = [];
      watchFaults(context, url, faults);
      t.after(async () => {
        if (!t.passed) for (const each of context.pages()) t.diagnostic(await describePage(each));
        await context.close();
        const left = faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
        if (left.length > 0) throw new Error(`faults of the page:\n${left.join("\n")}`);
      });
      const page = await context.newPage();
      return { page, context, faults, allow: (fault) => void allowed.push(fault) };
    },
    close: () => browser.close(),
  };
};
