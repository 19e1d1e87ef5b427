// Draws entries of a long list that are far from the window as empty boxes of the same height, so that neither the
// document nor the work of drawing grows with everything that was scrolled past.

import { createContext } from "preact";
import type { RefObject } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";

/**
 * Distance at which entries are drawn; it is below the distance at which older ones are loaded, so that they are drawn
 * a few at a time.
 */
const NEAR = "1500px";
/** Pixels of an entry that was never drawn. */
export const USUAL_HEIGHT = 150;

/** Elements in use, which stay drawn. What is open by a setting is not in use, nor a poll in which nothing is chosen. */
const IN_USE =
  ":focus, iframe, form:not(.poll-vote), .poll-vote :checked, details[open]:not(.alt, [data-open]), " +
  ":root:not([data-alt=shown]) .alt[open]";

const isInUse = (element: HTMLElement): boolean =>
  element.querySelector(IN_USE) !== null ||
  [...element.querySelectorAll<HTMLMediaElement>("audio, video:not([loop])")].some(
    ({ currentTime }) => currentTime > 0,
  );

type Tell = (isNear: boolean, height: number) => void;

const told = new WeakMap<Element, Tell>();
let observer: IntersectionObserver | null = null;
let isPrinting = false;

const watch = (element: Element, tell: Tell): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        told.get(target)?.(isIntersecting, boundingClientRect.height);
    },
    { rootMargin: `${NEAR} 0px` },
  );
  told.set(element, tell);
  observer.observe(element);
  return () => observer?.unobserve(element);
};

/** Last known heights of a list's entries; null where entries are always drawn. */
export const Heights = createContext<Map<string, number> | null>(null);

/** Whether entries begin as empty boxes. */
export const BeginsFar = createContext(false);

/** Returns the height of an entry's empty box; null when it is drawn. */
export const useBox = (entry: RefObject<HTMLElement | null>, entryId: string): number | null => {
  const heights = useContext(Heights);
  const isFar = useContext(BeginsFar);
  const [box, setBox] = useState(() =>
    heights && isFar && !isPrinting ? (heights.get(entryId) ?? USUAL_HEIGHT) : null,
  );
  useLayoutEffect(() => {
    const element = entry.current;
    if (!element || !heights) return undefined;
    const stop = watch(element, (isNear, height) => {
      if (isNear) return setBox(null);
      if (height === 0 || isInUse(element)) return;
      heights.set(entryId, height);
      setBox(height);
    });
    // Paper has no empty boxes, nor has what is drawn for it.
    const print = (): void => {
      isPrinting = true;
      addEventListener("afterprint", () => (isPrinting = false), { once: true });
      setBox(null);
    };
    addEventListener("beforeprint", print);
    return () => {
      removeEventListener("beforeprint", print);
      stop();
    };
  }, [heights, entryId]);
  return box;
};
