// Defines what every view can reach: who is signed in, where the page is, the store, the texts, and, in the browser,
// what people can do (docs/design/client.md).

import { createContext } from "preact";
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Account, CredentialAccount } from "./api/entities.ts";
import type { Get } from "./api/get.ts";
import type { Send } from "./api/send.ts";
import type { Look } from "./look.ts";
import type { Store } from "./store/store.ts";
import type { Translate } from "./texts/texts.ts";

/** Facts about the server, a part of the Instance entity. */
export type Site = {
  title: string;
  domain: string;
  version: string;
  description: string;
  registrations: { enabled: boolean; approval_required: boolean };
  limits: {
    characters: number;
    media: number;
    linkCharacters: number;
    pollOptions: number;
    pollCharacters: number;
    /** Characters of each attachment's description. */
    descriptionCharacters: number;
  };
  streaming: string;
  canTranslate: boolean;
  /** True when posts may be events here. */
  hasEvents: boolean;
  /** Colour as `#rrggbb`; null for the built-in one. */
  accent: string | null;
  /** True when the front page shows trending posts. */
  trendsFirst: boolean;
};

/** The address of a page, taken apart. */
export type Place = {
  path: string;
  /** The named parts of the path. */
  params: Record<string, string>;
  query: Record<string, string>;
};

/** Returns the address with its query. */
export const addressOf = ({ path, query }: Place): string => {
  const search = new URLSearchParams(query).toString();
  return search ? `${path}?${search}` : path;
};

/** Returns the address of the sign-in page, from which one comes back to this place. */
export const signInPath = (place: Place): string =>
  place.path === "/"
    ? "/auth/sign_in"
    : `/auth/sign_in?${new URLSearchParams({ return_to: addressOf(place) })}`;

/** A form that was refused: what was entered, and what is wrong, both by the names of its inputs. */
export type Refused = {
  /** Its address, a path. */
  action: string;
  /** Null in the browser, where the fields still have it. */
  fields: Partial<Record<string, readonly string[]>> | null;
  faults: Partial<Record<string, string>>;
  /** Whether what it shows was saved elsewhere since it was drawn: its fields say what is saved now. */
  isStale?: boolean | undefined;
};

/** Fields for the files of a post. */
export type FileRows = {
  /** Number of files that are there already. */
  first: number;
  total: number;
};

/** A form of a post that was refused, as it was sent. */
export type Again = {
  action: string;
  fields: Partial<Record<string, string>>;
  /** Set where files have to be chosen again. */
  files: FileRows | null;
};

export type App = {
  site: Site;
  me: CredentialAccount | null;
  /** Other accounts that this browser keeps signed in. */
  others: readonly Account[];
  /** Ids of accounts that are not signed in here, but need no password. */
  linked: readonly string[];
  /** Whether the account is shared with its reader as an author, to whom its owners' settings are closed. */
  isAuthor: boolean;
  locale: string;
  look: Look;
  t: Translate;
  store: Store;
  place: Place;
  /** Proves that a form was made by our page; "" for visitors without a cookie. */
  formToken: string;
  get: Get;
  /** Only present in the browser. */
  send: Send;
  /** The form that led to the page, and why it was refused; only present on the server. */
  refused?: Refused & { text: string };
  /** What the form that led to the page has done; only present on the server. */
  said?: string;
  /** Returns the post as it was drawn before, for the same reader or others; only present on the server. */
  keep?: (post: VNode<any>) => VNode;
};

const Context = createContext<App | null>(null);

export const AppProvider = Context.Provider;

/**
 * The app of the document that the server draws now. Its thousands of elements would all subscribe to a context, which
 * takes longer than drawing them.
 */
let drawn: App | null = null;

/** Calls a function that draws a document; what is drawn finds this app. */
export const drawWith = (app: App, draw: () => string): string => {
  drawn = app;
  try {
    return draw();
  } finally {
    drawn = null;
  }
};

export const useApp = (): App => {
  const app = drawn ?? useContext(Context);
  if (!app) throw new Error("a view was drawn outside of the app");
  return app;
};
