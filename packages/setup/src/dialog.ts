// Questions and answers on a terminal, line by line.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ConfigError, spoken } from "./uses.ts";
import type { Key, Said, Say, Texts, Values } from "./uses.ts";

export type Dialog = {
  say(text: string): void;
  /** Says what is wrong with an answer. */
  refuse(why: Said | string): void;
  /** Returns the line that was typed, or `fallback` for an empty one. A secret is not shown while it is typed. */
  ask(question: Key, fallback?: string, options?: { isSecret?: boolean }): Promise<string>;
  confirm(question: Key, fallback: boolean, values?: Values): Promise<boolean>;
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

const endedAfter = (t: Say, path: string | null): string =>
  path === null ? t("setup.ended") : t("setup.ended_after", { path });

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

/** Returns the letters that mean yes, and the hint that shows them with what Enter takes in capitals. */
const yesOrNo = (t: Say, fallback: boolean): { yes: string; hint: string } => {
  const [yes = "", no = ""] = [t("setup.yes"), t("setup.no")].map((word) => [...word][0]);
  const hint = fallback ? `${yes.toUpperCase()}/${no}` : `${yes}/${no.toUpperCase()}`;
  return { yes, hint };
};

export const openDialog = ({ input, output, terminal = true }: Streams, texts: Texts): Dialog => {
  const { t, language } = texts;
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
  const askFor = async (question: string, fallback = "", isSecret = false): Promise<string> => {
    const hint = fallback === "" ? "" : ` [${isSecret ? t("setup.as_is") : fallback}]`;
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
    if (line === null) throw new ConfigError(endedAfter(t, written));
    return line.trim() === "" ? fallback : line.trim();
  };
  return {
    say: (text) => void output.write(`${text}\n`),
    refuse: (why) =>
      void output.write(`  ✗ ${typeof why === "string" ? why : spoken(texts, why)}\n`),
    ask: (question, fallback, { isSecret } = {}) => askFor(t(question), fallback, isSecret),
    async confirm(question, fallback, values) {
      const { yes, hint } = yesOrNo(t, fallback);
      const answer = (await askFor(`${t(question, values)} (${hint})`)).toLocaleLowerCase(language);
      return answer === "" ? fallback : [yes, t("setup.yes"), "y", "yes"].includes(answer);
    },
    wrote: (path) => void (written = path),
    close: () => reader.close(),
  };
};
