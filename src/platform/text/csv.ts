// CSV (RFC 4180): reading with either line ending and with quoted cells, writing with quotes where they are needed.

/** No file of ours or of other servers has as many columns; further ones are left out. */
const MAX_CELLS = 50;
/** Nor such long cells, in UTF-16 units; what is longer is cut. */
const MAX_CELL = 20_000;

const [QUOTE, COMMA, LINE_END] = [...'",\n'].map((letter) => letter.charCodeAt(0));

/** The end of what is quoted: a quote that is not doubled. */
const endOfQuoted = (text: string, from: number): number => {
  let at = from;
  for (; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== QUOTE) continue;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
    at += 1;
  }
  return at;
};

const endOfPlain = (text: string, from: number): number => {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === LINE_END) return at;
  }
  return at;
};

/** A cell from here to `end`, where a comma or the end of a line is; what follows quotes belongs to it as it is. */
type Cell = { end: number; read: () => string };

const cellAt = (text: string, from: number): Cell => {
  const part = (start: number, end: number) => text.slice(start, Math.min(end, start + MAX_CELL));
  const plain = (start: number, end: number) => part(start, end).replaceAll("\r", "");
  if (text.charCodeAt(from) !== QUOTE) {
    const end = endOfPlain(text, from);
    return { end, read: () => plain(from, end) };
  }
  const close = endOfQuoted(text, from + 1);
  const end = endOfPlain(text, close + 1);
  const read = () => part(from + 1, close).replaceAll('""', '"') + plain(close + 1, end);
  return { end: Math.min(end, text.length), read };
};

/** Rows of cells; empty lines are left out, and what comes after `most` rows. Each letter is looked at once. */
export const parseCsv = (text: string, most = Infinity): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  const source = text.replace(/^\ufeff/, "");
  for (let at = 0; at <= source.length && rows.length < most;) {
    if (row.length === 0 && source.charCodeAt(at) === LINE_END) {
      at += 1;
      continue;
    }
    const { end, read } = cellAt(source, at);
    if (row.length < MAX_CELLS) row.push(read());
    if (source.charCodeAt(end) !== COMMA) {
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
