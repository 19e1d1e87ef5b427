// Memory that several caches share. Each has a guaranteed share, and may use what the others leave free. When the pool
// is full, the caches that exceed their share drop unused entries in turn.

export type Member = {
  /** Bytes that no other member may take. */
  share: number;
  bytes(): number;
  /** Examines one entry and drops it if nobody used it since the last time. */
  squeeze(): void;
};

export class Pool {
  readonly limit: number;
  #used = 0;
  #members: Member[] = [];
  #turn = 0;

  /** `limit` bounds the bytes of all members together, and is at least the sum of their shares. */
  constructor(limit: number) {
    this.limit = limit;
  }

  join(member: Member): void {
    this.#members.push(member);
  }

  /** Records that a member holds so many bytes less. */
  free(bytes: number): void {
    this.#used -= bytes;
  }

  /**
   * Records that a member holds so many bytes more. While the limit is exceeded, some member exceeds its share and is
   * squeezed.
   */
  take(bytes: number): void {
    this.#used += bytes;
    while (this.#used > this.limit) {
      this.#turn = (this.#turn + 1) % this.#members.length;
      const member = this.#members[this.#turn]!;
      if (member.bytes() > member.share) member.squeeze();
    }
  }
}

/** The memory of a cache: its share, and the pool that it belongs to; null gives it a pool of its own. */
export type Room = { share: number; pool: Pool | null };
