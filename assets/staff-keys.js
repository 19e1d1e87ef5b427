// Keys for the queues of the staff. They move, tick and open; a key of an act presses its button so that the server asks
// first, whatever the act is. All of it is also there for the mouse and for Tab.
(() => {
  const STORED = "staff-keys";
  const list = document.querySelector("[data-keys]");
  if (!list) return;
  list.hidden = false;
  const choice = list.querySelector("[data-keys-on]");
  choice.checked = localStorage.getItem(STORED) !== "off";
  choice.addEventListener("change", () => {
    localStorage.setItem(STORED, choice.checked ? "on" : "off");
  });

  const entries = () => [...document.querySelectorAll("[data-entry]")];
  const current = () =>
    document.activeElement.closest("[data-entry]") ?? document.querySelector("[data-entry].here");

  /** Follows its link; where it has none, shows or hides what is covered in it. */
  const open = (entry) => {
    const link = entry?.querySelector("[data-open]");
    if (link) return link.click();
    const covers = [...(entry?.querySelectorAll("details.warning, details.cover") ?? [])];
    const isOpen = covers.some((cover) => cover.open);
    for (const cover of covers) cover.open = !isOpen;
  };

  const goTo = (entry) => {
    if (!entry) return;
    for (const each of entries()) each.classList.toggle("here", each === entry);
    const target = entry.querySelector("[data-open]") ?? entry;
    if (target === entry) entry.tabIndex = -1;
    target.focus({ preventScroll: true });
    entry.scrollIntoView({ block: "nearest" });
  };

  const move = (by) => {
    const all = entries();
    const at = all.indexOf(current());
    goTo(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
  };

  /** The question comes first, also for acts that take nothing away. */
  const press = (button) => {
    if (button.matches("a")) return button.click();
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "ask", value: "1" });
    button.form.append(field);
    button.form.requestSubmit(button);
    field.remove();
  };

  const KEYS = {
    j: () => move(1),
    k: () => move(-1),
    o: () => open(current()),
    x: () => current()?.querySelector("input[type=checkbox]")?.click(),
    "?": () => {
      list.open = !list.open;
      list.querySelector("summary").focus();
    },
  };
  /** The page scrolls with them until an entry has the focus. */
  const WITHIN = { ArrowDown: KEYS.j, ArrowUp: KEYS.k };

  const isWriting = (target) =>
    target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio])");

  const actOf = (key) => {
    const selector = `[data-key="${CSS.escape(key)}"]`;
    // Of several, as of entries of a list, it is that of the entry.
    const all = document.querySelectorAll(selector);
    const act = current()?.querySelector(selector) ?? (all.length === 1 ? all[0] : null);
    if (!act) return undefined;
    return () => (act.matches("a, button") ? press(act) : act.querySelector("textarea").focus());
  };

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (event.defaultPrevented || isOther || (!choice.checked && key !== "?")) return;
    if (isWriting(target)) {
      if (key === "Escape") target.blur();
      return;
    }
    const isEntry = target.matches("[data-entry]");
    const run =
      KEYS[key] ??
      (target.closest("[data-entry]") && !target.matches("[type=radio]") && WITHIN[key]) ??
      (key === "Enter" && isEntry ? KEYS.o : actOf(key));
    if (!run) return;
    event.preventDefault();
    run();
  });
})();
