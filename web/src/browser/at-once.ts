// Saves each change of a form at once (`data-at-once`), and shows again what is saved where that fails.

import { isBusy } from "./busy.ts";

/** Shows the choices of a form as they were. */
type PutBack = () => void;

const asNow = (form: HTMLFormElement): PutBack => {
  const fields = [...form.elements].map((field): PutBack => {
    if (field instanceof HTMLSelectElement) {
      const { value } = field;
      return () => void (field.value = value);
    }
    if (!(field instanceof HTMLInputElement)) return () => {};
    const { checked } = field;
    return () => void (field.checked = checked);
  });
  return () => fields.forEach((each) => each());
};

/** Choices that are saved, and those that are sent. */
const saved = new WeakMap<HTMLFormElement, PutBack>();
const sent = new WeakMap<HTMLFormElement, PutBack>();
/** Forms with a change that waits for the answer to the one before. */
const waiting = new WeakSet<HTMLFormElement>();
/** Names of the fields that were changed since a form was saved. */
const changed = new WeakMap<HTMLFormElement, Set<string>>();

const settleChanges = (form: HTMLFormElement): void => {
  if (!waiting.has(form)) changed.delete(form);
};

/** Leaves out what nobody has changed in this window: it may have been changed in another one. */
export const withoutUnchanged = (form: HTMLFormElement, data: FormData): FormData => {
  const names = changed.get(form);
  if (!names) return data;
  // The form still says what the page was drawn with, and not what was saved since.
  data.delete("drawn");
  for (const field of form.querySelectorAll<HTMLInputElement>(":is(input, select)[name]")) {
    if (field.type !== "hidden" && !names.has(field.name)) data.delete(field.name);
  }
  return data;
};

/** Milliseconds between looks whether what was saved before is answered. */
const AGAIN_MS = 100;

const save = (form: HTMLFormElement): void => {
  if (!form.isConnected) return;
  if (isBusy(form)) {
    waiting.add(form);
    setTimeout(() => save(form), AGAIN_MS);
    return;
  }
  waiting.delete(form);
  sent.set(form, asNow(form));
  form.requestSubmit();
};

export const keepSaved = (form: HTMLFormElement): void => {
  const choices = sent.get(form);
  if (choices) saved.set(form, choices);
  settleChanges(form);
};

/** Takes back what was not saved, unless a later change sends it again. Returns whether the form is saved at once. */
export const putBack = (form: HTMLFormElement): boolean => {
  if (!waiting.has(form)) saved.get(form)?.();
  settleChanges(form);
  return form.dataset["atOnce"] !== undefined;
};

const formOf = ({ target }: Event): HTMLFormElement | null =>
  (target as Element).closest<HTMLFormElement>("form[data-at-once]");

/** Notes what is saved before somebody changes it. */
const note = (event: Event): void => {
  const form = formOf(event);
  if (form && !isBusy(form) && !waiting.has(form)) saved.set(form, asNow(form));
};

export const followAtOnce = (): void => {
  document.addEventListener("pointerdown", note);
  document.addEventListener("focusin", note);
  document.addEventListener("change", (event) => {
    const form = formOf(event);
    if (!form) return;
    const { name } = event.target as HTMLInputElement;
    changed.set(form, (changed.get(form) ?? new Set()).add(name));
    save(form);
  });
};
