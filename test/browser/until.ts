// Waits for what a page shows or has done. It is asked from outside, again and again: playwright's `waitForFunction`
// uses eval in the page, which the policy of our pages forbids.

import type { Page, Request } from "playwright-core";
import { eventually } from "../journeys/eventually.ts";

/** Of a click, a wait, an expectation: far above what is ever needed. */
export const PATIENCE_MS = 60_000;

/** Until this expression, awaited, is true in the page, also in a document that comes after this one. */
export const until = async (page: Page, condition: string): Promise<void> => {
  await eventually(condition, () => page.evaluate(condition), PATIENCE_MS);
};

/** Until the client answers: what is pressed before that is a form, a link. Pages without it are ready as they come. */
export const untilAlive = (page: Page): Promise<void> =>
  until(
    page,
    "!document.querySelector('script#state') || document.querySelector('#app')?.__k !== undefined",
  );

/** By its address, until the client answers. */
export const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await untilAlive(page);
};

/** Until nothing scrolls, nor changes the height of the page, for some frames. */
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

/** Looks in a row, 50 ms apart, in which no request is under way. */
const QUIET_LOOKS = 3;

/** Does this, and waits until all is there that the page asks for because of it. */
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
