// Finds focus rings that are cut: by what contains the element, or by the edges of the window.

/**
 * Evaluates to the elements whose ring is not whole, as text. Puts the focus on each, as keys do; not on what opens by
 * it. What is itself cut is still being scrolled to.
 */
export const CUT_RINGS = `(() => {
  const FOCUSABLE = "a[href], button, summary, select, input:not([type=hidden], [type=file]), [tabindex='0']";
  const inside = document.querySelector("dialog[open]") ?? document.querySelector("main");
  const outerOf = (element) => {
    const clips = [{ by: "the window", left: 0, right: document.documentElement.clientWidth, top: -Infinity, bottom: Infinity }];
    for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, overflowClipMargin } = getComputedStyle(each);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const { left, top } = each.getBoundingClientRect();
      const margin = parseFloat(overflowClipMargin) || 0;
      const [x, y] = [left + each.clientLeft, top + each.clientTop];
      clips.push({ by: each.localName + '.' + each.className, left: x - margin, right: x + each.clientWidth + margin, top: y - margin, bottom: y + each.clientHeight + margin });
    }
    return clips;
  };
  const before = document.activeElement;
  const found = new Map();
  for (const element of inside.querySelectorAll(FOCUSABLE)) {
    if (element.closest(".composer, .composer-place, .skip") || !element.checkVisibility()) continue;
    if (element.matches(":disabled") || getComputedStyle(element).opacity === "0") continue;
    element.focus();
    if (document.activeElement !== element) continue;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    if (outlineStyle === "none" || element.getClientRects().length !== 1) continue;
    const grown = parseFloat(outlineWidth) + parseFloat(outlineOffset) - 0.5;
    const box = element.getBoundingClientRect();
    const cut = outerOf(element).flatMap((clip) => [
      box.left - grown < clip.left && box.left > clip.left - 1 && "left",
      box.right + grown > clip.right && box.right < clip.right + 1 && "right",
      box.top - grown < clip.top && box.top > clip.top - 1 && "top",
      box.bottom + grown > clip.bottom && box.bottom < clip.bottom + 1 && "bottom",
    ].filter(Boolean).map((side) => side + " by " + clip.by));
    const name = element.localName + "." + [...element.classList].join(".") + " in " + element.parentElement.localName + "." + element.parentElement.className;
    if (cut.length > 0) found.set(name, cut.join());
  }
  before?.focus?.({ preventScroll: true });
  return [...found].map(([name, cut]) => name + ": " + cut).join("\\n");
})()`;
