// Saves a form of the settings in place: it is sent to the same address as without scripts, and the page is loaded
// again.

import type { CredentialAccount } from "../api/entities.ts";
import { answerOf } from "../api/get.ts";
import { readersLanguage, request } from "../api/request.ts";
import type { Send } from "../api/send.ts";
import type { Look } from "../look.ts";
import type { Translate } from "../texts/texts.ts";
import { say } from "../window/messages.ts";
import { openPath, refresh } from "./navigation.ts";
import { settle } from "./unsaved.ts";

/** What the server answers: a profile, how the browser looks, or anything else. */
type Saved = Partial<CredentialAccount> & { look?: Look; locale?: string | null };

const payloadOf = (form: HTMLFormElement, submitter: HTMLElement | null): BodyInit => {
  const data = new FormData(form, submitter);
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

type Saving = { send: Send; t: Translate };

/** Throws ApiError, in the words of the API; the form then still has what was entered. */
export const save =
  (saving: Saving) =>
  async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    const action = submitter?.getAttribute("formaction") ?? form.action;
    const body = payloadOf(form, submitter);
    const headers = { accept: "application/json" };
    const { status, text } = await request(action, { method: "POST", headers, body });
    const saved = answerOf<Saved>(status, text, null, readersLanguage()).body ?? {};
    settle(form);
    if (saved.look) applyLook(saved.look);
    const before = form.querySelector<HTMLSelectElement>("[name=locale]");
    const isOtherLanguage = before && !before.selectedOptions[0]?.defaultSelected;
    if (isOtherLanguage) return location.reload();
    const me = await accountAfter(saving, saved);
    const back = new URL(String(new FormData(form).get("back")), location.href);
    const isElsewhere = back.pathname !== location.pathname;
    if (me || saved.look || !isElsewhere) {
      await refresh({
        ...(me && { me }),
        ...(saved.look && { look: saved.look }),
      });
      if (form.dataset["fresh"] !== undefined) form.reset();
      // The page was drawn again around it.
      const focus = () => submitter?.isConnected && submitter.focus({ preventScroll: true });
      requestAnimationFrame(focus);
    }
    say(form.dataset["done"] ?? saving.t("settings.saved"));
    if (isElsewhere) void openPath(back.pathname);
  };
