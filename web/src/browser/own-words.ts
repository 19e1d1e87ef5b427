// Says beside a date what is wrong with it, in the language of the page: the browser would say it in its own. Also
// beside what the server refused of a form that stays as it is.

const NOTE = "own-words";

const noteOf = (field: Element): Element | null => {
  const next = field.nextElementSibling;
  return next?.classList.contains(NOTE) ? next : null;
};

const clear = (field: Element): void => {
  const note = noteOf(field);
  if (!note) return;
  note.remove();
  field.setAttribute("aria-invalid", "false");
};

/** Says it beside the field until that is changed. */
const mark = (field: HTMLElement, text: string): void => {
  clear(field);
  const note = document.createElement("span");
  note.className = `fault ${NOTE}`;
  note.role = "alert";
  note.textContent = text;
  field.after(note);
  field.setAttribute("aria-invalid", "true");
};

/** Says of each input what is wrong with it, and leads to the first; returns whether the form has one of them. */
export const markAll = (form: HTMLFormElement, faults: Record<string, string>): boolean => {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement,
  );
  for (const field of fields) clear(field);
  const wrong = fields.filter(({ name }) => faults[name] !== undefined);
  for (const field of wrong) mark(field, faults[field.name]!);
  wrong[0]?.focus();
  return wrong.length > 0;
};

/** Fields with words of their own have them as `data-invalid`, and as `data-early` for what is before their `min`. */
const tell = (event: Event): void => {
  const field = event.target as HTMLInputElement;
  const { invalid, early = invalid } = field.dataset;
  if (invalid === undefined) return;
  event.preventDefault();
  mark(field, field.validity.rangeUnderflow ? early! : invalid);
  const wrong = ":is(input, select, textarea):is(:invalid, [aria-invalid=true])";
  field.form?.querySelector<HTMLElement>(wrong)?.focus();
};

/** A date that is written in part is sent as none, also by forms that the browser does not judge. */
const judgeDates = (event: SubmitEvent): void => {
  const form = event.target as HTMLFormElement;
  if (!form.noValidate) return;
  const dates = form.querySelectorAll<HTMLInputElement>("input[data-invalid]");
  const wrong = [...dates].filter(({ validity }) => validity.badInput);
  if (wrong.length === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const date of wrong) date.checkValidity();
  wrong[0]!.focus();
};

export const sayInOwnWords = (): void => {
  document.addEventListener("submit", judgeDates, true);
  document.addEventListener("invalid", tell, true);
  // Before the field's own listener, which may say something else of what was entered.
  document.addEventListener("input", ({ target }) => clear(target as Element), true);
};
