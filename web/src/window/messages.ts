// Shows short messages: what was refused, what was done and can be taken back.

import { signal } from "@preact/signals";
import { SLOW_MS } from "../api/request.ts";

type Message = {
  text: string;
  /** Takes back what the text says. */
  undo?: (() => Promise<void>) | null | undefined;
};

export const NONE: Message = { text: "" };

export const message = signal(NONE);

const SHOWN_MS = 6000;
/** A message with an act stays for as long as it takes to reach it, and while it is being reached. */
const SHOWN_WITH_UNDO_MS = 20_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the message until it is released. */
export const holdMessage = (): void => clearTimeout(timer);

export const releaseMessage = (): void => {
  clearTimeout(timer);
  const wait = message.peek().undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS;
  timer = setTimeout(() => (message.value = NONE), wait);
};

/** Shows a text until another one is shown, or its time is over. */
export const say = (text: string, undo?: Message["undo"]): void => {
  message.value = { text, undo };
  releaseMessage();
};

/** Shows `text` while work takes long. */
export const whileSlow = async <T>(work: Promise<T>, text: string): Promise<T> => {
  const timer = setTimeout(() => say(text), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (message.peek().text === text) message.value = NONE;
  }
};
