// Shows short messages: what was refused, what was done.

import { signal } from "@preact/signals";
import { SLOW_MS } from "../api/request.ts";

export const message = signal("");

const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a text until another one is shown, or its time is over. */
export const say = (text: string): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ""), SHOWN_MS);
};

/** Shows `text` while work takes long. */
export const whileSlow = async <T>(work: Promise<T>, text: string): Promise<T> => {
  const timer = setTimeout(() => say(text), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (message.peek() === text) message.value = "";
  }
};
