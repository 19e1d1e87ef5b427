// Debian's Chromium without a window, with one page, driven by its debugging protocol.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import { findProgram } from "../src/platform/config/programs.ts";

const program = findProgram("chromium");

/** For tests' `skip`. With NEED_CHROMIUM they fail instead. */
export const withoutChromium =
  program === null && process.env["NEED_CHROMIUM"] === undefined
    ? "there is no chromium (apt-get install chromium)"
    : false;

type Message = { id?: number; method?: string; params?: any; result?: any; error?: object };

export type Chromium = {
  /** A command of the protocol, to the page unless it is one of `Browser` or `Target`. */
  send(method: string, params?: object): Promise<any>;
  /** The parameters of the first event of this name for which `check` returns something, from the begin on. */
  event<T>(method: string, check: (params: any) => T | undefined): Promise<T>;
  /** The value of an expression in the page, awaited. */
  evaluate(expression: string): Promise<any>;
  close(): Promise<void>;
};

/** Resolves with the address of the debugging protocol, which it prints. */
const addressOf = async (lines: AsyncIterable<string>): Promise<string> => {
  for await (const line of lines) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error("chromium ended");
};

/** Resolves once the page is loaded; its origin may show notifications. */
export const startChromium = async (url: string): Promise<Chromium> => {
  if (program === null) throw new Error("there is no chromium");
  const folder = mkdtempSync(join(tmpdir(), "rookery-chromium-"));
  const args = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-port=0",
    `--user-data-dir=${folder}`,
    "about:blank",
  ];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const socket = new WebSocket(await addressOf(createInterface({ input: child.stderr })));
  child.stderr.resume();
  await once(socket, "open");
  const waiting = new Map<number, PromiseWithResolvers<any>>();
  const events: Message[] = [];
  let listeners: (() => void)[] = [];
  let session: string | undefined;
  let last = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) {
      events.push(message);
      for (const listener of listeners) listener();
      return;
    }
    const { resolve, reject } = waiting.get(message.id)!;
    waiting.delete(message.id);
    if (message.error) reject(new Error(JSON.stringify(message.error)));
    else resolve(message.result);
  });
  const send: Chromium["send"] = (method, params = {}) => {
    const isPage = session !== undefined && !/^(?:Browser|Target)\./.test(method);
    const call = Promise.withResolvers<any>();
    waiting.set((last += 1), call);
    socket.send(
      JSON.stringify({ id: last, method, params, ...(isPage && { sessionId: session }) }),
    );
    return call.promise;
  };
  const { origin } = new URL(url);
  await send("Browser.grantPermissions", { origin, permissions: ["notifications"] });
  const event: Chromium["event"] = (method, check) =>
    new Promise((resolve) => {
      const look = (): void => {
        for (const { method: name, params } of events) {
          const found = name === method ? check(params) : undefined;
          if (found === undefined) continue;
          listeners = listeners.filter((one) => one !== look);
          return resolve(found);
        }
      };
      listeners.push(look);
      look();
    });
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  await send("Page.enable");
  await send("Page.setLifecycleEventsEnabled", { enabled: true });
  // What is evaluated before the page is there would be cut off by its coming.
  const { loaderId } = await send("Page.navigate", { url });
  await event("Page.lifecycleEvent", (one) =>
    one.loaderId === loaderId && one.name === "load" ? true : undefined,
  );
  return {
    send,
    event,
    async evaluate(expression) {
      const { result, exceptionDetails } = await send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    },
    async close() {
      socket.terminate();
      const ended = once(child, "exit");
      kill();
      await ended;
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
};
