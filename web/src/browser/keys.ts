// The keys: one table for all parts of the client. Each part adds its own with `bindKeys`; `?` lists them all.

import type { Key } from "../texts/texts.ts";

export type KeyGroup = "posts" | "go" | "page";

export type Binding = {
  /** One key as in `KeyboardEvent.key`, or two one after the other: `g h`. */
  keys: string;
  /** The same by another key: not listed. */
  also?: string;
  group: KeyGroup;
  text: Key;
  /** `post`: the one that has the focus, or else the first in the window. Returns false to let the browser act. */
  run(post: HTMLElement | null, event: KeyboardEvent): boolean | void;
};

const table: Binding[] = [];

/** Adds keys; a later binding of the same keys goes first. Returns how to take them away. */
export const bindKeys = (bindings: readonly Binding[]): (() => void) => {
  table.unshift(...bindings);
  return () => {
    for (const binding of bindings) table.splice(table.indexOf(binding), 1);
  };
};

/** In the order in which they were added. */
export const allKeys = (): Binding[] => table.toReversed();

const WRITING = "input:not([type=checkbox],[type=radio],[type=button]), textarea, select";

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(WRITING));

const POST = "article[data-entry]";
/** What covers the top of the window. */
const COVERED_PX = 8;

/** The posts that can be reached: none in a fold that is closed. */
export const postsInOrder = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(POST)].filter(
    (post) => !post.closest("details:not([open])"),
  );

export const focusedPost = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>(POST) ?? null;

export const firstInWindow = (): HTMLElement | null =>
  postsInOrder().find((post) => post.getBoundingClientRect().bottom > COVERED_PX + 40) ?? null;

const SEQUENCE_MS = 1500;
let begun: { key: string; at: number } | null = null;

const find = (key: string): Binding | undefined =>
  table.find(({ keys, also }) => keys === key || also === key);

const press = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.isComposing || isWriting(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const before = begun && Date.now() - begun.at < SEQUENCE_MS ? begun.key : null;
  begun = null;
  const binding = (before && find(`${before} ${event.key}`)) || find(event.key);
  if (binding) {
    if (binding.run(focusedPost() ?? firstInWindow(), event) !== false) event.preventDefault();
  } else if (table.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    begun = { key: event.key, at: Date.now() };
  }
};

export const listenToKeys = (): void => document.addEventListener("keydown", press);
