// Saves a form of the settings in place: it is sent to the same address as without scripts, and the page is loaded
// again.

import type { CredentialAccount } from "../api/entities.ts";
import { answerOf } from "../api/get.ts";
import { readersLanguage, request, untilPatienceEnds } from "../api/request.ts";
import type { Send } from "../api/send.ts";
import type { Look } from "../look.ts";
import type { Translate } from "../texts/texts.ts";
import { say } from "../window/messages.ts";
import { pathOf } from "../acts/send-form.ts";
import { oppositeOf } from "../acts/undo.ts";
import type { Undo } from "../acts/undo.ts";
import { openPath } from "../window/opening.ts";
import { withoutUnchanged } from "./at-once.ts";
import { settle } from "./unsaved.ts";
import { adopt, refresh } from "./navigation.ts";

/** What the server answers: a profile, how the browser looks, or anything else. */
type Saved = Partial<CredentialAccount> & { look?: Look; locale?: string | null };

const payloadOf = (form: HTMLFormElement, submitter: HTMLElement | null): BodyInit => {
  const data = withoutUnchanged(form, new FormData(form, submitter));
  if (form.enctype === "multipart/form-data") return data;
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
};

/** Sets the attributes that the server will draw in the next document. */
const applyLook = (look: Look): void => {
  const { dataset } = document.documentElement;
  for (const name of Object.keys(dataset)) delete dataset[name];
  Object.assign(dataset, look);
};

/** Returns the account after saving; preferences are answered without it. */
const accountAfter = async ({ send }: Saving, saved: Saved): Promise<CredentialAccount | null> => {
  if (saved.source) return saved as CredentialAccount;
  if (saved.locale === undefined) return null;
  return (await send<CredentialAccount>("GET", "/api/v1/accounts/verify_credentials")).body;
};

const headers = { accept: "application/json" };

/** Returns what takes back what the form does: the same fields, sent to the opposite address. */
const undoOf = (path: string, body: BodyInit): Undo | null => {
  const opposite = oppositeOf(path);
  if (opposite === null) return null;
  return async () => {
    const { status, text } = await request(`/web/act/${opposite}`, {
      method: "POST",
      headers,
      body,
    });
    answerOf(status, text, null, readersLanguage());
    await refresh();
  };
};

/** Empties a form that makes something, and folds it where it was unfolded. */
const beginAnew = (form: HTMLFormElement): void => {
  form.reset();
  const folded = form.closest("details");
  if (!folded) return;
  folded.open = false;
  folded.querySelector("summary")?.focus({ preventScroll: true });
};

type Saving = { send: Send; t: Translate };

/** Throws ApiError, in the words of the API; the form then still has what was entered. */
export const save =
  (saving: Saving) =>
  async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    const action = submitter?.getAttribute("formaction") ?? form.action;
    const body = payloadOf(form, submitter);
    const { status, text } = await request(action, { method: "POST", headers, body });
    // Its page shows what was saved elsewhere beside what was entered here.
    if (status === 409 && form.elements.namedItem("drawn")) {
      settle(form);
      form.submit();
      return untilPatienceEnds();
    }
    const saved = answerOf<Saved>(status, text, null, readersLanguage()).body ?? {};
    if (saved.look) applyLook(saved.look);
    const before = form.querySelector<HTMLSelectElement>("[name=locale]");
    const isOtherLanguage = before && !before.selectedOptions[0]?.defaultSelected;
    if (isOtherLanguage) return location.reload();
    const me = await accountAfter(saving, saved);
    const back = new URL(String(new FormData(form).get("back")), location.href);
    const isElsewhere = back.pathname !== location.pathname;
    const changed = { ...(me && { me }), ...(saved.look && { look: saved.look }) };
    if (form.dataset["atOnce"] !== undefined) adopt(changed);
    else if (me || saved.look || !isElsewhere) {
      await refresh(changed);
      if (form.dataset["fresh"] !== undefined) beginAnew(form);
      // The page was drawn again around it.
      const focus = () => submitter?.checkVisibility() && submitter.focus({ preventScroll: true });
      requestAnimationFrame(focus);
    }
    say(
      submitter?.dataset["done"] ?? form.dataset["done"] ?? "",
      undoOf(pathOf(form, submitter), body),
    );
    if (isElsewhere) void openPath(back.pathname);
  };
