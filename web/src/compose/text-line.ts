// Finds where a line of a text field is on the screen. Browsers do not tell, so it is measured in a copy of the text.

import type { Box } from "../elements/placing.ts";

/** Style properties that decide how a text is broken into lines. */
const LAYOUT = [
  "direction",
  "fontFamily",
  "fontSize",
  "fontStyle",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "paddingBlock",
  "paddingInline",
  "tabSize",
  "wordSpacing",
] as const;

/** Returns a hidden copy of the text that is laid out like the field, with a mark at this place. */
const copyOf = (field: HTMLTextAreaElement, index: number) => {
  const copy = document.createElement("div");
  const mark = document.createElement("span");
  const style = getComputedStyle(field);
  for (const name of LAYOUT) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: "fixed",
    boxSizing: "border-box",
    width: `${field.clientWidth}px`,
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
  });
  mark.textContent = "\u200b";
  copy.append(field.value.slice(0, index), mark, field.value.slice(index));
  return { copy, mark };
};

/**
 * Returns the box of the line that contains this place in the text: as wide as the field, and cut at the field's edges.
 */
export const lineAt = (field: HTMLTextAreaElement, index: number): Box => {
  const { copy, mark } = copyOf(field, index);
  document.body.append(copy);
  const [from, height] = [mark.offsetTop, mark.offsetHeight];
  copy.remove();
  const { left, right, ...edges } = field.getBoundingClientRect().toJSON() as DOMRect;
  const within = (y: number): number => Math.max(edges.top, Math.min(y, edges.bottom));
  const top = edges.top + field.clientTop + from - field.scrollTop;
  return { left, right, top: within(top), bottom: within(top + height) };
};
