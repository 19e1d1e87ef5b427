// Opens Debian's Chromium for tests of the web client: a browser for a process, a signed-in window for each test, which
// later tests use again. A test fails on errors in the console or of the page's scripts, violations of the policy (which
// the console reports), and requests to any other host.

import type { TestContext } from "node:test";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findProgram } from "../../src/platform/config/programs.ts";
import { atEnd } from "../at-end.ts";
import { openBrowser } from "../browser.ts";
import type { TestApp } from "../harness.ts";
import { clean } from "./clean.ts";
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
  // Requests of a page to another host are recorded, and go nowhere. `localhost` is another site on this machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  // This makes `performance.memory` exact to the byte.
  "--enable-precise-memory-info",
  // Pages live for moments: to optimise their code, on other threads, takes longer than it saves.
  "--js-flags=--no-opt,--no-maglev",
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
  /**
   * Gives the visit a window that no other test has: for what cannot be undone in it, or what is measured of a first
   * view.
   */
  apart?: boolean;
  /**
   * Lets pages install the service worker, which loads all files of the client; it has a window of its own, too.
   */
  worker?: boolean;
  size?: { width: number; height: number };
  dark?: boolean;
  scripts?: boolean;
  locale?: string;
  /** Time zone of the device, such as Asia/Tokyo. */
  zone?: string;
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

export const signIn = async (page: Page, url: string, login: string): Promise<void> => {
  await page.goto(`${url}/auth/sign_in`);
  await page.fill("[name=login]", login);
  await page.fill("[name=password]", PASSWORD);
  await Promise.all([
    page.waitForURL((address) => address.pathname !== "/auth/sign_in"),
    page.press("[name=password]", "Enter"),
  ]);
};

/**
 * Milliseconds for which a browser waits for the next file that needs one: to start it costs as much as some tests.
 */
const IDLE_MS = 30_000;

type Running = { browser: Promise<Browser>; users: number; idle?: NodeJS.Timeout };
/** Browsers of this process by their program. */
const running = new Map<string, Running>();

const endBrowser = async (executablePath: string): Promise<void> => {
  const one = running.get(executablePath);
  running.delete(executablePath);
  clearTimeout(one?.idle);
  await (await one?.browser)?.close();
};

const launchBrowser = (executablePath: string): Running => {
  atEnd(() => endBrowser(executablePath));
  return { browser: chromium.launch({ executablePath, args: ARGS }), users: 0 };
};

const takeBrowser = (executablePath: string): Promise<Browser> => {
  const one = running.get(executablePath) ?? launchBrowser(executablePath);
  running.set(executablePath, one);
  clearTimeout(one.idle);
  one.users += 1;
  return one.browser;
};

const leaveBrowser = (executablePath: string): void => {
  const one = running.get(executablePath)!;
  one.users -= 1;
  if (one.users > 0) return;
  one.idle = setTimeout(() => void endBrowser(executablePath), IDLE_MS).unref();
};

/** A window, with the faults of who uses it now, and what it last received. */
type Window = { page: Page; context: BrowserContext; faults: string[]; received: string[] };

const MAX_RECEIVED = 40;

/** Records answers and frames of a page, for whoever reads why a test failed. */
const watchReceived = ({ page, received }: Window): void => {
  const note = (what: string): void => {
    received.push(`${new Date().toISOString().slice(14, 23)} ${what.slice(0, 160)}`);
    if (received.length > MAX_RECEIVED) received.shift();
  };
  page.on("response", (response) => note(`${response.status()} ${response.url()}`));
  page.on("websocket", (socket) => {
    note(`opens ${new URL(socket.url()).pathname}`);
    socket.on("framereceived", ({ payload }) => note(`frame ${String(payload)}`));
    socket.on("close", () => note("the socket is closed"));
  });
};

/** Records the faults of all pages of a context. */
const watchFaults = (window: Window, origin: string): void => {
  const { context } = window;
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin)
      window.faults.push(`a request to another host: ${request.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error")
      window.faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => window.faults.push(`error: ${error.error().stack}`));
};

/** Describes the page for whoever reads why a test failed. */
const describePage = async (page: Page): Promise<string> => {
  const look = `[document.activeElement?.cloneNode().outerHTML, scrollY, document.body.innerText].join("\\n")`;
  const text = await page.evaluate(look).catch(String);
  return `${page.url()} has the focus on, is scrolled to, and shows: ${String(text).slice(0, 2000)}`;
};

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** Signs in by the form of the page, without drawing it. */
const makeSession = async (server: TestApp, who: string): Promise<Cookies> => {
  const { cookies, signIn: submit } = openBrowser(server);
  await submit(who, PASSWORD);
  const how = { url: server.url, httpOnly: true, sameSite: "Lax" } as const;
  return [...cookies].map(([name, value]) => ({ name, value, ...how }));
};

const contextOptions = (url: string, options: VisitOptions) => ({
  baseURL: url,
  viewport: options.size ?? DESK,
  colorScheme: options.dark ? ("dark" as const) : ("light" as const),
  javaScriptEnabled: options.scripts ?? true,
  locale: options.locale ?? "en",
  ...(options.zone && { timezoneId: options.zone }),
  hasTouch: options.touch ?? false,
  serviceWorkers: options.worker ? ("allow" as const) : ("block" as const),
});

/** `server` is a server of ours, or for visitors alone something else that has an address. */
export const startBrowser = async (
  server: TestApp | { url: string },
  { hasPush = false } = {},
): Promise<TestBrowser> => {
  const { url } = server;
  const path = (hasPush ? program : shell)!;
  const browser = await takeBrowser(path);
  const sessions = new Map<string, Promise<Cookies>>();
  /** Windows that no test uses now, by their options. */
  const idle = new Map<string, Window[]>();
  const all = new Set<BrowserContext>();

  const sessionOf = ({ who, ownSession }: VisitOptions): Promise<Cookies> | [] => {
    if (!who) return [];
    if (ownSession) return makeSession(server as TestApp, who);
    const session = sessions.get(who) ?? makeSession(server as TestApp, who);
    sessions.set(who, session);
    return session;
  };

  const openWindow = async (options: VisitOptions): Promise<Window> => {
    const context = await browser.newContext(contextOptions(url, options));
    all.add(context);
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addCookies(await sessionOf(options));
    const window = { page: await context.newPage(), context, faults: [], received: [] };
    watchFaults(window, url);
    watchReceived(window);
    return window;
  };

  const closeWindow = async ({ context }: Window): Promise<void> => {
    all.delete(context);
    await context.close();
  };

  return {
    async visit(t, options = {}) {
      const key = JSON.stringify(options);
      const isApart = options.apart || options.ownSession || options.worker;
      const window = idle.get(key)?.pop() ?? (await openWindow(options));
      const { page, context } = window;
      const faults: string[] = [];
      window.faults = faults;
      const allowed: RegExp[] = [];
      t.after(async () => {
        if (!t.passed) {
          for (const each of context.pages()) t.diagnostic(await describePage(each));
          t.diagnostic(["received last:", ...window.received].join("\n"));
        }
        const left = faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
        if (isApart || !t.passed || page.isClosed()) await closeWindow(window);
        else {
          await clean(page, url, contextOptions(url, options), await sessionOf(options));
          idle.set(key, [...(idle.get(key) ?? []), window]);
        }
        if (left.length > 0) throw new Error(`faults of the page:\n${left.join("\n")}`);
      });
      return { page, context, faults, allow: (fault) => void allowed.push(fault) };
    },
    async close() {
      await Promise.all([...all].map((context) => context.close()));
      leaveBrowser(path);
    },
  };
};
