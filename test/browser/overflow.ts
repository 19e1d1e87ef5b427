// Finds elements that are too wide for the window.

/** Script that returns what reaches beyond the window, if the page can be scrolled sideways. */
export const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const wide = [...document.querySelectorAll("body *")].filter((each) =>
    each.getBoundingClientRect().right > clientWidth + 0.5 || each.getBoundingClientRect().left < -0.5);
  return (scrollWidth - clientWidth) + " px by " + wide.slice(0, 6).map((each) => each.cloneNode().outerHTML).join(" ");
})()`;
