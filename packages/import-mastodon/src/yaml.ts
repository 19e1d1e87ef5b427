// Reads a setting of Mastodon, a YAML document with one scalar. https://yaml.org/spec/1.2.2/

const ESCAPES: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  '"': '"',
  "\\": "\\",
};

const doubleQuoted = (text: string): string =>
  text
    .replace(/\\\n\s*/g, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(
      /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g,
      (whole, ...codes) => {
        const [x, u, long, letter] = codes as (string | undefined)[];
        const hex = x ?? u ?? long;
        return hex ? String.fromCodePoint(parseInt(hex, 16)) : (ESCAPES[letter!] ?? whole.slice(1));
      },
    );

/** Parses a block: its lines unchanged, or folded into paragraphs. */
const block = (style: string, chomping: string, lines: string[]): string => {
  const indent = /^ */.exec(lines.find((line) => line.trim() !== "") ?? "")![0].length;
  const body = lines.map((line) => line.slice(indent)).join("\n");
  const text = style === ">" ? body.replace(/(?<!\n)\n(?!\n|$)/g, " ") : body;
  if (chomping === "+") return text;
  return text.replace(/\n*$/, "") + (chomping === "-" ? "" : "\n");
};

/** Returns the scalar's text, for booleans and numbers as they are written; null if it is empty, or no scalar. */
export const yamlScalar = (document: string): string | null => {
  const text = document.replace(/^---(?:\s*!\S*)? ?/, "").replace(/\n\.\.\.\s*$/, "");
  const [, style, chomping, rest] = /^([|>])\d?([+-]?)\d?[^\n]*\n([\s\S]*)$/.exec(text) ?? [];
  if (style) return block(style, chomping!, rest!.split("\n"));
  const plain = text.trim();
  if (plain === "" || plain === "~" || plain === "null" || /^[-?:{[&*]\s|^[{[]/.test(plain))
    return null;
  if (/^".*"$/s.test(plain)) return doubleQuoted(plain.slice(1, -1));
  if (/^'.*'$/s.test(plain))
    return plain
      .slice(1, -1)
      .replace(/\s*\n\s*/g, " ")
      .replaceAll("''", "'");
  return plain.replace(/\n\s*/g, " ");
};
