// Votes in a poll, by the form below its options.

import type { Poll } from "../api/entities.ts";
import { changeStatus } from "../store/store.ts";
import type { Doing } from "./acts.ts";

/** Votes for the chosen options; returns false if none is chosen. Throws ApiError. */
export const vote = async ({ send, store }: Doing, form: HTMLFormElement): Promise<boolean> => {
  const choices = new FormData(form).getAll("choices[]").map(String);
  if (choices.length === 0) return false;
  const path = new URL(form.action).pathname.replace("/web/act/polls/", "/api/v1/polls/");
  const { body: poll } = await send<Poll>("POST", path, { body: { choices } });
  changeStatus(store, form.dataset["id"] ?? "", () => ({ poll }));
  return true;
};
