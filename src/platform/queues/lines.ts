// Work that takes long, in lines: in each one follows the other, and a few lines go on beside each other.

/** How many lines are worked on at the same time. */
const AT_ONCE = 3;
/** Items in all lines: beyond these, who brings more waits. */
const MOST = 1000;

/** Calls all that wait, once. */
const wake = (waiting: (() => void)[]): void => waiting.splice(0).forEach((go) => go());

export class Lines {
  #last = new Map<string, Promise<unknown>>();
  #running = 0;
  #items = 0;
  #waitForTurn: (() => void)[] = [];
  #waitForRoom: (() => void)[] = [];

  /** Runs it, on so many items, when everything before it in its line has ended, whether or not that succeeded. */
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

  /** Resolves when there is room for more. */
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
