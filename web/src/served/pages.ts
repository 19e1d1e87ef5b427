// What the server gives the views of the pages that it draws alone. Only types, because the server imports them too.

import type { Refused } from "../app.ts";
import type { No, Part } from "./part-pages.ts";

export type { Refused };

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
