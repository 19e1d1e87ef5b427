// The script of pages that the server draws itself in the frame of the client: it asks before changes of their forms
// are lost, sends none of them twice, says times in the zone of the device, offers acts on ticked entries where some are, copies what is to be used elsewhere,
// and has the keys of every page. They need nothing else of the client.

import { untilPatienceEnds } from "./api/request.ts";
import { freeWhenShown, isBusy, whileBusy } from "./browser/busy.ts";
import { hasPasswords, sendInPlace } from "./browser/in-place.ts";
import { sayInOwnWords } from "./browser/own-words.ts";
import { sayMomentsInOwnZone } from "./browser/own-zone.ts";
import { pageKeys } from "./browser/page-keys.ts";
import { settle, watchChanges } from "./browser/unsaved.ts";
import { bindKeys, listenToKeys } from "./window/keys.ts";

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

/** Whether a queue of the staff has the key, whose own script lists and handles its keys. */
const isTaken = (keys: string): boolean =>
  document.querySelector(keys === "?" ? "[data-keys]" : `[data-key="${keys}"]`) !== null;

const keys = pageKeys({
  isMember: document.querySelector(".me") !== null,
  open: async (path) => location.assign(path),
  help: () => void import("./browser/help-alone.tsx").then(({ showHelp }) => showHelp()),
});

/** A card stands alone: nobody is signed in, or has to answer first. */
const isBare = document.querySelector(".bare") !== null;

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  // A button of this method sends nothing (served/forms.tsx).
  if (submitter?.formMethod === "dialog") return;
  settle(form);
  if (form.method !== "post" || event.defaultPrevented) return;
  if (isBusy(form)) return event.preventDefault();
  const isKept = hasPasswords(form) && !isBare;
  if (isKept) event.preventDefault();
  const sent = isKept ? sendInPlace(form).catch(() => form.submit()) : untilPatienceEnds();
  whileBusy(submitter ? [form, submitter] : [form], sent);
});
freeWhenShown();
sayInOwnWords();
sayMomentsInOwnZone();

if (!isBare) {
  watchChanges();
  bindKeys(keys.filter((binding) => !isTaken(binding.keys)).toReversed());
  listenToKeys(() => {});
}
const several = document.querySelector<HTMLFormElement>("form.several");
const offerActs = (): void => {
  const isAny = several!.querySelector(":checked") ?? document.querySelector(".tick:checked");
  for (const button of several!.querySelectorAll("button")) button.disabled = !isAny;
};
if (several) {
  offerActs();
  document.addEventListener("change", offerActs);
  addEventListener("pageshow", offerActs);
}
for (const button of document.querySelectorAll<HTMLElement>("[data-copied]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}
