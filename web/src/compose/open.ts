// Opens the composer from anywhere; what it is for is prepared once its code is there (see begin.ts).

import { signal } from "@preact/signals";
import type { Visibility } from "../api/visibility.ts";
import type { Purpose } from "./draft.ts";

export type Opening = {
  purpose: Purpose;
  /** What the address of the page, or who opened it, suggests. */
  text?: string;
  inReplyTo?: string | null;
  visibility?: Visibility;
  lists?: string[];
};

/** What the sheet above the page is for; null: it is closed. */
export const opened = signal<Opening | null>(null);

/** The post below which an answer is being written. */
export const answered = signal<string | null>(null);

/** A new post, or whatever is said. */
export const openComposer = (opening: Opening = { purpose: { kind: "new" } }): void => {
  opened.value = opening;
};

export const closeComposer = (): void => {
  opened.value = null;
};

/** An answer, below the post where it is shown. Again: closes it. */
export const openReply = (id: string): void => {
  answered.value = answered.value === id ? null : id;
};

export const openQuote = (id: string): void => openComposer({ purpose: { kind: "quote", id } });

/** Changes one's own post. */
export const startEdit = (id: string): void => openComposer({ purpose: { kind: "edit", id } });

/** Deletes one's own post, and opens it as a new one. */
export const startRedraft = (id: string): void =>
  openComposer({ purpose: { kind: "redraft", id } });
