// The interface of a translation service.

import type { App } from "../../../platform/app.ts";

/** Source language → target languages; `und` where the service detects it. Codes as posts have them. */
export type Languages = Record<string, string[]>;

export type Translated = {
  /** HTML from the service, which is not trusted. In the order of the request. */
  texts: string[];
  /** The detected language; null: not given. */
  source: string | null;
};

export type Order = {
  /** HTML. */
  texts: string[];
  /** null: to be detected. */
  source: string | null;
  target: string;
};

export type Provider = {
  /** The name shown to people. */
  name: string;
  /** Throws Unavailable, as `translate` does. */
  languages(app: App): Promise<Languages>;
  translate(app: App, order: Order): Promise<Translated>;
};
