// Decides the direction of a text, and what keys and swipes mean in the direction of a page.

import { isFromTheRight } from "../../../texts/direction.ts";

/** Returns the direction by the language of a post, because a handle at its beginning says nothing about the rest. */
export const directionOf = (language: string | null | undefined): "rtl" | "auto" =>
  isFromTheRight(language ?? "") ? "rtl" : "auto";

/** Returns the direction of pages in a language. */
export const pageDirection = (locale: string): "rtl" | "ltr" =>
  isFromTheRight(locale) ? "rtl" : "ltr";

/** Returns 1 where lines of the element lead to the right, otherwise -1. */
export const toTheRight = (element: Element): 1 | -1 =>
  getComputedStyle(element).direction === "rtl" ? -1 : 1;

/** Returns how far an arrow key leads along a line of the element: 1, -1, or 0 for other keys. */
export const stepAlong = (key: string, element: Element): number => {
  if (key === "ArrowRight") return toTheRight(element);
  return key === "ArrowLeft" ? -toTheRight(element) : 0;
};
