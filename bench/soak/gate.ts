// Acts pass a gate; who closes it works while none is in progress: what is signed or tried again within a jump of the
// clock would be refused, or done twice, as documented.

export class Gate {
  #inside = 0;
  #closed: PromiseWithResolvers<void> | null = null;
  #onEmpty: (() => void) | null = null;

  /** `act` once the gate is open. */
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

  /** One at a time. */
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
