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
  /** Is done to the post that has the focus; where none has, nothing is. */
  needsPost?: boolean;
  /** `post`: the one that has the focus. Returns false to let the browser act. */
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

/** Keys of one letter can be turned off: whoever speaks to a computer presses many (WCAG 2.1.4). */
const isOff = ({ key }: KeyboardEvent): boolean =>
  [...key].length === 1 && document.documentElement.dataset["keys"] === "off";

const run = ({ needsPost, run }: Binding, event: KeyboardEvent, onMissing: () => void): void => {
  const post = focusedPost();
  // Enter is for whatever has the focus.
  const isMissing = needsPost && !post && event.key !== "Enter";
  if (isMissing) onMissing();
  if (isMissing || run(post, event) !== false) event.preventDefault();
};

/** `onMissing`: what was pressed needs a post. */
const press = (event: KeyboardEvent, onMissing: () => void): void => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.isComposing || isWriting(event.target) || isOff(event)) return;
  if (document.querySelector("dialog[open]")) return;
  const before = begun && Date.now() - begun.at < SEQUENCE_MS ? begun.key : null;
  begun = null;
  const binding = (before && find(`${before} ${event.key}`)) || find(event.key);
  if (binding) run(binding, event, onMissing);
  else if (table.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    begun = { key: event.key, at: Date.now() };
  }
};

export const listenToKeys = (onMissing: () => void): void =>
  document.addEventListener("keydown", (event) => press(event, onMissing));
