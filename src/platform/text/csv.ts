// Reads and writes CSV (RFC 4180). It reads any line ending, quoted cells, the semicolons of spreadsheets in most of
// Europe, and tabs; it writes commas, and quotes where they are needed.

/** Cells read of a row; no file of ours or of other servers has as many columns. */
const MAX_CELLS = 50;
/** UTF-16 units of a cell; longer ones are cut. */
const MAX_CELL = 20_000;

const [QUOTE, LINE_END] = [...'"\n'].map((letter) => letter.charCodeAt(0));

export type Separator = "," | ";" | "\t";
const SEPARATORS: Separator[] = [",", ";", "\t"];
/** Lines that are examined to find the separator. */
const SHOWING = 50;

/**
 * Finds the separator: the one outside of quotes on most of the first lines. A comma within cells that semicolons
 * separate is on few of them.
 */
const separatorOf = (source: string): Separator => {
  const lines = source.split("\n", SHOWING).map((line) => line.replaceAll(/"[^"]*"/g, ""));
  const on = (separator: Separator) => lines.filter((line) => line.includes(separator)).length;
  return SEPARATORS.reduce((most, other) => (on(other) > on(most) ? other : most));
};

/** Line by which spreadsheets may declare the separator. */
const SAID = /^sep=([,;\t])\r?\n/i;

/** Converts the CR line ends of old programs. */
const withLineEnds = (text: string): string => {
  const withoutBom = text.replace(/^\ufeff/, "");
  return withoutBom.includes("\n") ? withoutBom : withoutBom.replaceAll("\r", "\n");
};

/** Returns the end of a quoted cell: a quote that is not doubled. */
const endOfQuoted = (text: string, from: number): number => {
  let at = from;
  for (; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== QUOTE) continue;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
    at += 1;
  }
  return at;
};

const endOfPlain = (text: string, from: number, separator: number): number => {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_END) return at;
  }
  return at;
};

/** A cell up to `end`, where a separator or line end is; text after the closing quote belongs to it unchanged. */
type Cell = { end: number; read: () => string };

const cellAt = (text: string, from: number, separator: number): Cell => {
  const part = (start: number, end: number) => text.slice(start, Math.min(end, start + MAX_CELL));
  const plain = (start: number, end: number) => part(start, end).replaceAll("\r", "");
  if (text.charCodeAt(from) !== QUOTE) {
    const end = endOfPlain(text, from, separator);
    return { end, read: () => plain(from, end) };
  }
  const close = endOfQuoted(text, from + 1);
  const end = endOfPlain(text, close + 1, separator);
  const read = () => part(from + 1, close).replaceAll('""', '"') + plain(close + 1, end);
  return { end: Math.min(end, text.length), read };
};

/**
 * Parses rows of cells; skips empty lines, and rows after `most`. Each character is read once. Without `separator` it
 * is detected.
 */
export const parseCsv = (text: string, most = Infinity, separator?: Separator): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  const lines = withLineEnds(text);
  const source = lines.replace(SAID, "");
  const between = (separator ?? SAID.exec(lines)?.[1] ?? separatorOf(source)).charCodeAt(0);
  for (let at = 0; at <= source.length && rows.length < most;) {
    if (row.length === 0 && source.charCodeAt(at) === LINE_END) {
      at += 1;
      continue;
    }
    const { end, read } = cellAt(source, at, between);
    if (row.length < MAX_CELLS) row.push(read());
    if (source.charCodeAt(end) !== between) {
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  return rows;
};

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const writeCsv = (rows: string[][]): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
