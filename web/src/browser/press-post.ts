// Opens a post where its text is pressed, by mouse or finger. Keys open the focused post (reading-keys.ts).

import { isPlainClick } from "../window/plain-click.ts";
import { loadLinked } from "./navigation.ts";

/** What a press in a text means something else for. */
const ACTIVE = "a, button, summary, form, video, audio, [role=button]";

/**
 * Milliseconds in which a second press of the mouse makes a word of the text selected, instead of the first opening the
 * post; it is loaded meanwhile. A finger selects by resting on the text, and need not wait.
 */
const SECOND_MS = 300;

const isSelecting = (): boolean => getSelection()?.isCollapsed === false;

/** Returns the link to the post whose text was pressed; null where it is no text, or that of the page's own post. */
const linkOf = (target: Element | null): HTMLAnchorElement | null => {
  if (target?.closest(ACTIVE)) return null;
  const post = target?.closest(".text")?.closest<HTMLElement>("article");
  if (!post || post.matches(".post-main")) return null;
  return post.querySelector<HTMLAnchorElement>("a.post-time");
};

export const listenToPresses = (): void => {
  let hadSelection = false;
  let opening: ReturnType<typeof setTimeout> | undefined;
  // A press that only ends a selection opens nothing.
  document.addEventListener("pointerdown", () => {
    clearTimeout(opening);
    hadSelection = isSelecting();
  });
  document.addEventListener("keydown", () => clearTimeout(opening));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || !isPlainClick(event) || event.detail > 1) return;
    if (hadSelection || isSelecting()) return;
    const link = linkOf(event.target as Element | null);
    if (!link) return;
    const isMouse = (event as PointerEvent).pointerType === "mouse";
    if (!isMouse) return link.click();
    loadLinked(link);
    opening = setTimeout(() => link.click(), SECOND_MS);
  });
};
