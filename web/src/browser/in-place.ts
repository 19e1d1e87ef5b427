// Sends a form with several passwords, which no page gives back, so that it stays as it is where it is refused.

import { request } from "../api/request.ts";
import { markAll } from "./own-words.ts";

type Told = { location?: string; error_texts?: Record<string, string> };

export const hasPasswords = (form: HTMLFormElement): boolean =>
  form.querySelectorAll("[type=password]").length > 1;

/** What is refused for another reason than a field is sent as without scripts: its page says why. */
export const sendInPlace = async (form: HTMLFormElement): Promise<void> => {
  const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
  const headers = { accept: "application/json" };
  const answer = await request(form.action, { method: "POST", headers, body });
  const { location: next, error_texts: faults = {} } = JSON.parse(answer.text) as Told;
  if (next) return location.assign(next);
  if (!markAll(form, faults)) form.submit();
};
