// Knows how a list was drawn, to draw it like that when its page is shown again.

export type Layout = {
  /** Last known heights of entries, and of parts. */
  heights: Map<string, number>;
  /** The number of each entry's part. */
  numbers: Map<string, number>;
};

const layouts = new WeakMap<object, Layout>();

export const layoutOf = (list: object): Layout => {
  const known = layouts.get(list) ?? { heights: new Map(), numbers: new Map() };
  layouts.set(list, known);
  return known;
};

type Plain = { [name in keyof Layout]: [string, number][] };

/** Returns plain data, to be kept over a reload. */
export const plainLayout = (list: object): Plain => {
  const { heights, numbers } = layoutOf(list);
  return { heights: [...heights], numbers: [...numbers] };
};

export const restoreLayout = (list: object, { heights, numbers }: Plain): void =>
  void layouts.set(list, { heights: new Map(heights), numbers: new Map(numbers) });
