// The texts of a page in the browser: the server draws it with the whole catalogue (texts/), and names two files of what
// the client can say in this language (web/texts.ts): one for every page, and one for what is loaded on demand.

import type { Key } from "../../../texts/english.ts";
import * as catalogue from "../../../texts/translate.ts";

export type { Key };
export type { Values } from "../../../texts/translate.ts";
export type Translate = catalogue.Translate<Key>;

type Messages = Record<Key, catalogue.Message>;

const load = async (address: string): Promise<Partial<Messages>> =>
  ((await import(/* @vite-ignore */ address)) as { default: Partial<Messages> }).default;

let loadRest = async (): Promise<void> => {};

/** Returns the texts of the document: of every page; the rest is added by `withTexts`. */
export const loadTexts = async (): Promise<Translate> => {
  const { lang, dataset } = document.documentElement;
  const [first, rest] = dataset["words"]!.split(" ") as [string, string];
  const messages = {} as Messages;
  let loading: Promise<void> | null = null;
  const loadOnce = (): Promise<void> =>
    load(rest)
      .then((more) => void Object.assign(messages, more))
      .catch((error: unknown) => {
        // It is asked for again.
        loading = null;
        throw error;
      });
  loadRest = () => (loading ??= loadOnce());
  Object.assign(messages, await load(first));
  return catalogue.translator(lang, messages, messages);
};

/** Loads what parts of the client say ahead of them, so that they open without a connection. */
export const loadAhead = (): Promise<void> => loadRest();

/** Loads a part of the client, and what it says. */
export const withTexts = async <Part>(loading: Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([loading, loadRest()]);
  return part;
};
