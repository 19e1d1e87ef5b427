// Sends what was written in a composer. The text stays in it until the server has answered.

import type { Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { newId } from "../api/new-id.ts";
import type { Doing } from "./acts.ts";
import { showPosted } from "./posted.ts";

/** Idempotency keys: the same text of a form is the same post, so each text has one key. */
const keys = new WeakMap<HTMLFormElement, { text: string; key: string }>();

const keyOf = (form: HTMLFormElement, text: string): string => {
  const known = keys.get(form);
  if (known?.text === text) return known.key;
  const key = newId();
  keys.set(form, { text, key });
  return key;
};

/** Whether a reply has nothing but the mentions that its form begins with. */
const isUnwritten = (form: HTMLFormElement): boolean => {
  const {
    in_reply_to_id: answered,
    quoted_status_id: quoted,
    status,
  } = form.elements as unknown as {
    [name: string]: HTMLTextAreaElement | undefined;
  };
  return Boolean(answered && !quoted) && status!.value.trim() === status!.defaultValue.trim();
};

/** Throws ApiError; the form then still has the text. */
export const post = async ({ send, store }: Doing, form: HTMLFormElement): Promise<void> => {
  if (isUnwritten(form)) return form.querySelector("textarea")!.focus();
  const {
    form_token: _token,
    back: _back,
    idempotency_key: _key,
    ...body
  } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  // The page itself sends files, as without scripts.
  if (Object.values<unknown>(body).some((value) => value instanceof File && value.size > 0))
    return form.submit();
  const { status = "" } = body;
  const headers = { "idempotency-key": keyOf(form, status) };
  const empty = (): void => {
    keys.delete(form);
    form.reset();
  };
  try {
    const answer = await send<Status>("POST", "/api/v1/statuses", { body, headers });
    empty();
    showPosted(store, answer.body);
  } catch (error) {
    // The post waits for a moderator, as the message says, so it is not written again.
    if (error instanceof ApiError && error.isHeld) empty();
    throw error;
  }
};
