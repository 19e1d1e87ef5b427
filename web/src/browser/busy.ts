// Marks forms and buttons whose request is running, so that a second press sends nothing again.

export const isBusy = (element: Element): boolean => element.getAttribute("aria-busy") === "true";

export const whileBusy = (elements: readonly Element[], work: Promise<unknown>): void => {
  for (const each of elements) each.setAttribute("aria-busy", "true");
  const free = (): void => elements.forEach((each) => each.removeAttribute("aria-busy"));
  work.then(free, free);
};

/** Frees everything when the browser shows this page again, which it does as the page was left. */
export const freeWhenShown = (): void =>
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted)
      for (const each of document.querySelectorAll("[aria-busy=true]"))
        each.removeAttribute("aria-busy");
  });
