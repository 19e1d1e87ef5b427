// A gate that acts pass; whoever closes it works while none is in progress. Otherwise a jump of the clock would make
// the server refuse what was just signed, or do a retried act twice, as documented.

export class Gate {
  #inside = 0;
  #closed: PromiseWithResolvers<void> | null = null;
  #onEmpty: (() => void) | null = null;

  /** Runs `act` once the gate is open. */
  async pass(act: () => Promise<void>): Promise<void> {
    while (this.#closed) await this.#closed.promise;
    this.#inside += 1;
    try {
      await act();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#onEmpty?.();
    }
  }

  /** Runs one at a time. */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    this.#closed = Promise.withResolvers<void>();
    try {
      if (this.#inside > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
      await work();
    } finally {
      this.#onEmpty = null;
      this.#closed.resolve();
      this.#closed = null;
    }
  }
}
