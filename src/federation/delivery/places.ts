// Limits the requests of deliveries that run at once, so that slow ones never delay quick ones. A request that takes
// long moves from a quick place to a slow one, hosts known to be slow start in slow places, and some quick places are
// reserved for hosts known to respond quickly.

/** What is known of a host: it answers quickly, nothing is known yet, or it is slow or fails. */
export type Pace = "quick" | "unknown" | "slow";

/** Places for requests that were just sent: all of them, and those that unknown hosts may take. */
const QUICK_PLACES = 150;
const UNKNOWN_PLACES = 120;
/** Places for requests that take long: all of them, and those that hosts known to be slow may take. */
const SLOW_PLACES = 500;
const KNOWN_SLOW_PLACES = 150;
/** Requests that begin before the process does other work: signing one takes most of a millisecond. */
const AT_A_TIME = 4;
/** Milliseconds after which a request without an answer counts as slow. */
const QUICK_MS = 250;

export type Place = {
  /** Says once that the request is done. */
  leave(): void;
};

type Waiting = { resolve: (place: Place | null) => void; onSlow: () => void };

type Occupant = { isSlow: boolean; timer: NodeJS.Timeout | null; onSlow: () => void };

export class Places {
  #quick = 0;
  #slow = 0;
  #waiting: Record<Pace, Waiting[]> = { quick: [], unknown: [], slow: [] };
  /** Slow requests in quick places, for which there is no slow place. */
  #overdue = new Set<Occupant>();
  #isClosed = false;
  /** Requests that may begin now, and whether more may begin in a moment. */
  #budget = AT_A_TIME;
  #isPlanned = false;

  /** Resolves when there is a place, or with null after `close`. `onSlow` is called when the request becomes slow. */
  enter(pace: Pace, onSlow: () => void): Promise<Place | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Place | null>();
    this.#waiting[pace].push({ resolve, onSlow });
    this.#admit();
    return promise;
  }

  /** Returns the number of requests in flight. */
  inFlight(): number {
    return this.#quick + this.#slow;
  }

  /** Gives out no more places. */
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

  /** Decides which kind of request gets the next place. */
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
