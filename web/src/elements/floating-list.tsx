// A list floats beside a line of a text field while something is typed there. It lies in the top layer like menus (see
// floating.tsx), but the focus stays in the text, and the list never covers its line. It closes by a press elsewhere,
// and when the line is scrolled out of view. Whoever draws the list handles the keys.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { followView, isInView, placeClear } from "./placing.ts";
import type { Box } from "./placing.ts";

type Props = {
  id: string;
  label: string;
  field: HTMLElement;
  /** Called again whenever the line may have moved. */
  lineOf(): Box;
  /** Called when it closes; the owner stops drawing it. */
  onClose(): void;
  children: ComponentChildren;
};

/** The list is open as long as it is drawn. Its children are options, of which one is selected. */
export const FloatingList = ({ id, label, field, lineOf, onClose, children }: Props) => {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const panel = list.current!;
    panel.parentElement!.showPopover();
    const onPress = ({ target }: Event): void => {
      const isHere = [panel, field].some((each) => each.contains(target as globalThis.Node));
      if (!isHere) onClose();
    };
    document.addEventListener("pointerdown", onPress, true);
    return () => document.removeEventListener("pointerdown", onPress, true);
  }, []);
  useLayoutEffect(() => {
    const panel = list.current!;
    const update = (): void => placeClear(panel, lineOf());
    update();
    panel.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    return followView(panel, update, () => (isInView(lineOf()) ? update() : onClose()));
  });
  return (
    <div class="floating" popover="manual">
      <ul
        ref={list}
        id={id}
        class="menu"
        role="listbox"
        aria-label={label}
        // The text keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {children}
      </ul>
    </div>
  );
};
