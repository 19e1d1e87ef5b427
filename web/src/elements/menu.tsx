// A menu: a button, and the list that it opens. With scripts the list floats beside the button and is navigated by
// arrow keys; without them the button leads to a page with the same list, or unfolds it.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ACT_FORM, ActButton } from "./act-button.tsx";
import type { ActProps } from "./act-button.tsx";
import { Floating, doesOpen, itemFor } from "./floating.tsx";
import { Icon } from "./icons.tsx";
import type { IconName } from "./icons.tsx";

export type MenuItem = {
  text: string;
  icon: IconName;
  /** Address of the item; with `run`, the address without scripts. */
  href?: string;
  /** Shows the page of the link above this one. */
  isSheet?: boolean;
  /** True when the link leads to another server. */
  isOutside?: boolean;
  /** Act that the act form does, with scripts or without. */
  act?: Pick<ActProps, "kind" | "id" | "act" | "done" | "name" | "value">;
  /** Sends the page's form to this address of the server, which leads to another page. */
  post?: string;
  /** Field that is sent along. */
  fields?: { name: string; value: string };
  /** Runs by scripts only. */
  run?: () => unknown;
  /** Marks an item that is hard to undo. */
  isBad?: boolean;
};

/** A null draws a line between groups. */
export type MenuItems = readonly (MenuItem | null | false | undefined)[];

type Opened = { anchor: HTMLElement; label: string; items: MenuItems };

const opened = signal<(Opened & { key: number }) | null>(null);
let count = 0;

/** Opens the list beside the clicked button; a second click closes it. */
export const openMenu = (menu: Opened, event: MouseEvent): void => {
  opened.value = doesOpen(menu.anchor, event) ? { ...menu, key: (count += 1) } : null;
};

const closeMenu = (): void => {
  opened.value = null;
};

const Face = ({ item }: { item: MenuItem }) => (
  <>
    <Icon name={item.icon} />
    <span>{item.text}</span>
  </>
);

const Entry = ({ item, role }: { item: MenuItem; role?: "menuitem" }) => {
  const { text, act, post, fields, run, href, isSheet, isOutside, isBad } = item;
  const shared = { class: isBad ? "menu-item bad" : "menu-item", role };
  const chosen = () => {
    closeMenu();
    return run?.();
  };
  if (act) {
    return (
      <ActButton {...act} {...shared} label={text} onChosen={closeMenu}>
        <Face item={item} />
      </ActButton>
    );
  }
  if (post) {
    // The click submits the form before the menu may disappear.
    const onClick = () => void setTimeout(chosen);
    return (
      <button {...shared} {...fields} form={ACT_FORM} formAction={post} onClick={onClick}>
        <Face item={item} />
      </button>
    );
  }
  if (href) {
    const outside = isOutside && { target: "_blank", rel: "noopener noreferrer" };
    const onClick = (event: Event) => {
      if (run) event.preventDefault();
      // The link is followed before the menu may disappear.
      setTimeout(chosen);
    };
    return (
      <a {...shared} {...outside} href={href} data-sheet={isSheet} onClick={onClick}>
        <Face item={item} />
      </a>
    );
  }
  return (
    <button {...shared} type="button" onClick={chosen}>
      <Face item={item} />
    </button>
  );
};

/** Removes lines that are not between groups. */
const withoutLooseLines = (items: MenuItems): (MenuItem | null)[] =>
  items
    .filter((item) => item !== false && item !== undefined)
    .filter((item, index, all) => item !== null || (all[index + 1] ?? null) !== null)
    .filter((item, index) => item !== null || index > 0);

const MenuList = ({ items, role }: { items: MenuItems; role?: "menuitem" }) => (
  <>
    {withoutLooseLines(items).map((item, index) =>
      item === null ? (
        <hr key={index} />
      ) : (
        <Entry key={`${index} ${item.text}`} item={item} {...(role && { role })} />
      ),
    )}
  </>
);

/** Draws the list as a part of a page, with the items that work without scripts. */
export const PlainMenu = ({ label, items }: { label: string; items: MenuItems }) => (
  <nav class="menu-plain" aria-label={label}>
    <MenuList items={items.filter((item) => !item || item.href || item.act || item.post)} />
  </nav>
);

type ButtonProps = {
  label: string;
  items: () => MenuItems;
  /** Page with the same list; without one the list unfolds. */
  href?: string;
  class?: string;
  children: ComponentChildren;
};

export const MenuButton = ({ label, items, href, children, ...more }: ButtonProps) => {
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    openMenu({ anchor: event.currentTarget as HTMLElement, label, items: items() }, event);
  };
  const shared = {
    class: more.class,
    "aria-label": label,
    "aria-haspopup": "menu" as const,
    title: label,
    onClick,
  };
  if (href)
    return (
      <a {...shared} role="button" aria-expanded={false} href={href}>
        {children}
      </a>
    );
  return (
    <details class="menu-unfolded">
      <summary {...shared}>{children}</summary>
      <PlainMenu label={label} items={items()} />
    </details>
  );
};

const itemsOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>("[role=menuitem]"),
];

const onKey = (event: KeyboardEvent): void => {
  const list = event.currentTarget as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // The same keys mean something else on the page.
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    return closeMenu();
  }
  if (event.key === " " && document.activeElement?.matches("a")) {
    event.preventDefault();
    return (document.activeElement as HTMLElement).click();
  }
  const items = itemsOf(list);
  const next = itemFor(event.key, items, items.indexOf(document.activeElement as HTMLElement));
  if (!next) return;
  event.preventDefault();
  next.focus();
};

/**
 * Draws the open list. It is needed once in the window, and once in each modal dialog for the buttons inside: a dialog
 * makes everything outside inert, including what floats above it.
 */
export const MenuLayer = ({ dialog }: { dialog?: { current: HTMLElement | null } }) => {
  const menu = opened.value;
  const place = dialog ? dialog.current : null;
  if (!menu || (dialog && !place) || menu.anchor.closest("dialog") !== place) return null;
  return (
    <Floating
      key={menu.key}
      anchor={menu.anchor}
      label={menu.label}
      role="menu"
      class="menu-list"
      side="end"
      // Another menu may be open by the time the browser fires this.
      onClose={() => opened.peek() === menu && closeMenu()}
      onKeyDown={onKey}
    >
      <MenuList items={menu.items} role="menuitem" />
    </Floating>
  );
};
