// Says what the reader is doing: posts are inserted above what is read only while nobody reads, points or types.

const IDLE_MS = 1500;
const TOP_PX = 8;

let lastActive = 0;

export const followReader = (): void => {
  const note = (): void => void (lastActive = Date.now());
  for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"])
    window.addEventListener(name, note, { passive: true });
};

/** Whether the reader is at the very top of the page, and idle. */
export const isAtRest = (): boolean =>
  window.scrollY < TOP_PX &&
  Date.now() - lastActive > IDLE_MS &&
  !document.activeElement?.closest(".feed") &&
  !document.querySelector("dialog[open]");
