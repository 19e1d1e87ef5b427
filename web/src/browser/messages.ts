// Short messages to the person: what was refused, what was done.

import { signal } from "@preact/signals";

export const message = signal("");

const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

export const say = (text: string): void => {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ""), SHOWN_MS);
};
