// Keyboard shortcuts: one table for all parts of the client. Each part adds its own with `bindKeys`; `?` lists them
// all.

import type { Key } from "../texts/texts.ts";

export type KeyGroup = "posts" | "go" | "page";

export type Binding = {
  /** One key as in `KeyboardEvent.key`, or two in sequence: `g h`. `Control+` is Command on a Mac, too. */
  keys: string;
  /** A second key for the same action, which is not listed. */
  also?: string;
  group: KeyGroup;
  text: Key;
  /** Acts on the focused post; does nothing without one. */
  needsPost?: boolean;
  /** `post` is the focused one. Returns false to let the browser act. */
  run(post: HTMLElement | null, event: KeyboardEvent): boolean | void;
};

const table: Binding[] = [];

/** Adds keys; a later binding of the same keys takes precedence. Returns the function that removes them. */
export const bindKeys = (bindings: readonly Binding[]): (() => void) => {
  table.unshift(...bindings);
  return () => {
    for (const binding of bindings) table.splice(table.indexOf(binding), 1);
  };
};

/** Returns all keys in the order in which they were added. */
export const allKeys = (): Binding[] => table.toReversed();

const WRITING = "input:not([type=checkbox],[type=radio],[type=button]), textarea, select";

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(WRITING));

const POST = "article[data-entry]";
/** Pixels at the top of the window that are covered. */
const COVERED_PX = 8;

/** Returns the posts that can be reached, without those in closed folds; boxes stand for those that are far. */
export const postsInOrder = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`${POST}, .part:empty`)].filter(
    (post) => !post.closest("details:not([open])"),
  );

export const focusedPost = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>(POST) ?? null;

export const firstInWindow = (): HTMLElement | null =>
  postsInOrder().find((post) => post.getBoundingClientRect().bottom > COVERED_PX + 40) ?? null;

/** Clicks the first such element; returns whether there is one. */
export const click = (inside: ParentNode | null, selector: string): boolean => {
  const element = inside?.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null && element !== undefined;
};

const SEQUENCE_MS = 1500;
let begun: { key: string; at: number } | null = null;

const find = (key: string): Binding | undefined =>
  table.find(({ keys, also }) => keys === key || also === key);

/** Whether the key is turned off: keys of one letter can be, since speech input presses many (WCAG 2.1.4). */
const isOff = (key: string): boolean =>
  [...key].length === 1 && document.documentElement.dataset["keys"] === "off";

const run = ({ needsPost, run }: Binding, event: KeyboardEvent, onMissing: () => void): void => {
  const post = focusedPost();
  // Enter belongs to the focused element.
  const isMissing = needsPost && !post && event.key !== "Enter";
  if (isMissing) onMissing();
  if (isMissing || run(post, event) !== false) event.preventDefault();
};

/** `onMissing` is called when the key needs a post. */
const press = (event: KeyboardEvent, onMissing: () => void): void => {
  if (event.defaultPrevented || event.altKey) return;
  const key = event.ctrlKey || event.metaKey ? `Control+${event.key}` : event.key;
  if (event.isComposing || isWriting(event.target) || isOff(key)) return;
  if (document.querySelector("dialog[open]")) return;
  const before = begun && Date.now() - begun.at < SEQUENCE_MS ? begun.key : null;
  begun = null;
  const binding = (before && find(`${before} ${key}`)) || find(key);
  if (binding) run(binding, event, onMissing);
  else if (table.some(({ keys }) => keys.startsWith(`${key} `))) {
    begun = { key, at: Date.now() };
  }
};

export const listenToKeys = (onMissing: () => void): void =>
  document.addEventListener("keydown", (event) => press(event, onMissing));
