// The crawler's code inside a document: read as text, and evaluated in each. `hand` finds controls, says what covers
// their middles, and tells one state of the page from another.

(() => {
  if (window.hand) return;

  const CONTROLS =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, label, audio[controls], video[controls], " +
    "[role=button], [role=menuitem], [role=tab], [role=option], [role=switch], [contenteditable=true]";
  const FIELDS = "input, select, textarea, [contenteditable=true]";
  const LAYERS = "dialog[open], [role=dialog], [role=menu], [role=listbox], [popover]";
  const MIN_SIZE = 4;
  const notes = [];

  const isDrawn = (element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    if (element.closest("[inert], [aria-disabled=true]") || element.matches(":disabled"))
      return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    if (width < MIN_SIZE || height < MIN_SIZE) return false;
    // It is beyond the beginning of the document, until it has the focus.
    if (right + scrollX <= 0 || bottom + scrollY <= 0) return false;
    const { clipPath, clip } = getComputedStyle(element);
    return !/inset\((?:50|100)%/.test(clipPath) && !/rect\((?:0px|1px)/.test(clip);
  };

  /** Whether an element is a control. A label is pressed for its control; a label without one is a caption. */
  const isControl = (element) =>
    element.localName !== "label" || (element.control !== null && !element.control.disabled);

  const textOf = (element) =>
    (element.innerText || element.getAttribute("aria-label") || element.value || element.name || "")
      .replaceAll(/\d+/g, "#")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 60);

  const kindOf = (element) => {
    const type = element.getAttribute("type");
    const name = [element.localName, ...element.classList].join(".");
    return type ? `${name}[${type}]` : name;
  };

  const layerOf = (element) => element.closest(`${LAYERS}, details[open] > :not(summary)`);

  const placeOf = (element) => {
    const layer = layerOf(element);
    if (layer) return `layer ${kindOf(layer)}`;
    const row = element.closest("main article, main li, main tr");
    if (row) return `main row ${kindOf(row)}`;
    return element.closest("main") ? "main" : "frame";
  };

  /**
   * Returns a key that stays the same from visit to visit. In rows, which repeat, names of people and titles are left
   * out.
   */
  const keyOf = (element) => {
    const place = placeOf(element);
    const isRepeated = place.startsWith("main row") && element.localName === "a";
    const own = element.localName === "label" ? kindOf(element.control) : (element.name ?? "");
    return [place, kindOf(element), own, isRepeated ? "" : textOf(element)]
      .filter(Boolean)
      .join(" | ");
  };

  const controls = () => {
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    return [...(modal ?? document.body).querySelectorAll(CONTROLS)].filter(
      (element) => isControl(element) && isDrawn(element),
    );
  };

  /** Returns each kind once, in the order of the document. */
  const list = () => [...new Set(controls().map(keyOf))];

  const find = (key) => controls().find((element) => keyOf(element) === key) ?? null;

  const describe = (element) =>
    element ? element.cloneNode().outerHTML.replaceAll(/\s+/g, " ").slice(0, 160) : "nothing";

  /** Returns the middle of an element. A link that continues in a second line has the middle of its largest part. */
  const middleOf = (element) => {
    const parts = [...element.getClientRects()].sort(
      (a, b) => b.width * b.height - a.width * a.height,
    );
    const { left, right, top, bottom } = parts[0] ?? element.getBoundingClientRect();
    const within = (from, to, size) => (Math.max(from, 0) + Math.min(to, size)) / 2;
    return [within(left, right, innerWidth), within(top, bottom, innerHeight)];
  };

  const isAt = (element, hit) =>
    hit !== null &&
    (element.contains(hit) ||
      hit.closest("label")?.control === element ||
      element.control?.contains(hit));

  /** Whether a press would change nothing, because the state is already reached. */
  const isThere = (element) => {
    const field = element.control ?? element;
    if (field.type === "radio" && field.checked) return true;
    if (field === document.activeElement && field.matches(FIELDS)) return true;
    if (element.matches("[aria-current], [aria-selected=true]")) return true;
    return element.localName === "a" && element.href.split("#")[0] === location.href.split("#")[0];
  };

  /** Whether a link leads to another window or server, where it is not followed. */
  const isOut = (link) =>
    link !== null && (link.origin !== location.origin || link.target === "_blank");

  let aimed = null;
  let hasArrived = false;
  addEventListener("pointerdown", () => (hasArrived = true), true);

  /** Scrolls to a control as a person does, and returns its middle and what is there. */
  const aim = (key) => {
    const element = find(key);
    if (!element) return null;
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const [x, y] = middleOf(element);
    const hit = document.elementFromPoint(x, y);
    aimed = { element, x, y };
    hasArrived = false;
    return {
      x,
      y,
      what: describe(element),
      over: isAt(element, hit) ? "" : describe(hit),
      // An open menu covers what is below it until it is closed.
      isOut: isOut(element.closest("a[href]")),
      isRefused:
        element.matches("button:not([formnovalidate])") &&
        !!element.form?.matches(":invalid:not([novalidate])"),
      isBehind: shownLayers().some((layer) => layer.contains(hit) && !layer.contains(element)),
      isThere: isThere(element),
      isField: (element.control ?? element).matches(FIELDS),
    };
  };

  const hasStayed = () => {
    const [x, y] = middleOf(aimed.element);
    return Math.hypot(x - aimed.x, y - aimed.y) < 1;
  };

  /** Returns how far the pressed control has moved aside. A form that grows moves what is below it down, not aside. */
  const moved = () => {
    if (!aimed?.element.isConnected || !isDrawn(aimed.element)) return 0;
    const { left, right } = aimed.element.getBoundingClientRect();
    return Math.round(Math.max(left - aimed.x, aimed.x - right, 0));
  };

  const shownLayers = () =>
    [...document.querySelectorAll(`${LAYERS}, details[open] > :not(summary)`)].filter(
      (element) =>
        element.checkVisibility({ checkVisibilityCSS: true }) &&
        (element.matches("dialog:modal, :popover-open") ||
          /absolute|fixed/.test(getComputedStyle(element).position)),
    );

  /** Returns the layers with visible content of their own; others let presses through. */
  const openLayers = () =>
    shownLayers().filter((element) => getComputedStyle(element).pointerEvents !== "none");

  /** Pixels of tolerance for rounding and round corners. */
  const EDGE = 1.5;
  const CORNER = 10;

  /** Returns why a layer is not completely visible: "" if it is. */
  const cutOff = (layer) => {
    const { left, top, right, bottom, width, height } = layer.getBoundingClientRect();
    if (width < MIN_SIZE || height < MIN_SIZE) return "";
    const box = [left, top, right, bottom].map(Math.round).join(", ");
    if (left < -EDGE || top < -EDGE || right > innerWidth + EDGE || bottom > innerHeight + EDGE)
      return `outside the window (${box} of ${innerWidth} × ${innerHeight})`;
    for (const x of [left + CORNER, (left + right) / 2, right - CORNER])
      for (const y of [top + CORNER, (top + bottom) / 2, bottom - CORNER]) {
        const hit = document.elementFromPoint(x, y);
        if (
          !layer.contains(hit) &&
          !openLayers().some(
            (other) => other !== layer && other.contains(hit) && layer.contains(other),
          )
        )
          return `cut off at ${Math.round(x)}, ${Math.round(y)} (${box}) by ${describe(hit)}`;
      }
    return "";
  };

  const layers = () =>
    openLayers().map((layer) => ({
      key: `${kindOf(layer)} ${layer.getAttribute("aria-label") ?? ""}`,
      fault: cutOff(layer),
    }));

  /** Returns the markup without ids, times and tokens, which differ from one document to the next. */
  const markup = () =>
    document.body.outerHTML
      .replaceAll(/<script[\s\S]*?<\/script>/g, "")
      .replaceAll(/<time[\s\S]*?<\/time>/g, "")
      .replaceAll(/<input[^>]*hidden[^>]*>/g, "");

  /** Hashes by FNV-1a, to compare a state with that of an earlier document. */
  const hash = (text) => {
    let value = 0x811c9dc5;
    for (let index = 0; index < text.length; index += 1)
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    return value;
  };

  /** Returns everything in which a person would see a difference. */
  const state = () => {
    const fields = [...document.querySelectorAll(FIELDS)].map(
      ({ value, checked }) => `${value} ${checked}`,
    );
    const players = [...document.querySelectorAll("audio, video")].map(({ paused }) => paused);
    const active = [...document.querySelectorAll(FIELDS)].indexOf(document.activeElement);
    const open = openLayers().length;
    return hash(
      JSON.stringify([location.href, scrollX, scrollY, markup(), fields, players, active, open]),
    );
  };

  const words = () => document.body.innerText;

  let stirred = performance.now();
  new MutationObserver(() => (stirred = performance.now())).observe(document, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  });
  const QUIET_MS = 60;
  const isStill = () =>
    document.readyState === "complete" &&
    performance.now() - stirred > QUIET_MS &&
    !document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === "running" && effect?.getComputedTiming().endTime < 5000,
      );

  const isAlive = () =>
    !document.querySelector("script#state") || document.querySelector("#app")?.__k !== undefined;

  let shift = 0;
  try {
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  } catch {
    // Only Chromium measures it.
  }

  const note = (text) => void notes.push(text);
  for (const name of ["alert", "confirm", "prompt", "print"])
    window[name] = (text) => {
      note(`${name}: ${text ?? ""}`);
      return true;
    };
  const noteDownload = ({ target }) => {
    const link = target.closest?.("a[download]");
    if (link) note(`keeps ${link.href}`);
  };
  addEventListener("click", noteDownload, true);
  addEventListener("invalid", ({ target }) => note(`invalid: ${target.name}`), true);
  addEventListener(
    "click",
    (event) => {
      const link = event.target.closest?.("a[href]");
      if (event.target.matches?.("input[type=file]")) {
        event.preventDefault();
        note("chooses a file");
      } else if (!event.defaultPrevented && isOut(link ?? null)) {
        event.preventDefault();
        note(`leads to ${link.href}`);
      }
    },
    false,
  );

  window.hand = {
    list,
    aim,
    hasStayed,
    moved,
    hasArrived: () => hasArrived,
    layers,
    state,
    words,
    isReady: (withoutScripts) => (withoutScripts || isAlive()) && isStill(),
    shift: () => shift,
    takeNotes: () => notes.splice(0),
  };
})();
