// What a reader leaves out of a list of posts (boosts, replies), for each list and account, kept in this browser.

import { signal } from "@preact/signals";

/** What is left out. */
export type Choice = { withoutBoosts?: boolean; withoutReplies?: boolean };
type Choices = Record<string, Choice>;

const choices = signal<Choices>({});
const NONE: Choice = {};

const slotOf = (accountId: string): string => `lists:${accountId}`;

export const readChoices = (accountId: string): void => {
  try {
    choices.value = JSON.parse(localStorage.getItem(slotOf(accountId)) ?? "{}") as Choices;
  } catch {
    // Nothing is left out.
  }
};

/** `path`: where the posts of the list come from. */
export const choiceOf = (path: string): Choice => choices.value[path] ?? NONE;

export const choose = (accountId: string, path: string, change: Choice): void => {
  choices.value = { ...choices.peek(), [path]: { ...choiceOf(path), ...change } };
  try {
    localStorage.setItem(slotOf(accountId), JSON.stringify(choices.peek()));
  } catch {
    // It holds until the window is closed.
  }
};
