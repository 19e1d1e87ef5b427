// Where a line of a text field is on the screen. The browser does not say it: it is measured in a copy of the text.

import type { Box } from "../elements/placing.ts";

/** What decides how a text is broken into lines. */
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

/** Laid out as the field is, with a mark at this place in the text. */
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

/** The line with this place in the text, as far as it is in the field, and as wide as the field. */
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
