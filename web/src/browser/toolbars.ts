// Moves along a toolbar by arrows, Home and End. Tab leaves it, so that it is one stop; without scripts, each of its
// buttons is one (https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/).

import { stepAlong } from "../text/direction.ts";

const itemsOf = (toolbar: Element): HTMLElement[] => [
  ...toolbar.querySelectorAll<HTMLElement>("a[href], button:not(:disabled)"),
];

/** Takes the other items out of the order of Tab until the browser has moved the focus, which it does after the event. */
const leave = (items: readonly HTMLElement[]): void => {
  const others = items.filter((item) => item !== document.activeElement);
  for (const item of others) item.tabIndex = -1;
  const restore = (): void => {
    for (const item of others) item.removeAttribute("tabindex");
  };
  document.activeElement!.addEventListener("blur", restore, { once: true });
};

const moved = (toolbar: Element, items: readonly HTMLElement[], key: string): number | null => {
  if (key === "Home") return 0;
  if (key === "End") return items.length - 1;
  const step = stepAlong(key, toolbar);
  return step === 0 ? null : items.indexOf(document.activeElement as HTMLElement) + step;
};

export const listenToToolbars = (): void =>
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const toolbar = (target as Element).closest("[role=toolbar]");
    if (!toolbar || ctrlKey || metaKey || altKey) return;
    const items = itemsOf(toolbar);
    if (key === "Tab") return leave(items);
    const to = moved(toolbar, items, key);
    if (to === null) return;
    event.preventDefault();
    items[Math.min(items.length - 1, Math.max(0, to))]?.focus();
  });
