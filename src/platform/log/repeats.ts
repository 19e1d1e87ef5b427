// Limits repeated lines: an unreachable database or a full disk would otherwise fill the log with the same stack trace
// thousands of times a minute.

/** Lines of one kind written in a minute; further ones are counted. */
const PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const MAX_KINDS = 500;

type Count = { written: number; left: number };

/** Returns what two lines that say the same have in common: the message, and the error's code, text and place. */
const kindOf = (args: unknown[]): string => {
  const [first, second] = args;
  if (typeof first === "string") return first;
  const { err } = (first ?? {}) as { err?: unknown };
  const message = typeof second === "string" ? second : "";
  if (!(err instanceof Error)) return message;
  const place = /\n\s+at .*/.exec(err.stack ?? "")?.[0] ?? "";
  return `${message}|${(err as NodeJS.ErrnoException).code ?? ""}|${err.message.slice(0, 100)}|${place}`;
};

/**
 * Decides whether a line may be written. At the first line of the next minute, `summarise` gets the number of lines
 * left out.
 */
export const createRepeats = (summarise: (left: number) => void, now = () => Date.now()) => {
  let counts = new Map<string, Count>();
  let since = now();
  const turn = (): void => {
    if (now() - since < MINUTE_MS) return;
    since = now();
    let left = 0;
    for (const count of counts.values()) left += count.left;
    counts = new Map();
    if (left > 0) summarise(left);
  };
  return (args: unknown[]): boolean => {
    turn();
    const kind = kindOf(args);
    let count = counts.get(kind);
    if (!count) {
      // Beyond MAX_KINDS, further kinds share a count.
      const key = counts.size < MAX_KINDS ? kind : "";
      count = counts.get(key) ?? { written: 0, left: 0 };
      counts.set(key, count);
    }
    if (count.written < PER_MINUTE) {
      count.written += 1;
      return true;
    }
    count.left += 1;
    return false;
  };
};
