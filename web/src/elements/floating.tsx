// Draws menus and choices beside the button that opened them. They are popovers in the top layer, so that no window or
// list cuts them off, and are fully visible: beside the button, or as a sheet at the bottom of a phone. They close by
// Escape, by a press elsewhere, and when the focus moves elsewhere; not when it moves to an ancestor, as it does while
// a label is pressed.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toTheRight } from "../text/direction.ts";
import { followView, isInView, placeBeside } from "./placing.ts";

const PHONE = "(max-width: 680px)";

/** The button of what is open, and the one whose popover was open when a press on it began. */
let [openAnchor, shutAnchor]: (HTMLElement | null)[] = [null, null];
let isWatching = false;

const watchPresses = (): void => {
  if (isWatching) return;
  isWatching = true;
  const onPress = ({ target }: Event): void => {
    shutAnchor = openAnchor?.contains(target as globalThis.Node) ? openAnchor : null;
  };
  document.addEventListener("pointerdown", onPress, true);
};

/**
 * Whether a click on a button opens. If its popover was open when the click began, it closes, even if the browser
 * closed it first.
 */
export const doesOpen = (anchor: HTMLElement | null, { detail }: MouseEvent): boolean =>
  openAnchor !== anchor && (detail === 0 || shutAnchor !== anchor);

type Shown = { panel: HTMLElement; anchor: HTMLElement; side: "start" | "end"; onClose(): unknown };

const show = ({ panel, anchor, side, onClose }: Shown): (() => void) => {
  watchPresses();
  panel.parentElement!.showPopover();
  const isLeft = toTheRight(anchor) < 0 === (side === "end");
  const update = (): void => placeBeside(panel, anchor.getBoundingClientRect(), isLeft);
  update();
  openAnchor = anchor;
  anchor.setAttribute("aria-expanded", "true");
  const first = panel.querySelector<HTMLElement>("[role=menuitem], input, select, button");
  // Of rows of which one is chosen, that is where the keys begin.
  const focused = first?.matches("[type=radio]")
    ? (panel.querySelector<HTMLElement>("[type=radio]:checked") ?? first)
    : first;
  focused?.focus({ preventScroll: true });
  // What is chosen may be further down in a panel that scrolls.
  if (panel.scrollHeight > panel.clientHeight) focused?.scrollIntoView({ block: "nearest" });
  const unfollow = followView(panel, update, () => {
    if (isInView(anchor.getBoundingClientRect()) || matchMedia(PHONE).matches) update();
    else onClose();
  });
  return () => {
    unfollow();
    openAnchor = null;
    anchor.setAttribute("aria-expanded", "false");
    const { activeElement } = document;
    const isLost = !activeElement || activeElement === document.body;
    if (isLost || panel.contains(activeElement)) anchor.focus({ preventScroll: true });
  };
};

/** Returns the item that a key leads to: arrows, Home, End, or the next that begins with the letter. */
export const itemFor = <T extends HTMLElement>(
  key: string,
  items: T[],
  at: number,
): T | undefined => {
  if (key === "ArrowDown") return items[(at + 1) % items.length];
  if (key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if ([...key].length !== 1 || key === " ") return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
};

type Props = {
  anchor: HTMLElement;
  label: string;
  role: "menu" | "group";
  class: string;
  side: "start" | "end";
  /** Called when it closes; the owner stops drawing it. */
  onClose(): unknown;
  onKeyDown?(event: KeyboardEvent): void;
  children: ComponentChildren;
};

/** Draws it open for as long as it is mounted. */
export const Floating = ({ anchor, side, onClose, onKeyDown, label, children, ...more }: Props) => {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => show({ panel: panel.current!, anchor, side, onClose }), [anchor]);
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    const next = relatedTarget as HTMLElement | null;
    if (!next || panel.current!.contains(next) || next.contains(panel.current)) return;
    if (!anchor.contains(next)) onClose();
  };
  return (
    <div
      class="floating"
      popover="auto"
      onToggle={(event) => event.newState === "closed" && onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
      onFocusOut={onFocusOut}
    >
      <div
        {...more}
        ref={panel}
        class={`menu ${more.class}`}
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </div>
  );
};

type UnfoldProps = Pick<Props, "label" | "class"> & {
  /** Content of the button. */
  face: ComponentChildren;
  buttonClass: string;
  /** Label of the button for those who cannot see its content. */
  title?: string;
  side?: "start" | "end";
  children(close: () => void): ComponentChildren;
};

/** Draws a button, and the choices beside it while it is open. Enter in a field chooses and closes it. */
export const Unfold = ({ face, label, buttonClass, title = label, ...more }: UnfoldProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isChosen = event.key === "Enter" && (event.target as HTMLElement).localName === "input";
    if (event.ctrlKey || event.metaKey || !(isChosen || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={buttonClass}
        aria-label={title}
        title={title}
        aria-expanded={false}
        onClick={(event) => setOpen(doesOpen(button.current, event))}
      >
        {face}
      </button>
      {isOpen && (
        <Floating
          anchor={button.current!}
          label={label}
          role="group"
          class={more.class}
          side={more.side ?? "start"}
          onClose={close}
          onKeyDown={onKeyDown}
        >
          {more.children(close)}
        </Floating>
      )}
    </>
  );
};
