// What the server asks the client to draw, and what it gives the views of the pages that it draws alone. Only types,
// because the server imports them too.

import type { Language } from "../../../texts/languages.ts";
import type { Answer, Get, Params } from "../api/get.ts";
import type { Again, Refused } from "../app.ts";
import type { Look } from "../look.ts";
import type { Fault } from "../text/fault.ts";
import type { Translate } from "../texts/texts.ts";
import type { No, Part } from "./part-pages.ts";

export type { Again, Fault, Refused };

/** Says what was just done, or why a form was refused. */
export type Notice = { text: string; kind: "" | "good" | "bad" };

export type StaffMenu = readonly {
  title: string;
  entries: readonly {
    path: string;
    text: string;
    /** Number of things that wait there for a decision. */
    count: number;
    isHere: boolean;
  }[];
}[];

export type StaffPart = { menu: StaffMenu; back: string };

/** A page that the server draws alone, of parts. */
export type ServersPage = {
  title: string;
  parts?: readonly (Part | No)[] | undefined;
  notice?: Notice | undefined;
  refused?: Refused | undefined;
  /** The same for a search in a list. */
  search?: Refused | undefined;
  /** Makes the token of a form; may set a cookie, so only forms call it. */
  formToken(): string;
  /** Path of its script, if it has one. */
  script?: string | undefined;
  /** Where its head leads back to, if that is not the page of settings above it. */
  back?: string | undefined;
  staff?: StaffPart | undefined;
  /** Draws it as a card of its own, without the menus. */
  isCard?: boolean | undefined;
};

/** A document in its order. */
export type Parts = readonly (string | Uint8Array)[];

export type Rendered =
  | { kind: "document"; status: number; parts: Parts; siteTitle: string }
  | { kind: "redirect"; to: string };

/** A post as it was parsed, or as it was drawn: before its number in a list, and after it. */
export type Kept = {
  /** Estimate of the memory that it takes. */
  bytes: number;
  body?: object;
  html?: readonly [Uint8Array, Uint8Array];
};

/** What is kept of posts, by key; the server bounds it in bytes. */
export type KeptPosts = {
  get(key: string): Kept | undefined;
  set(key: string, kept: Kept): void;
  /** Returns a short text that only the same bytes have. */
  digest(bytes: Uint8Array): string;
};

type Texts = { language: Language; t: Translate };

export type PageRequest = {
  /** The requested path and query. */
  url: string;
  /** For example https://here.example. */
  origin: string;
  isMember: boolean;
  formToken: string;
  /** Ids of the other accounts that the browser keeps signed in. */
  others: readonly string[];
  /** Ids of those that are not signed in here, but need no password. */
  linked: readonly string[];
  /** Whether the account is shared with them as an author. */
  isAuthor: boolean;
  /** What pages say in the reader's language. */
  texts: Texts;
  /** Choices of this browser. */
  look: Look;
  /** Asks the API on behalf of the signed-in person. Throws what `answerIn` throws. */
  get: Get;
  /** Posts that were drawn before. */
  kept?: KeptPosts;
  /** Why the page cannot be shown, which is drawn in its place. */
  fault?: Fault;
  /** The form that was refused, and why; the page has what was entered. */
  refused?: Refused & { text: string };
  /** What a form without scripts has done. */
  said?: string;
};

export type BareRequest = {
  look: Look;
  url: string;
  origin: string;
  texts: Texts;
  /** The server's last known title. */
  siteTitle: string;
  domain: string;
  fault: Fault;
  /** What was written, to be sent again. */
  again?: Again;
};

/** The exports of server.tsx. */
export type Bundle = {
  /** Paths of every page of the client, as patterns. */
  pagePaths: readonly string[];
  renderFramed(request: PageRequest, page: ServersPage): Promise<string>;
  /** Draws a page; throws what `answerIn` throws. */
  renderPage(request: PageRequest): Promise<Rendered>;
  /** Draws `/@acct/id/embed`; throws what `answerIn` throws. */
  renderEmbed(request: PageRequest): Promise<string>;
  renderBare(request: BareRequest): Promise<string>;
  withParams(path: string, params?: Params): string;
  /** Reads an answer; throws an error with its `status` for anything but a success. */
  answerIn<T>(
    answer: { status: number; body: string | readonly Uint8Array[]; link: string | null },
    kept: KeptPosts,
  ): Answer<T>;
};
