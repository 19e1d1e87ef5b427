// Opens a post where its text is pressed, by mouse or finger. Keys open the focused post (reading-keys.ts).

import { isPlainClick } from "./navigation.ts";

/** What a press in a text means something else for. */
const ACTIVE = "a, button, summary, form, video, audio, [role=button]";

const isSelecting = (): boolean => getSelection()?.isCollapsed === false;

/** Returns the link to the post whose text was pressed; null where it is no text, or that of the page's own post. */
const linkOf = (target: Element | null): HTMLElement | null => {
  if (target?.closest(ACTIVE)) return null;
  const post = target?.closest(".text")?.closest<HTMLElement>("article");
  if (!post || post.matches(".post-main")) return null;
  return post.querySelector<HTMLElement>("a.post-time");
};

export const listenToPresses = (): void => {
  let hadSelection = false;
  // A press that only ends a selection opens nothing.
  document.addEventListener("pointerdown", () => (hadSelection = isSelecting()));
  document.addEventListener("click", (event) => {
    // A second press selects a word.
    if (event.defaultPrevented || !isPlainClick(event) || event.detail > 1) return;
    if (hadSelection || isSelecting()) return;
    linkOf(event.target as Element | null)?.click();
  });
};
