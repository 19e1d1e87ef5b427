// Asks before something is lost: `ask` resolves when the window with the question is closed, and the focus is back.

import { signal } from "@preact/signals";

export type Question = {
  title: string;
  /** What the act brings. */
  text?: string | undefined;
  /** The act, on its button. */
  yes: string;
};

type Asked = Question & {
  key: number;
  /** Closes the window. */
  answer(isYes: boolean): void;
  /** Called when it is closed. */
  onClosed(): void;
};

export const asked = signal<Asked | null>(null);
let count = 0;

/** Returns whether the reader wants it. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    let isWanted = false;
    const answer = (isYes: boolean): void => {
      isWanted = isYes;
      asked.value = null;
    };
    const onClosed = (): void => resolve(isWanted);
    const show = (): void => {
      asked.value = { ...question, key: (count += 1), answer, onClosed };
    };
    // The menu that it was asked from is closed by then, and its button gets the focus back.
    setTimeout(show);
  });
