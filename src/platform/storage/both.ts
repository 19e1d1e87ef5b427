// Combines two storages while files are moved from one to the other: new files go to the main one, and files that are
// not there yet are read from the other.

import type { Listed, Storage } from "./index.ts";

async function* merge(a: AsyncIterable<Listed>, b: AsyncIterable<Listed>): AsyncGenerator<Listed> {
  const [first, second] = [a[Symbol.asyncIterator](), b[Symbol.asyncIterator]()];
  let [left, right] = [await first.next(), await second.next()];
  while (!left.done || !right.done) {
    const order = left.done ? 1 : right.done ? -1 : compare(left.value.key, right.value.key);
    yield order <= 0 ? left.value : right.value;
    if (order <= 0) left = await first.next();
    if (order >= 0) right = await second.next();
  }
}

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const bothStorage = (main: Storage, other: Storage): Storage => ({
  put: (key, source) => main.put(key, source),
  // The third attempt finds a file that was moved meanwhile.
  open: async (key, range) =>
    (await main.open(key, range)) ?? (await other.open(key, range)) ?? main.open(key, range),
  stat: async (key) => (await main.stat(key)) ?? (await other.stat(key)) ?? main.stat(key),
  // The order matters: a move in progress then notices that the file is gone (move.ts).
  async delete(keys) {
    await other.delete(keys);
    await main.delete(keys);
  },
  list: (beginning) => merge(main.list(beginning), other.list(beginning)),
  // The file may not be where a proxy looks.
  internalPath: () => null,
  close() {
    main.close();
    other.close();
  },
});
