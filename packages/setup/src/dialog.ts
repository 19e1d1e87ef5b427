// Questions and answers on a terminal, line by line.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ConfigError } from "./uses.ts";

export type Dialog = {
  say(text: string): void;
  /** Returns the line that was typed, or `fallback` for an empty one. A secret is not shown while it is typed. */
  ask(question: string, fallback?: string, options?: { isSecret?: boolean }): Promise<string>;
  confirm(question: string, fallback: boolean): Promise<boolean>;
  /** From now on, whoever aborts the dialog is told that this file has been written. */
  wrote(path: string): void;
  close(): void;
};

/** `terminal: false` means that a program sends the lines. */
export type Streams = {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  terminal?: boolean;
};

const endedAfter = (path: string | null): string =>
  path === null
    ? "The set-up was ended, and nothing was written."
    : `The set-up was ended. ${path} is written; the first start prints a link for the owner's account.`;

/** Passes text on, except what is typed after a question for a secret. */
const mutable = (output: NodeJS.WritableStream) => {
  const state = { isMuted: false };
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!state.isMuted) output.write(chunk);
      done();
    },
  });
  return { state, stream };
};

export const openDialog = ({ input, output, terminal = true }: Streams): Dialog => {
  const { state, stream } = mutable(output);
  const reader = createInterface({ input, output: stream, terminal });
  const waiting: string[] = [];
  const listeners: ((line: string | null) => void)[] = [];
  let isEnded = false;
  let written: string | null = null;
  // Lines that come before they are asked for are kept.
  reader.on("line", (line) => {
    const listener = listeners.shift();
    if (listener) listener(line);
    else waiting.push(line);
  });
  reader.on("SIGINT", () => reader.close());
  reader.on("close", () => {
    isEnded = true;
    for (const listener of listeners.splice(0)) listener(null);
  });
  const nextLine = (): Promise<string | null> => {
    const line = waiting.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (isEnded) return Promise.resolve(null);
    return new Promise((resolve) => listeners.push(resolve));
  };
  const ask: Dialog["ask"] = async (question, fallback = "", { isSecret = false } = {}) => {
    const hint = fallback === "" ? "" : ` [${isSecret ? "as it is" : fallback}]`;
    const prompt = `  ${question}${hint}: `;
    if (isEnded) output.write(prompt);
    else {
      reader.setPrompt(prompt);
      reader.prompt();
    }
    state.isMuted = isSecret;
    const line = await nextLine();
    state.isMuted = false;
    if (isSecret || line === null) output.write("\n");
    if (line === null) throw new ConfigError(endedAfter(written));
    return line.trim() === "" ? fallback : line.trim();
  };
  return {
    say: (text) => void output.write(`${text}\n`),
    ask,
    async confirm(question, fallback) {
      const answer = await ask(`${question} (${fallback ? "Y/n" : "y/N"})`);
      return answer === "" ? fallback : /^y(?:es)?$/i.test(answer);
    },
    wrote: (path) => void (written = path),
    close: () => reader.close(),
  };
};
