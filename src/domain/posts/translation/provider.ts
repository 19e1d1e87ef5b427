// Declares the interface of a translation service.

import type { App } from "../../../platform/app.ts";

/** Maps source languages to target languages; `und` stands for detection by the service. Codes are those of posts. */
export type Languages = Record<string, string[]>;

export type Translated = {
  /** HTML from the service, which is not trusted, in the order of the request. */
  texts: string[];
  /** Detected language; null where it is not stated. */
  source: string | null;
};

export type Order = {
  /** HTML. */
  texts: string[];
  /** Null where the language is to be detected. */
  source: string | null;
  target: string;
};

export type Provider = {
  /** Name shown to people. */
  name: string;
  /** Throws Unavailable, as `translate` does. */
  languages(app: App): Promise<Languages>;
  translate(app: App, order: Order): Promise<Translated>;
};
