// The keys for reading: moving from post to post, acting on one.

import { signal } from "@preact/signals";
import { openComposer } from "../compose/open.ts";
import type { Key } from "../texts/texts.ts";
import { bindKeys, click, focusedPost, firstInWindow, postsInOrder } from "../window/keys.ts";
import type { Binding } from "../window/keys.ts";
import type { App } from "../app.ts";
import { takeBack } from "../elements/message.tsx";
import { openPath } from "../window/opening.ts";
import { pageKeys } from "./page-keys.ts";

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

const newest = (): void => {
  if (click(document, "[data-key=newest]")) return;
  window.scrollTo(0, 0);
  focusPost(postsInOrder()[0]);
};

const NEWEST: Binding = { keys: ".", group: "page", text: "keys.newest", run: newest };

const undo = (base: Base): Binding => ({
  keys: "Control+z",
  group: "page",
  text: "keys.undo",
  run: () => takeBack(base),
});

export const bindReadingKeys = (base: Base): void => {
  const help = (): void => void (isHelpOpen.value = true);
  const everywhere = pageKeys({ isMember: base.me !== null, open: openPath, help });
  const own = base.me ? [...MEMBER_POSTS, undo(base)] : [];
  bindKeys([...POSTS, ...own, NEWEST, ...everywhere].toReversed());
};
