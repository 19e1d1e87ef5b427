// Splits lists into chunks.

/** Returns the items in order, `size` in each chunk; the last chunk may have fewer. */
export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
