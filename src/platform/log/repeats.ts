// Bounds what repeats: a database that is away or a full disk would fill the log with the same stack
// trace thousands of times a minute.

/** Lines of one kind that are written in a minute; the others are counted. */
const PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const MAX_KINDS = 500;

type Count = { written: number; left: number };

/** What two lines have in common that say the same: the message, and the error's code, text and place. */
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
 * Says whether a line may be written. `summarise` gets, at the first line of the next minute, how many
 * lines were left out.
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
      // More kinds than anybody would read: they share a count.
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
