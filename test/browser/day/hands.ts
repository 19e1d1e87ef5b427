// Ways in which a person works: by a pointer, by fingers, or by the keyboard alone. Each does the same with the page.

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../journeys/eventually.ts";

export type Hand = {
  /** Presses a link, button or summary. */
  press(target: Locator): Promise<void>;
  /** Writes the whole text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses an option of a list, by its value. */
  choose(list: Locator, value: string): Promise<void>;
  /** Ticks a checkbox or a radio button. */
  tick(box: Locator): Promise<void>;
  /** Chooses an item of the open menu. */
  pick(name: RegExp): Promise<void>;
};

/**
 * Waits until an earlier press is answered, because the client ignores presses before that, although the API may show
 * the result sooner.
 */
const untilFree = (target: Locator): Promise<unknown> =>
  eventually("the answer to the press before", () =>
    target.evaluate((element) => element.closest("[aria-busy=true]") === null),
  );

const pointing = (page: Page, click: Hand["press"]): Hand => {
  const press = async (target: Locator): Promise<void> => {
    await untilFree(target);
    await click(target);
  };
  return {
    press,
    async write(field, text) {
      await press(field);
      await field.fill(text);
    },
    choose: async (list, value) => void (await list.selectOption(value)),
    tick: press,
    pick: (name) => press(page.getByRole("menuitem", { name })),
  };
};

export const mouse = (page: Page): Hand => pointing(page, (target) => target.click());
export const finger = (page: Page): Hand => pointing(page, (target) => target.tap());

/** Returns how often Tab has to be pressed, backwards if negative; null where the target cannot be reached. */
const distanceTo = new Function(
  "target",
  `// A toolbar is one stop: that which has the focus, or the first.
  const stopOf = (each) => {
    const toolbar = each.closest("[role=toolbar]");
    if (!toolbar) return each;
    return toolbar.contains(document.activeElement) ? document.activeElement : toolbar.querySelector("a[href], button:not(:disabled)");
  };
  const within = document.querySelector("dialog:modal") ?? document.body;
  const all = [...within.querySelectorAll("a[href], button, input, select, textarea, summary, audio, video, [tabindex]")];
  const stops = all.filter((each) => {
    if (each !== stopOf(each)) return false;
    if (each === target || each === document.activeElement) return true;
    if (each.tabIndex < 0 || each.disabled || !each.checkVisibility({ visibilityProperty: true })) return false;
    if (each.type !== "radio" || each.checked) return true;
    const group = all.filter(({ type, name }) => type === "radio" && name === each.name);
    return !group.some(({ checked }) => checked) && group[0] === each;
  });
  if (target.tabIndex < 0 || !stops.includes(stopOf(target))) return null;
  const from = stops.indexOf(document.activeElement);
  return stops.indexOf(stopOf(target)) - from;`,
) as (target: unknown) => number | null;

/** Returns how often an arrow key leads from what has the focus to the target, in the toolbar of both. */
const stepsTo = new Function(
  "target",
  `const items = [...target.closest("[role=toolbar]")?.querySelectorAll("a[href], button:not(:disabled)") ?? []];
  return items.length === 0 ? 0 : items.indexOf(target) - items.indexOf(document.activeElement);`,
) as (target: unknown) => number;

const ATTEMPTS = 8;

/** Presses Tab until the target has the focus. */
const reach = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Focusing may replace the target, so it is looked up again.
    const distance = await target.evaluate(distanceTo);
    if (distance === 0) {
      const steps = await target.evaluate(stepsTo);
      const arrow = steps < 0 ? "ArrowLeft" : "ArrowRight";
      await Promise.all(Array.from({ length: Math.abs(steps) }, () => page.keyboard.press(arrow)));
      return;
    }
    const key = distance !== null && distance < 0 ? "Shift+Tab" : "Tab";
    // The presses are sent at once, and arrive in order.
    const steps = Math.abs(distance ?? 0);
    await Promise.all(Array.from({ length: steps }, () => page.keyboard.press(key)));
  }
  assert.fail(`Tab does not lead to ${String(target)}`);
};

const isActive = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.ownerDocument.activeElement === element);

export const keyboard = (page: Page): Hand => ({
  async press(target) {
    await untilFree(target);
    await reach(page, target);
    await page.keyboard.press("Enter");
  },
  async write(field, text) {
    await reach(page, field);
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(text);
  },
  async choose(list, value) {
    await reach(page, list);
    await page.keyboard.press("Home");
    for (let step = 0; (await list.inputValue()) !== value; step += 1) {
      assert.ok(step < 300, `${value} is not among the options`);
      await page.keyboard.press("ArrowDown");
    }
  },
  async tick(box) {
    if ((await box.getAttribute("type")) !== "radio") {
      await reach(page, box);
      return page.keyboard.press("Space");
    }
    const name = await box.getAttribute("name");
    const group = page.locator(`input[type=radio][name="${name}"]`);
    const checked = group.and(page.locator(":checked"));
    const isChosen = (await checked.count()) > 0;
    await reach(page, isChosen ? checked : group.first());
    if (!isChosen) await page.keyboard.press("Space");
    while (!(await isActive(box))) await page.keyboard.press("ArrowDown");
  },
  async pick(name) {
    const item = page.getByRole("menuitem", { name });
    await item.waitFor();
    const count = await page.getByRole("menuitem").count();
    for (let step = 0; !(await isActive(item)); step += 1) {
      assert.ok(step <= count, `the arrows do not lead to ${name}`);
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
  },
});
