// Lists in parts, for what takes only so many at once.

/** The items in their order, so many in each; the last may have fewer. */
export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
