// Stores in this browser what a reader hides in a list of posts (boosts, replies), for each list and account.

import { signal } from "@preact/signals";

/** What is hidden. */
export type Choice = { withoutBoosts?: boolean; withoutReplies?: boolean };
type Choices = Record<string, Choice>;

const choices = signal<Choices>({});
const NONE: Choice = {};

const slotOf = (accountId: string): string => `lists:${accountId}`;

export const readChoices = (accountId: string): void => {
  try {
    choices.value = JSON.parse(localStorage.getItem(slotOf(accountId)) ?? "{}") as Choices;
  } catch {
    // Nothing is hidden then.
  }
};

/** `path` is where the posts of the list come from. */
export const choiceOf = (path: string): Choice => choices.value[path] ?? NONE;

export const choose = (accountId: string, path: string, change: Choice): void => {
  choices.value = { ...choices.peek(), [path]: { ...choiceOf(path), ...change } };
  try {
    localStorage.setItem(slotOf(accountId), JSON.stringify(choices.peek()));
  } catch {
    // The choice then holds until the window is closed.
  }
};
