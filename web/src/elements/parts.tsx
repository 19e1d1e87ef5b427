// Draws a long list in parts, of which one that is far from the window is a single empty box: what browsers do for each
// frame (layout, observers, keeping the place) takes as long at the end of a list as at its beginning. The first
// entries are in no part, and always there. A list that was restored has but the keys of what is far: a part is asked for
// when it comes near.

import type { VNode } from "preact";
import { useContext, useMemo, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { BeginsFar, Heights, USUAL_HEIGHT, useBox } from "../window/near.ts";
import { layoutOf } from "../window/layout.ts";
import { Pager } from "./pager.tsx";

/** Entries in no part, as many as a document from the server has at most; and entries of a part. */
const [FIRST, SIZE] = [40, 20];

/** Returns the number of each entry's part, which it never leaves: it would be drawn anew, without what was begun. */
const numbersOf = (known: Map<string, number>, entries: readonly VNode[]): number[] => {
  const keys = entries.map(({ key }) => String(key));
  const end = keys.findLastIndex((key) => known.has(key));
  let [number, size] = [0, 0];
  return keys.map((key, index) => {
    const isFull = index > end && size >= (number === 0 ? FIRST : SIZE);
    const next = Math.max(number, known.get(key) ?? (isFull ? number + 1 : 0));
    size = next === number ? size + 1 : 1;
    known.set(key, (number = next));
    return number;
  });
};

const partId = ([first]: VNode[]): string => `part:${first!.key}`;

const Part = ({ entries }: { entries: VNode[] }) => {
  const part = useRef<HTMLDivElement>(null);
  const box = useBox(part, partId(entries));
  return (
    <div ref={part} class="part" style={box === null ? undefined : { height: `${box}px` }}>
      {box === null && <BeginsFar.Provider value>{entries}</BeginsFar.Provider>}
    </div>
  );
};

/** What a list says of entries that it has but the keys of. */
type Missing = {
  has(key: string): boolean;
  load(keys: string[]): Promise<void>;
};

const MissingPart = ({ entries, load }: { entries: VNode[]; load(): Promise<void> }) => {
  const { t } = useApp();
  const known = useContext(Heights)!.get(partId(entries));
  return (
    <div class="part" style={{ height: `${known ?? entries.length * USUAL_HEIGHT}px` }}>
      <Pager next={{}} label={t("feed.older")} load={load} />
    </div>
  );
};

type Props = { of: object; entries: VNode[]; missing?: Missing };

/** Draws the entries of a list, each with a key of its own. */
export const Parts = ({ of, entries, missing }: Props) => {
  const { heights, numbers: kept } = layoutOf(of);
  // A thread is drawn by several lists, in each of which a post has another number; it is not kept over a reload.
  const known = useMemo(() => (missing ? kept : new Map<string, number>()), [of]);
  const numbers = numbersOf(known, entries);
  const partOf = (number: number, own: VNode[]): VNode => {
    const keys = own.map(({ key }) => String(key)).filter((key) => missing?.has(key));
    if (keys.length === 0) return <Part key={number} entries={own} />;
    return <MissingPart key={number} entries={own} load={() => missing!.load(keys)} />;
  };
  const parts = [...Map.groupBy(entries, (_, index) => numbers[index]!)];
  return (
    <Heights.Provider value={heights}>
      {parts.map(([number, own]) => (number === 0 ? own : partOf(number, own)))}
    </Heights.Provider>
  );
};
