// Shows the progress of a long command: one line on a terminal, nothing elsewhere.

const INTERVAL_MS = 200;

/** Returns `1.5 MB`; in kB what would be `0.0 MB`. */
export const megabytes = (bytes: number): string =>
  bytes > 0 && bytes < 0.05 * 1024 ** 2
    ? `${Math.ceil(bytes / 1024)} kB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

type ProgressLine = { show(text: string): void; clear(): void };

/** Writes to standard error, so that the output is not disturbed. */
export const progressLine = (): ProgressLine => {
  const isShown = process.stderr.isTTY ?? false;
  let shownAt = -Infinity;
  const write = (text: string) => process.stderr.write(`\r\u001b[K${text}`);
  return {
    show(text) {
      const now = performance.now();
      if (!isShown || now - shownAt < INTERVAL_MS) return;
      shownAt = now;
      write(text);
    },
    clear() {
      if (isShown && shownAt > -Infinity) write("");
    },
  };
};

const BAR = 24;

/** Returns `████████░░░░ 33 %  412 of 1,236 accounts`. */
export const bar = (done: number, all: number, what: string): string => {
  const share = all === 0 ? 1 : Math.min(1, done / all);
  const filled = Math.round(share * BAR);
  const picture = "█".repeat(filled) + "░".repeat(BAR - filled);
  const count = (n: number) => n.toLocaleString("en-US");
  return `${picture} ${Math.round(share * 100)} %  ${count(done)} of ${count(all)} ${what}`;
};
