// Prints lists: one line each, or all as JSON.

export const printRows = <T>(
  rows: readonly T[],
  json: boolean | undefined,
  line: (row: T) => string,
): void => {
  if (json) return console.log(JSON.stringify(rows, null, 2));
  for (const row of rows) console.log(line(row));
  // Scripts read standard output, where no line is an entry that does not exist.
  if (rows.length === 0) console.error("There are none.");
};

/** Returns `1 post`, `2 posts`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
