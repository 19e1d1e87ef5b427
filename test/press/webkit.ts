// Drives WebKitGTK by its WebDriver, on an invisible screen. Each window is a browser of its own, never narrower than
// its toolbar; its touch arrives as mouse events.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../../src/platform/config/programs.ts";
import { freePort } from "../free-port.ts";
import { orHangs } from "./port.ts";
import type { Browser, Window, WindowOptions } from "./port.ts";

const [MINI_BROWSER] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");

export const hasWebKit = (): boolean =>
  MINI_BROWSER !== undefined &&
  findProgram("WebKitWebDriver") !== null &&
  findProgram("Xvfb") !== null;

type Call = <T = unknown>(method: string, path: string, body?: object) => Promise<T>;

const caller =
  (port: number): Call =>
  async (method, path, body) => {
    const send = fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await orHangs(`${method} ${path}`, send);
    const { value } = (await answer.json()) as { value: any };
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };

/** Script that records errors after a document was opened, since there is no log to read. */
const RECORD = `(() => {
  if (window.complaints) return;
  window.complaints = [];
  const { error } = console;
  console.error = (...parts) => { complaints.push("console: " + parts.join(" ")); error(...parts); };
  addEventListener("error", ({ message }) => message && complaints.push("error: " + message));
  addEventListener("unhandledrejection", ({ reason }) => complaints.push("error: " + reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    complaints.push("policy: " + violatedDirective + " " + blockedURI));
})()`;
const TAKE = `(window.complaints ?? []).splice(0)`;

const KEYS: Record<string, string> = { Escape: "\uE00C", Enter: "\uE007", Tab: "\uE004" };

const toWindow = (call: Call, session: string, { origin }: WindowOptions): Window => {
  const faults: string[] = [];
  const evaluate = async <T>(expression: string): Promise<T> => {
    const script = `return Promise.resolve((${expression}))`;
    return call<T>("POST", `${session}/execute/sync`, { script, args: [] });
  };
  const record = async () => {
    faults.push(...(await evaluate<string[]>(TAKE)));
    await evaluate(RECORD);
  };
  return {
    async open(path) {
      await call("POST", `${session}/url`, { url: new URL(path, origin).href });
      await record();
    },
    async evaluate<T>(expression: string) {
      await record();
      return evaluate<T>(expression);
    },
    async press(x, y) {
      const at = { x: Math.round(x), y: Math.round(y), duration: 0 };
      const actions = [
        { type: "pointerMove", ...at },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      const hand = { type: "pointer", id: "hand", parameters: { pointerType: "mouse" }, actions };
      await call("POST", `${session}/actions`, { actions: [hand] });
    },
    async key(name) {
      const value = KEYS[name] ?? name;
      const actions = ["keyDown", "keyUp"].map((type) => ({ type, value }));
      await call("POST", `${session}/actions`, { actions: [{ type: "key", id: "keys", actions }] });
    },
    picture: async (path) =>
      writeFile(path, await call<string>("GET", `${session}/screenshot`), "base64"),
    takeFaults: () => faults.splice(0),
    close: async () => void (await call("DELETE", session)),
  };
};

const BEGIN = {
  capabilities: {
    alwaysMatch: {
      "webkitgtk:browserOptions": { binary: MINI_BROWSER, args: ["--automation"] },
    },
  },
};

/** Returns by how much the window has to be larger than the page. */
const aroundOf = (call: Call, session: string): Promise<[number, number]> =>
  call("POST", `${session}/execute/sync`, {
    script: "return [outerWidth - innerWidth, outerHeight - innerHeight]",
    args: [],
  });

const startScreen = async (): Promise<{ screen: ChildProcess; display: string }> => {
  let number = 90;
  while (existsSync(`/tmp/.X11-unix/X${number}`)) number += 1;
  const display = `:${number}`;
  const screen = spawn("Xvfb", [display, "-screen", "0", "1600x1400x24"], { stdio: "ignore" });
  while (!existsSync(`/tmp/.X11-unix/X${number}`)) await sleep(50);
  return { screen, display };
};

export const launchWebKit = async (): Promise<Browser> => {
  const { screen, display } = await startScreen();
  const port = await freePort();
  const env = { ...process.env, DISPLAY: display, LC_ALL: "C.UTF-8" };
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const call = caller(port);
  const isReady = () =>
    call("GET", "/status").then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await sleep(50);
  let version = "";
  return {
    name: "webkit",
    get version() {
      return `WebKitGTK ${version}`;
    },
    async window(options) {
      const begun = await call<{ sessionId: string; capabilities: { browserVersion: string } }>(
        "POST",
        "/session",
        BEGIN,
      );
      version = begun.capabilities.browserVersion;
      const session = `/session/${begun.sessionId}`;
      await call("POST", `${session}/url`, { url: new URL("/health", options.origin).href });
      const [width, height] = await aroundOf(call, session);
      await call("POST", `${session}/window/rect`, {
        width: options.width + width,
        height: options.height + height,
      });
      for (const [name, value] of options.cookies)
        await call("POST", `${session}/cookie`, {
          cookie: { name, value, path: "/", httpOnly: true },
        });
      return toWindow(call, session, options);
    },
    async close() {
      driver.kill();
      screen.kill();
    },
  };
};
