// The client's own question, which is asked before something is lost.

import type { Locator, Page } from "playwright-core";

export const questionOf = (page: Page): Locator => page.getByRole("alertdialog");

/** Presses one of its buttons, and waits until it is closed. */
export const answer = async (page: Page, button: string): Promise<void> => {
  const question = questionOf(page);
  await question.getByRole("button", { name: button, exact: true }).click();
  await question.waitFor({ state: "detached" });
};
