// Opens the composer from anywhere; its draft is prepared once its code is loaded (see begin.ts).

import { signal } from "@preact/signals";
import type { Visibility } from "../api/visibility.ts";
import type { StoredStatus } from "../store/store.ts";
import type { Purpose } from "./draft.ts";

export type Opening = {
  purpose: Purpose;
  /** Text suggested by the page's address or the caller. */
  text?: string;
  inReplyTo?: string | null;
  visibility?: Visibility;
  lists?: string[];
};

/** What the sheet above the page is for; null when it is closed. */
export const opened = signal<Opening | null>(null);

/** The post below which a reply is being written. */
export const answered = signal<string | null>(null);

/** Whether the post is kept in its place, also when it is deleted: what is written below it would go with it. */
export const isAnswered = ({ id, reblog }: Pick<StoredStatus, "id" | "reblog">): boolean =>
  answered.value !== null && answered.value === (reblog ?? id);

/** Opens the composer, by default for a new post. */
export const openComposer = (opening: Opening = { purpose: { kind: "new" } }): void => {
  opened.value = opening;
};

export const closeComposer = (): void => {
  opened.value = null;
};

/** Opens a reply below the visible post; a second call closes it. */
export const openReply = (id: string): void => {
  answered.value = answered.value === id ? null : id;
};

export const openQuote = (id: string): void => openComposer({ purpose: { kind: "quote", id } });

/** Changes one's own post. */
export const startEdit = (id: string): void => openComposer({ purpose: { kind: "edit", id } });

/** Deletes one's own post, and opens it as a new one. */
export const startRedraft = (id: string): void =>
  openComposer({ purpose: { kind: "redraft", id } });
