// The words for what went wrong: of a page that cannot be shown, of an act that was refused.

import { ApiError } from "../api/get.ts";
import { NoAnswer } from "../api/request.ts";
import { SessionEnded } from "../api/session.ts";
import type { Key, Translate } from "../texts/texts.ts";

/**
 * What could not be shown, and why. `status` 0 means that there was no answer. `isSaid`: the message is meant for the
 * reader.
 */
export type Fault = { status: number; message: string; isSaid?: boolean };

const TEXTS: Record<number, [title: Key, text: Key]> = {
  0: ["fault.no_answer_title", "fault.no_answer"],
  401: ["fault.sign_in_title", "fault.sign_in"],
  403: ["fault.forbidden_title", "fault.forbidden"],
  404: ["fault.missing_title", "fault.missing"],
  408: ["fault.no_answer_title", "fault.no_answer"],
  410: ["fault.gone_title", "fault.gone"],
  429: ["fault.often_title", "fault.often"],
  503: ["fault.away_title", "fault.away"],
};

const REFUSED: [title: Key, text: Key] = ["fault.refused_title", "fault.refused"];

/** Whether to ask to sign in; not where the message explains it, since an app may be unknown. */
export const asksToSignIn = ({ status, isSaid }: Fault): boolean => status === 401 && !isSaid;

export const faultTexts = (fault: Fault): [title: Key, text: Key] => {
  const { status } = fault;
  const texts = status !== 401 || asksToSignIn(fault) ? TEXTS[status] : REFUSED;
  if (texts) return texts;
  return status >= 400 && status < 500 ? REFUSED : ["fault.title", "fault.failed"];
};

export const faultTitle = (t: Translate, fault: Fault): string => t(faultTexts(fault)[0]);

/** Statuses that say little by themselves, so that the message is shown. */
const SPEAKS = new Set([400, 422]);

/** Returns what a page needs of a fault. */
export const shownFault = ({ status, message, isSaid = false }: Fault): Fault => ({
  status,
  message: isSaid || SPEAKS.has(status) ? message : "",
  isSaid,
});

/** Returns the text for an error of any kind: never the words of a browser, nor a number. */
export const wordsFor = (t: Translate, error: unknown): string => {
  if (error instanceof SessionEnded) return t("session.ended");
  if (error instanceof NoAnswer) return t("fault.no_answer");
  if (!(error instanceof ApiError)) return t("fault.text");
  const { status, message } = error;
  if (status < 500 && status !== 429 && message) return message;
  return t(status >= 500 && status !== 503 ? "fault.text" : faultTexts({ status, message })[1]);
};
