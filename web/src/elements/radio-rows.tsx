// Rows of which one is chosen, inside of what Unfold opens. Keys work as in a menu: arrows, Home, End and letters go to a
// row and choose it, Enter, Space and a press also close, and Escape takes back what was chosen since it was opened.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { itemFor } from "./floating.tsx";

type Props<T extends string> = {
  values: readonly T[];
  chosen: T;
  onChange(value: T): void;
  close(): void;
  /** Draws the content of a row. */
  children(value: T): ComponentChildren;
};

let count = 0;

export const RadioRows = <T extends string>({
  values,
  chosen,
  onChange,
  close,
  children,
}: Props<T>) => {
  const [name] = useState(() => `choice-${(count += 1)}`);
  const [before] = useState(chosen);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // What has opened the rows closes them.
    if (key === "Escape") return chosen === before ? undefined : onChange(before);
    if (key === "Enter" || key === "Tab") return;
    // The same keys mean something else on the page.
    event.stopPropagation();
    const rows = [...list.current!.querySelectorAll("label")];
    const next = itemFor(key, rows, values.indexOf(chosen));
    if (!next && key !== " ") return;
    event.preventDefault();
    if (!next) return close();
    next.querySelector("input")!.focus();
    onChange(values[rows.indexOf(next)]!);
  };
  return (
    <div class="radio-rows" ref={list} onKeyDown={onKeyDown}>
      {values.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => onChange(value)}
            onClick={({ detail }) => {
              // Keys choose, and leave the rows open.
              if (detail === 0) return;
              onChange(value);
              close();
            }}
          />
          {children(value)}
        </label>
      ))}
    </div>
  );
};
