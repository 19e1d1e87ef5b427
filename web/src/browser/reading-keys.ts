// The keys for reading: moving from post to post, acting on one, and going to pages.

import { signal } from "@preact/signals";
import { openComposer } from "../compose/open.ts";
import type { Key } from "../texts/texts.ts";
import { bindKeys, focusedPost, firstInWindow, postsInOrder } from "../window/keys.ts";
import type { Binding } from "../window/keys.ts";
import type { App } from "../app.ts";
import { takeBack } from "./message.tsx";
import { openPath } from "./navigation.ts";

type Base = Pick<App, "t" | "me">;

/** Whether the list of all keys is shown. */
export const isHelpOpen = signal(false);

const focusPost = (post: HTMLElement | undefined): void => {
  if (!post) return;
  post.focus({ preventScroll: true });
  post.scrollIntoView({ block: "nearest", behavior: "instant" });
};

const move = (step: 1 | -1): void => {
  const current = focusedPost();
  if (!current) return focusPost(firstInWindow() ?? undefined);
  const posts = postsInOrder();
  focusPost(posts[posts.indexOf(current) + step]);
};

const click = (inside: ParentNode | null, selector: string): boolean => {
  const element = inside?.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null && element !== undefined;
};

/** Opens the focused post; Enter on a link or button in it belongs to that element. */
const open = (post: HTMLElement | null, event: KeyboardEvent): boolean => {
  if (event.key === "Enter" && document.activeElement !== post) return false;
  return click(post, "a.post-time");
};

const toggle = (post: HTMLElement | null, selector: string): void => {
  const folds = [...(post?.querySelectorAll<HTMLDetailsElement>(selector) ?? [])];
  const isAnyClosed = folds.some((fold) => !fold.open);
  for (const fold of folds) fold.open = isAnyClosed;
};

const mention = (post: HTMLElement | null): void => {
  const handle = post?.querySelector(".post-author .handle")?.textContent;
  if (handle) openComposer({ purpose: { kind: "new" }, text: `${handle} ` });
};

const POSTS: Binding[] = [
  { keys: "j", group: "posts", text: "keys.next", run: () => move(1) },
  { keys: "k", group: "posts", text: "keys.previous", run: () => move(-1) },
  { keys: "o", also: "Enter", group: "posts", text: "keys.open", needsPost: true, run: open },
  {
    keys: "x",
    group: "posts",
    text: "keys.warning",
    needsPost: true,
    run: (post) => toggle(post, "details.warning"),
  },
  {
    keys: "s",
    group: "posts",
    text: "keys.media",
    needsPost: true,
    run: (post) => toggle(post, "details.cover"),
  },
];

const act = (keys: string, text: Key, selector: string): Binding => ({
  keys,
  group: "posts",
  text,
  needsPost: true,
  run: (post) => click(post, selector),
});

const MEMBER_POSTS: Binding[] = [
  act("r", "keys.reply", "[data-act=reply]"),
  act("f", "keys.favourite", "button.act-favourite"),
  act("b", "keys.boost", "button.act-boost"),
  act("d", "keys.bookmark", "button.act-bookmark"),
  { keys: "m", group: "posts", text: "keys.mention", needsPost: true, run: mention },
];

const go = (key: string, text: Key, path: string): Binding => ({
  keys: `g ${key}`,
  group: "go",
  text,
  run: () => void openPath(path),
});

const MEMBER_PLACES = [
  go("h", "nav.home", "/home"),
  go("n", "nav.notifications", "/notifications"),
  go("l", "nav.local", "/public/local"),
  go("t", "nav.federated", "/public"),
  go("e", "nav.explore", "/explore"),
  go("d", "nav.conversations", "/conversations"),
  go("f", "nav.favourites", "/favourites"),
  go("b", "nav.bookmarks", "/bookmarks"),
  go("i", "nav.lists", "/lists"),
  go("s", "nav.settings", "/settings"),
];

const VISITOR_PLACES = [
  go("h", "nav.front", "/"),
  go("l", "nav.local", "/public/local"),
  go("e", "nav.explore", "/explore"),
];

/** Returns the search field of the page, or the one beside it. */
const searchField = (): HTMLInputElement | undefined =>
  ["main", "body"]
    .flatMap((part) => [
      ...document.querySelectorAll<HTMLInputElement>(`${part} .search-form input`),
    ])
    .find((field) => field.checkVisibility());

const search = async (): Promise<void> => {
  if (!searchField()) await openPath("/search");
  // The new page takes the focus first.
  requestAnimationFrame(() => searchField()?.select());
};

const newest = (): void => {
  if (click(document, "[data-key=newest]")) return;
  window.scrollTo(0, 0);
  focusPost(postsInOrder()[0]);
};

/** Match what Escape folds, the first that there is: not a branch or a text in which somebody only reads. */
const FOLDABLE = [
  "details[open]:has(> summary:focus)",
  "details[open]:focus-within:not(.warning, .cover, :has(article))",
  ".offered[open]",
  ":root:not([data-alt=shown]) article:focus .alt[open]",
];

/** Folds what the person unfolded here; returns false where there is nothing. */
const fold = (): boolean => {
  const found = FOLDABLE.map((selector) => document.querySelector<HTMLDetailsElement>(selector));
  const details = found.find((each) => each !== null);
  if (!details) return false;
  details.open = false;
  details.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
  return true;
};

/** Closes what is open above or in the page; otherwise goes back. */
const back = (_post: HTMLElement | null, { key }: KeyboardEvent): boolean => {
  if (document.querySelector(":popover-open")) return false;
  return (key === "Escape" && fold()) || click(document, "[data-act=back]");
};

const PAGE: Binding[] = [
  { keys: ".", group: "page", text: "keys.newest", run: newest },
  { keys: "/", group: "page", text: "keys.search", run: () => void search() },
  { keys: "Escape", also: "Backspace", group: "page", text: "keys.back", run: back },
  { keys: "?", group: "page", text: "keys.help", run: () => void (isHelpOpen.value = true) },
];

/** Opens the accounts: arrow keys move among them, Enter switches. */
const ACCOUNTS: Binding = {
  keys: "g a",
  group: "go",
  text: "accounts.menu",
  run: () => {
    const button = document.querySelector<HTMLElement>(".account-menu");
    if (button?.checkVisibility()) button.click();
    else void openPath("/settings/accounts");
  },
};

const COMPOSE: Binding = {
  keys: "c",
  group: "page",
  text: "keys.compose",
  run: () => click(document, "[data-act=compose]"),
};

const undo = (base: Base): Binding => ({
  keys: "Control+z",
  group: "page",
  text: "keys.undo",
  run: () => takeBack(base),
});

export const bindReadingKeys = (base: Base): void => {
  const own = [...MEMBER_PLACES, ACCOUNTS, COMPOSE, undo(base)];
  const member = [...POSTS, ...MEMBER_POSTS, ...own, ...PAGE];
  const visitor = [...POSTS, ...VISITOR_PLACES, ...PAGE];
  bindKeys((base.me ? member : visitor).toReversed());
};
