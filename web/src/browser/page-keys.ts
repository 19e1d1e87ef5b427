// The keys of every page, also of those that the server draws: they go to pages, search, write, close and go back.

import type { Key } from "../texts/texts.ts";
import { click } from "../window/keys.ts";
import type { Binding } from "../window/keys.ts";

type Options = {
  isMember: boolean;
  /** Opens a path; the promise resolves when its page is shown. */
  open(path: string): Promise<void>;
  /** Shows the list of all keys. */
  help(): void;
};

type Place = [key: string, text: Key, path: string];

const MEMBER_PLACES: readonly Place[] = [
  ["h", "nav.home", "/home"],
  ["n", "nav.notifications", "/notifications"],
  ["l", "nav.local", "/public/local"],
  ["t", "nav.federated", "/public"],
  ["e", "nav.explore", "/explore"],
  ["d", "nav.conversations", "/conversations"],
  ["f", "nav.favourites", "/favourites"],
  ["b", "nav.bookmarks", "/bookmarks"],
  ["i", "nav.lists", "/lists"],
  ["s", "nav.settings", "/settings"],
];

const VISITOR_PLACES: readonly Place[] = [
  ["h", "nav.front", "/"],
  ["l", "nav.local", "/public/local"],
  ["e", "nav.explore", "/explore"],
];

/** Returns the search field of the page, or the one beside it. */
const searchField = (): HTMLInputElement | undefined =>
  ["main", "body"]
    .flatMap((part) => [
      ...document.querySelectorAll<HTMLInputElement>(
        `${part} .search-form:not(.settings-search) input`,
      ),
    ])
    .find((field) => field.checkVisibility());

const search = async ({ open }: Options): Promise<void> => {
  if (!searchField()) await open("/search");
  // The new page takes the focus first.
  requestAnimationFrame(() => searchField()?.select());
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

/** Closes what is open above or in the page; otherwise goes back, but not out of something that is being written. */
const back = (_post: HTMLElement | null, { key }: KeyboardEvent): boolean => {
  if (document.querySelector(":popover-open, .editor:focus-within")) return false;
  return (key === "Escape" && fold()) || click(document, "[data-act=back]");
};

/** Opens the accounts: arrow keys move among them, Enter switches. */
const openAccounts = ({ open }: Options): void => {
  const button = document.querySelector<HTMLElement>(".account-menu");
  if (button?.checkVisibility()) button.click();
  else void open("/settings/accounts");
};

const memberKeys = (options: Options): Binding[] => [
  { keys: "g a", group: "go", text: "accounts.menu", run: () => openAccounts(options) },
  {
    keys: "c",
    group: "page",
    text: "keys.compose",
    run: () => click(document, "[data-act=compose]"),
  },
];

export const pageKeys = (options: Options): Binding[] => [
  ...(options.isMember ? MEMBER_PLACES : VISITOR_PLACES).map(([key, text, path]): Binding => ({
    keys: `g ${key}`,
    group: "go",
    text,
    run: () => void options.open(path),
  })),
  ...(options.isMember ? memberKeys(options) : []),
  { keys: "/", group: "page", text: "keys.search", run: () => void search(options) },
  { keys: "Escape", also: "Backspace", group: "page", text: "keys.back", run: back },
  { keys: "?", group: "page", text: "keys.help", run: options.help },
];
