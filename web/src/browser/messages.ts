// Short messages to the person: what was refused, what was done.

import { signal } from "@preact/signals";
import { SLOW_MS } from "../api/request.ts";

export const message = signal("");

const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Until another one is said, or the time of this one is over. */
export const say = (text: string): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ""), SHOWN_MS);
};

/** Says `text` where the work takes long, as long as it does. */
export const whileSlow = async <T>(work: Promise<T>, text: string): Promise<T> => {
  const timer = setTimeout(() => say(text), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (message.peek() === text) message.value = "";
  }
};
