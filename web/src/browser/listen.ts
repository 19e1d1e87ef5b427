// Handles the buttons of the act form and the forms of a page by scripts, instead of sending the form.

import { actOnStatus } from "../acts/acts.ts";
import type { Doing } from "../acts/acts.ts";
import { actOnAnnouncement } from "../acts/announcements.ts";
import { actOnFollowRequest, decideRequest, markRead } from "../acts/notifications.ts";
import { post } from "../acts/post.ts";
import { actOnAccount } from "../acts/relate.ts";
import { actionOf, pathOf, sendForm } from "../acts/send-form.ts";
import { undoOf } from "../acts/undo.ts";
import type { Undo } from "../acts/undo.ts";
import { vote } from "../acts/vote.ts";
import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import { ACT_FORM } from "../elements/act-button.tsx";
import { forgetRefusal, refusedInPlace } from "../elements/refusable.tsx";
import { wordsFor } from "../text/fault.ts";
import type { Translate } from "../texts/texts.ts";
import { SENT } from "../elements/send-form.tsx";
import { NoAnswer, untilPatienceEnds } from "../api/request.ts";
import { followFocus, keepFocus } from "../window/keep-focus.ts";
import { say, whileSlow } from "../window/messages.ts";
import { ask } from "../window/questions.ts";
import { followAtOnce, keepSaved, putBack } from "./at-once.ts";
import { freeWhenShown, isBusy, whileBusy } from "./busy.ts";
import { closeSheet } from "./page-sheet.tsx";
import { sayInOwnWords } from "./own-words.ts";
import { save } from "./save.ts";
import { markChanged, settle } from "./unsaved.ts";

type Listening = Doing & {
  t: Translate;
  /** True when other accounts use this browser, too. */
  isShared: boolean;
  goTo(path: string): void;
};

type Act = (doing: Doing, act: string, id: string, fields: Record<string, string>) => Promise<void>;

const KINDS: Record<string, Act> = {
  statuses: actOnStatus,
  accounts: actOnAccount,
  follow_requests: actOnFollowRequest,
  notifications: markRead,
  "notifications/requests": decideRequest,
  announcements: actOnAnnouncement,
};

const actOf = async (doing: Listening, button: HTMLButtonElement): Promise<void> => {
  const { name, value, dataset } = button;
  const { act = "", kind = "statuses", id = "", done } = dataset;
  const undo = undoOf(doing, `${kind}/${id}/${act}`);
  await KINDS[kind]?.(doing, act, id, name ? { [name]: value } : {});
  if (done) say(done, undo);
};

/** Continues after a form was sent: closes a sheet, or leaves a page that is finished or does not exist any more. */
const goOn = (doing: Listening, form: HTMLFormElement, undo: Undo | null): void => {
  const { done, stays, gone } = form.dataset;
  if (done) say(done, undo);
  form.dispatchEvent(new Event(SENT));
  if (stays !== undefined) return;
  const isSheet = form.closest("dialog") !== null;
  closeSheet();
  const back = new FormData(form).get("back");
  if ((!isSheet || location.pathname === gone) && typeof back === "string") doing.goTo(back);
};

const send = async (
  doing: Listening,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<void> => {
  const undo = undoOf(doing, pathOf(form));
  await sendForm(doing, form, submitter);
  goOn(doing, form, undo);
};

type Work = (
  doing: Listening,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
) => Promise<void>;

const FORMS: Record<string, Work> = {
  post,
  vote: async (doing, form) => {
    if (!(await vote(doing, form))) say(doing.t("poll.choose"));
  },
  send,
  save: (doing, form, submitter) => save(doing)(form, submitter),
  push: async ({ send, isShared }, form, submitter) => {
    const { takePush } = await import("../window/push.ts");
    const get: Get = (path, params) => send("GET", path, params && { params });
    await takePush({ send, get, isShared }, form, valueOf(submitter));
  },
};

const valueOf = (button: HTMLElement | null): string =>
  button instanceof HTMLButtonElement ? button.value : "";

/** Shows faults beside their fields, and leads to the first; says what no field of the form says. */
const tell = ({ t }: Listening, error: unknown, form: HTMLFormElement, action: string): void => {
  const faults = error instanceof ApiError ? error.faults : {};
  if (Object.keys(faults).length === 0) return say(wordsFor(t, error));
  refusedInPlace.value = { action, fields: null, faults };
  requestAnimationFrame(() => {
    const shown = [...form.querySelectorAll(".fault")].map(({ textContent }) => textContent);
    const others = Object.values(faults).filter((text) => !shown.includes(text));
    if (shown.length === 0) say(wordsFor(t, error));
    else if (others.length > 0) say(others.join(" "));
    form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  });
};

const untilLost = async (): Promise<never> => {
  await untilPatienceEnds();
  throw new NoAnswer("no document");
};

/** The form whose question was answered, while it is sent. */
let answered: HTMLFormElement | null = null;

/** Sends the form as before, where it still is there. */
const sendAnswered = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
  if (!(submitter ?? form).isConnected) return;
  answered = form;
  form.requestSubmit(submitter);
  answered = null;
};

/** Whether the form is sent only after a question, which is asked. */
const asksFirst = (form: HTMLFormElement, submitter: HTMLElement | null): boolean => {
  const asking = submitter?.dataset["sure"] ? submitter : form;
  const { sure: title, sureText: text } = asking.dataset;
  if (!title || answered === form) return false;
  const yes = submitter?.innerText || submitter?.ariaLabel || "";
  void ask({ title, text, yes }).then((isWanted) => isWanted && sendAnswered(form, submitter));
  return true;
};

export const listenToForms = (doing: Listening): void => {
  followFocus();
  sayInOwnWords();
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    const isAct = form.id === ACT_FORM && submitter?.dataset["act"] !== undefined;
    // All buttons of a page share one form.
    const subject = isAct ? submitter! : form;
    if (isBusy(subject) || asksFirst(form, submitter)) return event.preventDefault();
    const shown = submitter ? [subject, submitter] : [subject];
    const work = isAct
      ? actOf(doing, submitter as HTMLButtonElement)
      : FORMS[form.dataset["act"] ?? ""]?.(doing, form, submitter);
    if (!work && form.method !== "post") return;
    if (work) event.preventDefault();
    const wasChanged = settle(form);
    const keep = keepFocus();
    const done = whileSlow(work ?? untilLost(), doing.t("wait.sending"));
    whileBusy(shown, done);
    const action = actionOf(form, submitter);
    done
      .then(() => {
        forgetRefusal(action);
        keepSaved(form);
        requestAnimationFrame(keep);
      })
      .catch((error: unknown) => {
        if (!putBack(form) && wasChanged) markChanged(form);
        tell(doing, error, form, action);
      });
  });
  followAtOnce();
  freeWhenShown();
};
