// CSV (RFC 4180): reading with either line ending and with quoted cells, writing with quotes where they are needed.

/** No file of ours or of other servers has as many columns; further ones are left out. */
const MAX_CELLS = 50;

/** Up to the next letter that may mean something. */
const PLAIN = /[^",\r\n]+/y;
const QUOTED = /[^"]+/y;

const runAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
};

/** Rows of cells; empty lines are left out, and what comes after `most` rows. */
export const parseCsv = (text: string, most = Infinity): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    if (row.length < MAX_CELLS) row.push(cell);
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  const source = text.replace(/^\ufeff/, "");
  for (let at = 0; at < source.length && rows.length < most; at += 1) {
    const run = runAt(isQuoted ? QUOTED : PLAIN, source, at);
    cell += run;
    at += run.length;
    const letter = source[at];
    if (isQuoted) {
      if (letter === '"' && source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"') {
      if (cell === "") isQuoted = true;
      else cell += letter;
    } else if (letter === ",") endCell();
    else if (letter === "\n") endRow();
  }
  if (rows.length < most) endRow();
  return rows;
};

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const writeCsv = (rows: string[][]): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
