// Collects the results of a claimed queue, stores many at once, and keeps them until that succeeds.

type ResultsOptions<R> = {
  /** Milliseconds; results that come within this time are stored together. */
  gatherMs: number;
  retryMs: number;
  /** `keys` are the items that have ended with these results or earlier ones. */
  store: (results: R[], keys: string[]) => Promise<void>;
  onFailed: (error: unknown) => void;
};

export class Results<R> {
  #options: ResultsOptions<R>;
  #results: R[] = [];
  #keys: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #storing: Promise<void> | null = null;

  constructor(options: ResultsOptions<R>) {
    this.#options = options;
  }

  add(result: R): void {
    this.#results.push(result);
    this.#plan(this.#options.gatherMs);
  }

  /** Says that all results of these items have been added. */
  end(keys: string[]): void {
    this.#keys.push(...keys);
    this.#plan(this.#options.gatherMs);
  }

  /** Stores what is left; tries once. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#storing;
    await this.#store();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(ms: number): void {
    if (!this.#storing) this.#timer ??= setTimeout(() => this.#begin(), ms);
  }

  #begin(): void {
    this.#timer = null;
    this.#storing = this.#store().then((isStored) => {
      this.#storing = null;
      const { gatherMs, retryMs } = this.#options;
      if (this.#results.length + this.#keys.length > 0) this.#plan(isStored ? gatherMs : retryMs);
    });
  }

  async #store(): Promise<boolean> {
    const [results, keys] = [this.#results, this.#keys];
    [this.#results, this.#keys] = [[], []];
    if (results.length + keys.length === 0) return true;
    try {
      await this.#options.store(results, keys);
      return true;
    } catch (error) {
      this.#options.onFailed(error);
      this.#results.unshift(...results);
      this.#keys.unshift(...keys);
      return false;
    }
  }
}
