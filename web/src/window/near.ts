// Draws posts of a long list that are far from the window as empty boxes of the same height, so that neither the
// document nor the work of drawing grows with everything that was scrolled past.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * Distance at which posts are drawn; it is below the distance at which older posts are loaded, so that they are drawn a
 * few at a time.
 */
const NEAR = "1500px";
/** Pixels of a post that was never drawn. */
const USUAL_HEIGHT = 150;
/** Posts drawn at once; as many as a document from the server has at most. */
const FIRST = 40;

/** Elements in use, which stay drawn. */
const IN_USE = "form, details[open], audio, video, :focus";

type Tell = (isNear: boolean, height: number) => void;

const told = new WeakMap<Element, Tell>();
let observer: IntersectionObserver | null = null;

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

/** Last known heights of a list's posts, by entry. */
export type Heights = Map<string, number>;

/** Whether a post begins as an empty box; where posts have no number, those with a known height were far. */
export const isFar = (
  heights: Heights | undefined,
  entryId: string,
  position: number | undefined,
): heights is Heights =>
  heights !== undefined && (position === undefined ? heights.has(entryId) : position > FIRST);

/** Returns the height of a post's empty box; null when it is drawn, as it always is without `heights`. */
export const useBox = (
  post: RefObject<HTMLElement | null>,
  heights: Heights | undefined,
  entryId: string,
  position: number | undefined,
): number | null => {
  const [box, setBox] = useState(() =>
    isFar(heights, entryId, position) ? (heights.get(entryId) ?? USUAL_HEIGHT) : null,
  );
  useEffect(() => {
    const element = post.current;
    if (!element || !heights) return undefined;
    const draw = (): void => setBox(null);
    const stop = watch(element, (isNear, height) => {
      if (isNear) return draw();
      if (height === 0 || element.querySelector(IN_USE)) return;
      heights.set(entryId, height);
      setBox(height);
    });
    // Paper has no empty boxes.
    addEventListener("beforeprint", draw);
    return () => {
      removeEventListener("beforeprint", draw);
      stop();
    };
  }, [heights, entryId]);
  return box;
};
