// Waits for what a page shows or has done, by polling from outside: playwright's `waitForFunction` uses eval in the
// page, which the policy of our pages forbids.

import type { Page, Request } from "playwright-core";
import { eventually } from "../journeys/eventually.ts";

/** Milliseconds for a click, a wait or an expectation; far above what is ever needed. */
export const PATIENCE_MS = 60_000;

/** Waits until this expression, awaited, is true in the page, also in a document that replaces it. */
export const until = async (page: Page, condition: string): Promise<void> => {
  await eventually(condition, () => page.evaluate(condition), PATIENCE_MS);
};

/**
 * Waits until the client runs: before that a press is an ordinary form or link. Pages without the client are ready at
 * once.
 */
export const untilAlive = (page: Page): Promise<void> =>
  until(
    page,
    "!document.querySelector('script#state') || document.querySelector('#app')?.__k !== undefined",
  );

/** Opens an address and waits until the client runs. */
export const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await untilAlive(page);
};

/** Opens an address and waits until the window hears its stream: before that, events are missed and asked for. */
export const openHearing = async (page: Page, path: string): Promise<void> => {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Network.enable");
  const shaken = new Promise((resolve) =>
    protocol.once("Network.webSocketHandshakeResponseReceived", resolve),
  );
  await open(page, path);
  await shaken;
  await protocol.detach();
};

/** Waits until nothing scrolls or changes the height of the page for some frames. */
export const untilStill = (page: Page): Promise<void> =>
  until(
    page,
    `(async () => {
      const now = () => [scrollY, document.documentElement.scrollHeight].join();
      const before = now();
      for (let frame = 0; frame < 10; frame += 1) {
        await new Promise(requestAnimationFrame);
        if (now() !== before) return false;
      }
      return true;
    })()`,
  );

/** Consecutive looks, 50 ms apart, without a request in progress. */
const QUIET_LOOKS = 3;

/** Runs `act`, and waits until everything that the page requests because of it has arrived. */
export const untilQuiet = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  const requests = new Set<Request>();
  const add = (request: Request): void => void requests.add(request);
  const remove = (request: Request): void => void requests.delete(request);
  page.on("request", add).on("requestfinished", remove).on("requestfailed", remove);
  try {
    await act();
    let looks = 0;
    await eventually("an end of requests", () => {
      looks = requests.size === 0 ? looks + 1 : 0;
      return looks >= QUIET_LOOKS;
    });
  } finally {
    page.off("request", add).off("requestfinished", remove).off("requestfailed", remove);
  }
};
