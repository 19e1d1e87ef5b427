// Remembers forms with changes that are not saved, and asks before they are lost: by a link, a key or the back button,
// and by the browser's own question when the whole document goes. The pages that the server draws use it as well
// (servers-page.ts).

import type { Translate } from "../texts/texts.ts";
import { ask } from "../window/questions.ts";

/** Forms whose content is kept elsewhere or chosen anew at no cost: drafts, votes, ticked entries. */
const UNASKED = ".composer, .poll-vote, .several";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether it does not have what it had at first; what cannot be compared counts as changed. */
const isChanged = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  if (/^(?:checkbox|radio)$/.test(field.type))
    return (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked;
  return /^(?:hidden|file)$/.test(field.type) || field.value !== field.defaultValue;
};

/** Fields that were written to, by their forms; null for all fields of a form that was refused. */
const changed = new Map<HTMLFormElement, Set<Field> | null>();

/** Forms that were sent before: what their fields had at first is not what is saved. */
const sent = new WeakSet<HTMLFormElement>();

/** Whether something would be lost in this part of the page. */
export const hasChanges = (inside: ParentNode = document): boolean =>
  [...changed].some(
    ([form, fields]) =>
      form.isConnected &&
      inside.contains(form) &&
      (fields === null || [...fields].some((field) => isChanged(field))),
  );

const askWithDocument = (event: BeforeUnloadEvent): void => {
  if (hasChanges()) event.preventDefault();
};

/** Remembers that what the form has is not saved: in this field, or in all. */
export const markChanged = (form: HTMLFormElement, field?: Field): void => {
  for (const each of changed.keys()) if (!each.isConnected) changed.delete(each);
  const fields = changed.get(form);
  if (!field || sent.has(form)) changed.set(form, null);
  else if (fields !== null) changed.set(form, new Set([...(fields ?? []), field]));
  // Firefox keeps no page with this listener for the back button, so others have none.
  window.addEventListener("beforeunload", askWithDocument);
};

/** Says that what the form has was sent; returns whether it was changed. */
export const settle = (form: HTMLFormElement): boolean => {
  const wasChanged = changed.delete(form);
  sent.add(form);
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
    markChanged(form, field);
  });

/** Whether this part of the page may be left; asks where changes in it would be lost. */
export const mayLeave = async (t: Translate, inside?: ParentNode): Promise<boolean> => {
  if (!hasChanges(inside)) return true;
  const title = t("settings.leave_sure");
  const isWanted = await ask({ title, text: t("settings.leave_text"), yes: t("settings.leave") });
  if (!isWanted) return false;
  for (const form of changed.keys()) if (!inside || inside.contains(form)) settle(form);
  return true;
};
