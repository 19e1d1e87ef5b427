// Prints lists: one line each, or all as JSON.

export const printRows = <T>(
  rows: readonly T[],
  json: boolean | undefined,
  line: (row: T) => string,
): void => {
  if (json) return console.log(JSON.stringify(rows, null, 2));
  for (const row of rows) console.log(line(row));
};
