// Runs long work in lines, such as one for each author with very many followers: the works of a line follow each other,
// and a few lines run at the same time.

/** Lines worked on at the same time. */
const AT_ONCE = 3;
/** Items in all lines; beyond these, callers wait. */
const MOST = 1000;

/** Calls every waiting function once. */
const wake = (waiting: (() => void)[]): void => waiting.splice(0).forEach((go) => go());

export class Lines {
  #last = new Map<string, Promise<unknown>>();
  #running = 0;
  #items = 0;
  #waitForTurn: (() => void)[] = [];
  #waitForRoom: (() => void)[] = [];

  /** Runs `work` on `items` items once everything before it in its line has ended, whether or not that succeeded. */
  add(line: string, items: number, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(line) ?? Promise.resolve();
    const ended = before.catch(() => {}).then(() => this.#run(work));
    this.#items += items;
    this.#last.set(line, ended);
    const leave = () => {
      this.#items -= items;
      if (this.#last.get(line) === ended) this.#last.delete(line);
      wake(this.#waitForRoom);
    };
    ended.then(leave, leave);
    return ended;
  }

  /** Resolves when there is room for more items. */
  async room(): Promise<void> {
    while (this.#items >= MOST) await new Promise<void>((go) => this.#waitForRoom.push(go));
  }

  async #run(work: () => Promise<void>): Promise<void> {
    while (this.#running >= AT_ONCE) await new Promise<void>((go) => this.#waitForTurn.push(go));
    this.#running += 1;
    try {
      await work();
    } finally {
      this.#running -= 1;
      this.#waitForTurn.shift()?.();
    }
  }
}
