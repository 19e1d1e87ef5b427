// Defines a page: an address, what it requests from the API, how it is drawn, and what machines read of it. The server
// and the browser load and draw it by the same code.

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
  /** Language of the page. */
  locale: string;
  me: CredentialAccount | null;
  site: Site;
};

/** Data for search engines, previews of links (https://ogp.me) and other servers. */
export type Head = {
  title: string;
  description?: string;
  /** An absolute address. */
  image?: string;
  /** True for a picture that is worth showing large. */
  isLarge?: boolean;
  type?: "website" | "profile" | "article";
  /** The canonical, absolute address of the page. */
  url?: string;
  isHidden?: boolean;
  /** Status, if it is not 200. */
  status?: number;
  properties?: Record<string, string>;
  links?: { rel: string; href: string; type?: string }[];
};

export type Page<D> = {
  /** A pattern such as `/@:acct/:id(\\d+)`: named parts stand for a segment each, of the given form if there is one. */
  path: string;
  /** Asks visitors to sign in. */
  isForMembers?: boolean;
  /** Resolves with a page that is loaded on demand. */
  ready?(): Promise<AnyPage>;
  /** Loads the view's data as plain data; entities go to the store. Throws ApiError, or a Redirect. */
  load(loading: Loading): Promise<D>;
  /** Returns what can be drawn from the store until `load` resolves; null if it does not suffice. */
  loadKnown?(known: Pick<Loading, "store" | "place" | "me">): D | null;
  /** Draws a ColumnHead, or else a FormNotice, which says what a form did, or why it was refused. */
  View: FunctionComponent<{ data: D }>;
  /** Drawn before the page, where there is room. */
  Menu?: FunctionComponent;
  head(data: D, about: { t: Translate; store: Store; site: Site; place: Place }): Head;
};

/** Thrown when the page is at another address. */
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

/** Returns the named parts of an address, or null if it does not match. */
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
