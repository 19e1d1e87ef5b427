// Finds what fingers miss.

const HEIGHT = 44;

/** Script that describes controls that are missed 21 pixels above or below their middle; links within a text are exempt. */
export const MISSED = `(() => {
  for (const each of document.querySelectorAll("main details")) each.open = true;
  const controls = document.querySelectorAll(
    "main :is(.button, button, summary, select, input:not([type=hidden], [type=file]))");
  const missed = [];
  for (const one of controls) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.matches(".post *")) continue;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const isOurs = (found) => found && (one.contains(found) || found.contains(one) && found.matches("label")
      || [...(one.labels ?? [])].some((label) => label.contains(found)));
    const box = one.labels?.[0] && /checkbox|radio/.test(one.type) ? one.labels[0].getBoundingClientRect() : null;
    const x = box && !one.labels[0].contains(one) ? box.left + Math.min(box.width, 20) / 2 : left + width / 2;
    const y = box ? box.top + box.height / 2 : top + height / 2;
    if ([-1, 1].some((side) => !isOurs(document.elementFromPoint(x, y + side * (${HEIGHT} / 2 - 1)))))
      missed.push(one.localName + " " + one.className + " " + (one.textContent.trim() || one.name) + " " + Math.round(height));
  }
  return missed;
})()`;
