// The script of pages that the server draws itself in the frame of the client: it asks before changes of their forms
// are lost, and copies what is to be used elsewhere. They need nothing else of the client.

import { settle, watchChanges } from "./browser/unsaved.ts";

/** Copies the text before the button; where the browser lets no script do that, it is selected to be copied by hand. */
const copy = async (button: HTMLElement): Promise<void> => {
  const text = button.previousElementSibling!;
  try {
    await navigator.clipboard.writeText(text.textContent!);
    button.firstElementChild!.textContent = button.dataset["copied"]!;
  } catch {
    getSelection()?.selectAllChildren(text);
  }
};

watchChanges();
document.addEventListener("submit", ({ target }) => settle(target as HTMLFormElement));
for (const button of document.querySelectorAll<HTMLElement>("[data-copied]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}
