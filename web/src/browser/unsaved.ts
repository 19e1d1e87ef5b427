// Remembers forms with changes that are not saved, and asks before they are lost: by a link, a key or the back button,
// and by the browser's own question when the whole document goes. The pages that the server draws use it as well
// (servers-page.ts).

import type { Translate } from "../texts/texts.ts";

/** Forms whose content is kept elsewhere or chosen anew at no cost: drafts, votes, ticked entries. */
const UNASKED = ".composer, .poll-vote, .several";

const changed = new Set<HTMLFormElement>();

const hasChanges = (inside: ParentNode = document): boolean =>
  [...changed].some((form) => form.isConnected && inside.contains(form));

const askWithDocument = (event: BeforeUnloadEvent): void => {
  if (hasChanges()) event.preventDefault();
};

/** Remembers that what the form has is not saved. */
export const markChanged = (form: HTMLFormElement): void => {
  for (const each of changed) if (!each.isConnected) changed.delete(each);
  changed.add(form);
  // Firefox keeps no page with this listener for the back button, so others have none.
  window.addEventListener("beforeunload", askWithDocument);
};

/** Says that what the form has was sent; returns whether it was changed. */
export const settle = (form: HTMLFormElement): boolean => {
  const wasChanged = changed.delete(form);
  if (changed.size === 0) window.removeEventListener("beforeunload", askWithDocument);
  return wasChanged;
};

export const watchChanges = (): void =>
  document.addEventListener("input", ({ target }) => {
    const field = target as HTMLInputElement;
    const { form } = field;
    if (form?.method !== "post" || form.matches(UNASKED)) return;
    // A sheet of choices is closed without a question, but not one with a text.
    if (form.closest("dialog") && !field.matches("textarea")) return;
    markChanged(form);
  });

/** Whether this part of the page may be left; asks where changes in it would be lost. */
export const mayLeave = (t: Translate, inside?: ParentNode): boolean => {
  if (!hasChanges(inside)) return true;
  if (!confirm(t("settings.leave_sure"))) return false;
  for (const form of changed) if (!inside || inside.contains(form)) settle(form);
  return true;
};
