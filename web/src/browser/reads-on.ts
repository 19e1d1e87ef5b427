// Marks the document while somebody scrolls down, and unmarks it as soon as they scroll up: the pencil of phones, which
// floats above the page, hides meanwhile.

export const followScrolling = (): void => {
  let last = scrollY;
  addEventListener(
    "scroll",
    () => {
      document.documentElement.toggleAttribute("data-reads-on", scrollY > last && scrollY > 0);
      last = scrollY;
    },
    { passive: true },
  );
};
