// Remembers forms with changes that are not saved: a link inside one, as to the next words of a filter, asks before it
// leaves them behind.

import type { Translate } from "../texts/texts.ts";

const changed = new WeakSet<HTMLFormElement>();

export const watchChanges = (): void =>
  document.addEventListener("input", ({ target }) => {
    const form = (target as HTMLInputElement).form;
    if (form?.dataset["act"] === "save") changed.add(form);
  });

/** Says that what the form has is saved. */
export const settle = (form: HTMLFormElement): void => void changed.delete(form);

/** Whether the link may be followed; asks where changes around it would be lost. */
export const mayLeave = (link: HTMLElement, t: Translate): boolean => {
  const form = link.closest("form");
  return !form || !changed.has(form) || confirm(t("settings.leave_sure"));
};
