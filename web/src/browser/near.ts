// Posts of a long list that are far from the window are empty boxes as high as they were: neither the document nor what
// has to be drawn grows with all that was scrolled past.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Less than what older posts are asked for at: they are drawn a few at a time, as they come near. */
const NEAR = "1500px";
/** Of a post that was never drawn. */
const USUAL_HEIGHT = 150;
/** So many are drawn at once, as many as a document has from the server at most. */
const FIRST = 40;

/** What a reader began there stays. */
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

/** Of the posts of a list by their entries, as they were last. */
export type Heights = Map<string, number>;

/** How high the empty box of a post is; null: it is drawn. `heights`: without, it always is. */
export const useBox = (
  post: RefObject<HTMLElement | null>,
  heights: Heights | undefined,
  entryId: string,
  position: number | undefined,
): number | null => {
  const [box, setBox] = useState(() => {
    const known = heights?.get(entryId);
    // Where posts have no number, those that were far from the window are.
    const isFar = position === undefined ? known !== undefined : position > FIRST;
    return heights && isFar ? (known ?? USUAL_HEIGHT) : null;
  });
  useEffect(() => {
    const element = post.current;
    if (!element || !heights) return undefined;
    return watch(element, (isNear, height) => {
      if (isNear) return setBox(null);
      if (height === 0 || element.querySelector(IN_USE)) return undefined;
      heights.set(entryId, height);
      return setBox(height);
    });
  }, [heights, entryId]);
  return box;
};
