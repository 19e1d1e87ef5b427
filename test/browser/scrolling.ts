// Scrolls like a reader who looks for something far down.

import type { Page } from "playwright-core";

const STEP_PX = 250;

/** Scrolls until a list has this many posts. */
export const scrollUntil = (page: Page, posts: number): Promise<void> =>
  page.evaluate(`(async () => {
    while (document.querySelectorAll(".feed > .post").length < ${posts}) {
      scrollBy(0, ${STEP_PX});
      await new Promise(requestAnimationFrame);
    }
  })()`);
