// How many requests of deliveries run at once. The slow never hold up the quick: a request that takes long
// leaves its quick place for a slow one, hosts known to be slow begin there, and some quick places are only for
// hosts known to answer quickly.

/** What is known of a host: that it answers quickly, nothing yet, or that it is slow or fails. */
export type Pace = "quick" | "unknown" | "slow";

/** Places for requests that were sent just now; all of them, and how many may be taken by unknown hosts. */
const QUICK_PLACES = 150;
const UNKNOWN_PLACES = 120;
/** Places for requests that take long; all of them, and how many may be taken by hosts known to be slow. */
const SLOW_PLACES = 500;
const KNOWN_SLOW_PLACES = 150;
/** So many requests begin before the process does something else: signing one takes most of a millisecond. */
const AT_A_TIME = 4;
/** How long an answer may take before its request counts as slow. */
const QUICK_MS = 250;

export type Place = {
  /** The request is done; once. */
  leave(): void;
};

type Waiting = { resolve: (place: Place | null) => void; onSlow: () => void };

type Occupant = { isSlow: boolean; timer: NodeJS.Timeout | null; onSlow: () => void };

export class Places {
  #quick = 0;
  #slow = 0;
  #waiting: Record<Pace, Waiting[]> = { quick: [], unknown: [], slow: [] };
  /** Slow ones in quick places, for which there is no slow place. */
  #overdue = new Set<Occupant>();
  #isClosed = false;
  /** How many may begin now, and whether it goes on in a moment. */
  #budget = AT_A_TIME;
  #isPlanned = false;

  /** Resolves when there is a place; null: not any more. `onSlow`: it has become a slow one. */
  enter(pace: Pace, onSlow: () => void): Promise<Place | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Place | null>();
    this.#waiting[pace].push({ resolve, onSlow });
    this.#admit();
    return promise;
  }

  /** Requests in flight. */
  inFlight(): number {
    return this.#quick + this.#slow;
  }

  /** From now on there are no places. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of Object.values(this.#waiting)) {
      for (const { resolve } of waiting.splice(0)) resolve(null);
    }
  }

  #admit(): void {
    for (const occupant of this.#overdue) if (!this.#becomeSlow(occupant)) break;
    for (let next = this.#next(); next; next = this.#next()) {
      if (this.#budget === 0) return this.#plan();
      this.#budget -= 1;
      this.#give(this.#waiting[next].shift()!, next === "slow");
    }
    if (this.#budget < AT_A_TIME) this.#plan();
  }

  /** Who gets the next place. */
  #next(): Pace | null {
    const { quick, unknown, slow } = this.#waiting;
    if (quick.length > 0 && this.#quick < QUICK_PLACES) return "quick";
    if (unknown.length > 0 && this.#quick < UNKNOWN_PLACES) return "unknown";
    return slow.length > 0 && this.#slow < KNOWN_SLOW_PLACES ? "slow" : null;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#budget = AT_A_TIME;
      this.#admit();
    });
  }

  #give({ resolve, onSlow }: Waiting, isSlow: boolean): void {
    const occupant: Occupant = { isSlow, timer: null, onSlow };
    if (isSlow) this.#slow += 1;
    else {
      this.#quick += 1;
      occupant.timer = setTimeout(() => this.#onLate(occupant), QUICK_MS);
    }
    resolve({ leave: () => this.#leave(occupant) });
  }

  #onLate(occupant: Occupant): void {
    occupant.onSlow();
    if (this.#becomeSlow(occupant)) this.#admit();
    else this.#overdue.add(occupant);
  }

  #becomeSlow(occupant: Occupant): boolean {
    if (this.#slow >= SLOW_PLACES) return false;
    this.#overdue.delete(occupant);
    occupant.isSlow = true;
    this.#quick -= 1;
    this.#slow += 1;
    return true;
  }

  #leave(occupant: Occupant): void {
    if (occupant.timer) clearTimeout(occupant.timer);
    this.#overdue.delete(occupant);
    if (occupant.isSlow) this.#slow -= 1;
    else this.#quick -= 1;
    this.#admit();
  }
}
