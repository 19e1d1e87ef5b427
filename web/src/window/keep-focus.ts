// Keeps the focus near its place when what has it is removed: it goes to what has come there, or to what was before it.

const FOCUSABLE = "a[href], button:not([disabled]), summary, input, select, textarea, [tabindex]";

/** What had the focus last, apart from menus and windows above the page. */
let last: Element | null = null;

const lookAt = (target: EventTarget | null): void => {
  if (target === document.body || !(target instanceof Element)) return;
  if (!target.closest("dialog, [popover]")) last = target;
};

export const followFocus = (): void =>
  document.addEventListener("focusin", ({ target }) => lookAt(target));

/** An element of the page, and its place among its siblings. */
type Step = { parent: Element; at: number };

/** Returns the way from an element up to the main part of the page. */
const stepsFrom = (origin: Element | null): Step[] => {
  const steps: Step[] = [];
  for (let each = origin; each && each.id !== "main"; each = each.parentElement)
    if (each.parentElement)
      steps.push({
        parent: each.parentElement,
        at: [...each.parentElement.children].indexOf(each),
      });
  return steps;
};

const isFit = (each: Element): boolean => each.matches(FOCUSABLE) && each.checkVisibility();

/** Returns what can have the focus: the element itself, or the first or the last inside. */
const focusableIn = (element: Element | undefined, end: "first" | "last"): HTMLElement | null => {
  if (!element || isFit(element)) return (element as HTMLElement | undefined) ?? null;
  const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isFit);
  return inside.at(end === "first" ? 0 : -1) ?? null;
};

/** Returns what takes the place of something that was removed. */
const nextOf = (steps: readonly Step[]): HTMLElement | null => {
  const step = steps.find(({ parent }) => parent.isConnected);
  if (!step) return null;
  const siblings = [...step.parent.children];
  return focusableIn(siblings[step.at], "first") ?? focusableIn(siblings[step.at - 1], "last");
};

/** Remembers where the focus is; what is returned is called after something was removed, and does nothing otherwise. */
export const keepFocus = (): (() => void) => {
  // It may be there since before scripts ran.
  lookAt(document.activeElement);
  const origin = last?.isConnected ? last : null;
  const steps = stepsFrom(origin);
  return () => {
    const { activeElement } = document;
    const isLost = !activeElement || activeElement === document.body || !activeElement.isConnected;
    if (!isLost || !origin || origin.isConnected) return;
    const next = nextOf(steps) ?? document.querySelector<HTMLElement>("#main");
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  };
};
