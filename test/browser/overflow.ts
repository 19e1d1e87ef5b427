// Finds elements that are too wide for the window.

/** Script that returns what reaches beyond the window, if the page can be scrolled sideways. */
export const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const wide = [...document.querySelectorAll("body *")].filter((each) =>
    each.getBoundingClientRect().right > clientWidth + 0.5 || each.getBoundingClientRect().left < -0.5);
  return (scrollWidth - clientWidth) + " px by " + wide.slice(0, 6).map((each) => each.cloneNode().outerHTML).join(" ");
})()`;

/** Script that returns buttons, badges and tabs in which a word is broken, as they have no room beside others. */
export const BROKEN = `(() => {
  const isBroken = (text) => [...text.data.matchAll(/\\S{2,24}/g)].some(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  });
  return [...document.querySelectorAll(".button, .chip, .badge, .tabs a")].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }) && !/\\S{25}/.test(each.innerText) &&
    [...each.childNodes].some((text) => text.nodeType === 3 && isBroken(text)),
  ).map((each) => "broken: " + each.outerHTML.slice(0, 150)).join(" ");
})()`;

/** Elements whose words are the interface's, with those that are cut off where they end. */
export const CUT = `[...document.querySelectorAll("button:not(.emoji-picker *), .button, .chip, summary, label, h1, h2, .tabs a, .badge")].filter((each) => {
  if (!each.checkVisibility({ visibilityProperty: true }) || each.scrollWidth <= each.clientWidth + 1) return false;
  const { display, overflowX, position } = getComputedStyle(each);
  return display !== "inline" && overflowX !== "auto" && overflowX !== "scroll" && position !== "absolute";
}).slice(0, 4).map((each) => "cut: " + each.outerHTML.slice(0, 200)).join(" ")`;

/**
 * Script that returns what is too wide or cut off when the page is read from right to left and each text of the
 * interface is twice as long, as it would be in other languages. What people wrote stays as it is.
 */
export const MIRRORED_AND_LONG = `(() => {
  const root = document.documentElement;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const isOwn = /\\p{L}{2}/u.test(text.data) && !text.parentElement.closest("script, style, textarea, time, .text, .handle, bdi, code, pre");
    if (isOwn) texts.push([text, text.data]);
  }
  const before = root.dir;
  root.dir = "rtl";
  for (const [text, data] of texts) text.data = data + " " + data;
  const faults = [${OVERFLOW}, ${CUT}].filter(Boolean).join(" ");
  for (const [text, data] of texts) text.data = data;
  root.dir = before;
  return faults;
})()`;
