// What the server gives the views of the pages that it draws alone. Only types, because the server imports them too.

import type { Refused } from "../app.ts";
import type { Fault } from "../text/fault.ts";
import type { No, Part } from "./part-pages.ts";

export type { Fault, Refused };

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
