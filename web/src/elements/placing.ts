// Places an element that floats beside another one, so that the whole of it is in the visible part of the window.

/** Distances in pixels: to the edges of the window, and between the floating element and the one beside it. */
const [MARGIN, GAP] = [8, 4];

export type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/** Returns the visible part of the window: the keyboard of a phone covers the rest. */
const viewOf = () => {
  const { visualViewport: view } = window;
  return view && view.scale === 1
    ? { top: view.offsetTop, width: view.width, height: view.height }
    : { top: 0, width: document.documentElement.clientWidth, height: innerHeight };
};

/** Makes the layer that contains the panel as large as the visible part of the window. */
const fitLayer = (panel: HTMLElement): ReturnType<typeof viewOf> => {
  const view = viewOf();
  const layer = panel.parentElement!;
  layer.style.top = `${view.top}px`;
  layer.style.height = `${view.height}px`;
  return view;
};

/** Pixels of height with which a panel can be used; with less room it stands over the box. */
const MIN_ROOM = 160;

/**
 * Places the panel below the box or above it, where it fits or else where there is more room, in which it scrolls. With
 * `isLeft` both begin at the left, otherwise both end at the right.
 */
export const placeBeside = (panel: HTMLElement, box: Box, isLeft: boolean): void => {
  const view = fitLayer(panel);
  const [top, bottom] = [box.top - view.top, box.bottom - view.top];
  const room = Math.max(top, view.height - bottom) - GAP - MARGIN;
  panel.style.setProperty("--room", room < MIN_ROOM ? "100%" : `${room}px`);
  const { offsetHeight: height, offsetWidth: width } = panel;
  const isBelow = bottom + height + GAP + MARGIN <= view.height || top < view.height - bottom;
  const y = isBelow ? Math.min(bottom + GAP, view.height - height - MARGIN) : top - height - GAP;
  const x = isLeft ? box.left : box.right - width;
  panel.style.top = `${Math.max(MARGIN, y)}px`;
  panel.style.left = `${Math.max(MARGIN, Math.min(x, view.width - width - MARGIN))}px`;
};

/**
 * Places the panel without covering the box: it is as wide as the box, no higher than the room below or above it, and
 * scrolls.
 */
export const placeClear = (panel: HTMLElement, box: Box): void => {
  const view = viewOf();
  const [above, below] = [box.top - view.top, view.height - (box.bottom - view.top)];
  panel.style.width = `${box.right - box.left}px`;
  panel.style.maxHeight = `${Math.max(above, below) - GAP - MARGIN}px`;
  placeBeside(panel, box, true);
};

export const isInView = ({ top, bottom }: Box): boolean => {
  const view = viewOf();
  return bottom > view.top && top < view.top + view.height;
};

/**
 * Calls `place` when the window or the panel changes its size, and `onScroll` when anything around the panel scrolls.
 * Returns a function that ends this.
 */
export const followView = (
  panel: HTMLElement,
  place: () => void,
  onScroll: () => void,
): (() => void) => {
  const sizes = new ResizeObserver(place);
  sizes.observe(panel);
  const views = [window, window.visualViewport].filter((each) => each !== null);
  for (const each of views) each.addEventListener("resize", place);
  window.visualViewport?.addEventListener("scroll", place);
  const onAnyScroll = ({ target }: Event): void => {
    if (!panel.contains(target as globalThis.Node)) onScroll();
  };
  document.addEventListener("scroll", onAnyScroll, { capture: true, passive: true });
  return () => {
    sizes.disconnect();
    for (const each of views) each.removeEventListener("resize", place);
    window.visualViewport?.removeEventListener("scroll", place);
    document.removeEventListener("scroll", onAnyScroll, { capture: true });
  };
};
