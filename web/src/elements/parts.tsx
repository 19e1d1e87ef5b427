// Draws a long list in parts, of which one that is far from the window is a single empty box: what browsers do for each
// frame (layout, observers, keeping the place) takes as long at the end of a list as at its beginning. The first
// entries are in no part, and always there.

import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { BeginsFar, Heights, useBox } from "../window/near.ts";

/** Entries in no part, as many as a document from the server has at most; and entries of a part. */
const [FIRST, SIZE] = [40, 20];

/** Heights of a list's entries, which are known again when its page is shown again. */
const heightsOf = new WeakMap<object, Map<string, number>>();

/** Returns the number of each entry's part, which it never leaves: it would be drawn anew, without what was begun. */
const numbersOf = (known: Map<string, number>, entries: readonly VNode[]): number[] => {
  const keys = entries.map(({ key }) => String(key));
  const end = keys.findLastIndex((key) => known.has(key));
  if (end < 0) known.clear();
  let [number, size] = [0, 0];
  return keys.map((key, index) => {
    const isFull = index > end && size >= (number === 0 ? FIRST : SIZE);
    const next = Math.max(number, known.get(key) ?? (isFull ? number + 1 : 0));
    size = next === number ? size + 1 : 1;
    known.set(key, (number = next));
    return number;
  });
};

const Part = ({ entries }: { entries: VNode[] }) => {
  const part = useRef<HTMLDivElement>(null);
  const box = useBox(part, `part:${entries[0]!.key}`);
  return (
    <div ref={part} class="part" style={box === null ? undefined : { height: `${box}px` }}>
      {box === null && <BeginsFar.Provider value>{entries}</BeginsFar.Provider>}
    </div>
  );
};

/** Draws the entries of a list, each with a key of its own. */
export const Parts = ({ of, entries }: { of: object; entries: VNode[] }) => {
  const heights = heightsOf.get(of) ?? new Map<string, number>();
  heightsOf.set(of, heights);
  const known = useMemo(() => new Map<string, number>(), [of]);
  const numbers = numbersOf(known, entries);
  const parts = [...Map.groupBy(entries, (_, index) => numbers[index]!)];
  return (
    <Heights.Provider value={heights}>
      {parts.map(([number, own]) => (number === 0 ? own : <Part key={number} entries={own} />))}
    </Heights.Provider>
  );
};
