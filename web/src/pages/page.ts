// What a page is: an address, what it asks the API for, how it is shown, and what machines read of it. The server and
// the browser load and show it by the same code.

import type { FunctionComponent } from "preact";
import type { CredentialAccount } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import type { Place, Site } from "../app.ts";
import type { Store } from "../store/store.ts";
import type { Translate } from "../texts/texts.ts";

export type Loading = {
  get: Get;
  store: Store;
  place: Place;
  /** The language of the page. */
  locale: string;
  me: CredentialAccount | null;
  site: Site;
};

/** For search engines, previews of links (https://ogp.me) and other servers. */
export type Head = {
  title: string;
  description?: string;
  /** A whole address. */
  image?: string;
  /** A picture worth showing large. */
  isLarge?: boolean;
  type?: "website" | "profile" | "article";
  /** The whole address by which the page is known. */
  url?: string;
  isHidden?: boolean;
  /** Other than 200. */
  status?: number;
  properties?: Record<string, string>;
  links?: { rel: string; href: string; type?: string }[];
};

export type Page<D> = {
  /** `/@:acct/:id(\\d+)`: named parts stand for a segment each, of this form where one is given. */
  path: string;
  /** Visitors are asked to sign in. */
  isForMembers?: boolean;
  /** Of a page that is loaded when it is needed: resolves with it once it is there. */
  ready?(): Promise<AnyPage>;
  /** What the view needs, as plain data; entities go to the store. Throws ApiError, or a Redirect. */
  load(loading: Loading): Promise<D>;
  View: FunctionComponent<{ data: D }>;
  /** Beside the column, where there is room. */
  Beside?: FunctionComponent;
  head(data: D, about: { t: Translate; store: Store; site: Site; place: Place }): Head;
};

/** The page is at another address. */
export class Redirect extends Error {
  to: string;

  constructor(to: string) {
    super(`see ${to}`);
    this.to = to;
  }
}

// A list of pages of different data: each is used with its own data alone.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPage = Page<any>;

const patterns = new Map<string, RegExp>();

const patternOf = (path: string): RegExp => {
  const known = patterns.get(path);
  if (known) return known;
  const source = path.replaceAll(
    /:(\w+)(?:\(([^)]+)\))?/g,
    (_whole, name: string, form = "[^/]+") => `(?<${name}>${form})`,
  );
  const pattern = new RegExp(`^${source}/?$`);
  patterns.set(path, pattern);
  return pattern;
};

/** The named parts of an address, or null where it is another page's. */
export const matchPath = (path: string, address: string): Record<string, string> | null => {
  const groups = patternOf(path).exec(address)?.groups;
  if (!patternOf(path).test(address)) return null;
  const entries = Object.entries(groups ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, safeDecode(value)]));
};

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
