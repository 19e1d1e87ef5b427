// Finds what changed between two texts, by words: the longest common sequence, as kept, added and removed parts.

export type Part = { kind: "same" | "added" | "removed"; text: string };

/** Maximum size of the table; larger texts would take too long, and are shown as removed and added as a whole. */
const MAX_CELLS = 1_000_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

const append = (parts: Part[], kind: Part["kind"], text: string): void => {
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
};

/** Returns the weight of a kept part: a word counts more than a space. */
const weightOf = (part: string): number => (part.trim() ? 4 : 1);

/** Returns lengths[i][j], the length of the longest common sequence of what begins at i and j. */
const lengthsOf = (before: string[], after: string[]): Uint16Array[] => {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      rows[i]![j] =
        before[i] === after[j]
          ? rows[i + 1]![j + 1]! + weightOf(before[i]!)
          : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows;
};

export const differences = (before: string, after: string): Part[] => {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (before === after) return before ? [{ kind: "same", text: before }] : [];
  const parts: Part[] = [];
  if (old.length * now.length > MAX_CELLS) {
    append(parts, "removed", before);
    append(parts, "added", after);
    return parts;
  }
  const lengths = lengthsOf(old, now);
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      append(parts, "same", old[i]!);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      append(parts, "removed", old[i]!);
      i += 1;
    } else {
      append(parts, "added", now[j]!);
      j += 1;
    }
  }
  return parts;
};
