// Scrolls like a reader who looks for something far down.

import type { Page } from "playwright-core";

const STEP_PX = 250;

/** Scrolls until the page has what this selector selects. */
export const scrollUntil = (page: Page, selector: string): Promise<void> =>
  page.evaluate(`(async () => {
    while (!document.querySelector(${JSON.stringify(selector)})) {
      scrollBy(0, ${STEP_PX});
      await new Promise(requestAnimationFrame);
    }
  })()`);
