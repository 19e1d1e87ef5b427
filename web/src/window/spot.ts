// Remembers where a reader is in a page: which post is at the top of the window, and its offset. Heights above may
// change; the post stays at its pixel.

export type Spot = {
  scroll: number;
  entry: string | null;
  top: number;
  /** The post that had the focus. */
  focus?: string | undefined;
};

/** Posts, and rows of notifications. */
const entries = (): NodeListOf<HTMLElement> =>
  document.querySelectorAll("[data-entry], [data-group]");

const idOf = ({ dataset }: HTMLElement): string => (dataset["entry"] ?? dataset["group"])!;

const focused = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-entry]")?.dataset["entry"];

/** `isExact`: also at the top of the page it is the post that stays, whatever comes above it. */
export const spotNow = (isExact = false): Spot => {
  const scroll = window.scrollY;
  const focus = focused();
  if (scroll < 1 && !isExact) return { scroll, entry: null, top: 0, focus };
  for (const element of entries()) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > 0) return { scroll, entry: idOf(element), top, focus };
  }
  return { scroll, entry: null, top: 0, focus };
};

export const entryOf = (id: string | null | undefined): HTMLElement | null => {
  const value = id && CSS.escape(id);
  return value ? document.querySelector(`[data-entry="${value}"], [data-group="${value}"]`) : null;
};

/** Frames in which the position is corrected, because posts get their real heights as they come near the window. */
const FRAMES = 15;

let turn = 0;

/** Scrolls there, unless the reader scrolls meanwhile. */
export const goToSpot = ({ scroll, entry, top }: Spot): void => {
  const mine = (turn += 1);
  const stop = (): void => void (turn += mine === turn ? 1 : 0);
  for (const name of ["wheel", "touchstart", "keydown"])
    window.addEventListener(name, stop, { once: true, passive: true });
  const element = entryOf(entry);
  if (!element) return window.scrollTo(0, scroll);
  const step = (left: number): void => {
    if (mine !== turn || !element.isConnected) return;
    const distance = element.getBoundingClientRect().top - top;
    if (Math.abs(distance) >= 0.5) window.scrollBy({ top: distance, behavior: "instant" });
    if (left > 0) requestAnimationFrame(() => step(left - 1));
  };
  step(FRAMES);
};
