// Opens the menus of posts in place, and links with `data-sheet` above the page.

import type { App } from "../app.ts";
import { openMenu } from "../elements/menu.tsx";
import { postMenu } from "../views/post-menu.ts";
import { openPath } from "../window/opening.ts";
import { isPlainClick } from "../window/plain-click.ts";
import { shown } from "./shown.ts";
import { listenToPictures } from "./media.ts";
import { leaveSheet, openSheet } from "./page-sheet.tsx";
import { hasChanges } from "./unsaved.ts";

type Base = Omit<App, "place">;

const openPostMenu = (base: Base, anchor: HTMLElement, event: MouseEvent): boolean => {
  const status = base.store.statuses.get(anchor.dataset["id"] ?? "")?.peek();
  if (!status) return false;
  const items = postMenu({ ...base, place: shown.value!.place }, status);
  openMenu({ anchor, label: anchor.getAttribute("aria-label") ?? "", items }, event);
  return true;
};

/** Whether it is the second press of two quick ones, of which the first may have drawn this link where it was. */
const isSecond = ({ detail }: MouseEvent): boolean => detail > 1;

/** Follows a link in a sheet, which is closed before; a text in it may be kept instead. */
const leaveBy = (base: Base, link: HTMLAnchorElement, event: MouseEvent): void => {
  const mayBeLost = hasChanges(link.closest("dialog")!);
  if (mayBeLost) event.preventDefault();
  const follow = (isLeft: boolean): unknown => mayBeLost && isLeft && openPath(link.href);
  void leaveSheet(base).then(follow);
};

/** Listens before the links of the page are followed. */
export const listenToMenus = (base: Base): void => {
  listenToPictures(base);
  // Links that act as buttons react to the same keys.
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (key !== " " || !(target instanceof HTMLElement) || !target.matches("a[role=button]"))
      return;
    event.preventDefault();
    target.click();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest<HTMLAnchorElement>("a[href]");
    if (!link || event.defaultPrevented || !isPlainClick(event)) return;
    const isOpened =
      link.dataset["act"] === "menu"
        ? openPostMenu(base, link, event)
        : link.dataset["sheet"] !== undefined && (isSecond(event) || openSheet(base, link.href));
    if (isOpened) event.preventDefault();
    else if (link.closest("dialog.page-sheet")) leaveBy(base, link, event);
  });
};
