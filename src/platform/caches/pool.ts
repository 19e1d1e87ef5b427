// Memory that several caches share: each has its own part for certain, and beyond it what the others leave. When all of
// it is taken, those that are beyond their part are gone through in turns for what is not used.

export type Member = {
  /** The part that nobody else may take, in bytes. */
  share: number;
  bytes(): number;
  /** Looks at one entry, and drops it if nobody used it since it was looked at before. */
  squeeze(): void;
};

export class Pool {
  readonly limit: number;
  #used = 0;
  #members: Member[] = [];
  #turn = 0;

  /** `limit`: of all members together, in bytes, at least the sum of their shares. */
  constructor(limit: number) {
    this.limit = limit;
  }

  join(member: Member): void {
    this.#members.push(member);
  }

  /** A member holds so many bytes less. */
  free(bytes: number): void {
    this.#used -= bytes;
  }

  /** A member holds so many bytes more. As long as not all fit, somebody is beyond their own part. */
  take(bytes: number): void {
    this.#used += bytes;
    while (this.#used > this.limit) {
      this.#turn = (this.#turn + 1) % this.#members.length;
      const member = this.#members[this.#turn]!;
      if (member.bytes() > member.share) member.squeeze();
    }
  }
}

/** The memory of a cache: its share, and the pool with which it has that; null: a pool of its own. */
export type Room = { share: number; pool: Pool | null };
