// The lease of a worker process. What the process claims (jobs, events, activities, hosts) carries its id, and counts
// as claimed while the lease runs. When a process dies its lease ends, and the first of the others that notices frees
// what it had claimed. A single process needs no lease: whatever it finds claimed at its start belongs to a dead one
// (docs/design/several-processes.md).

import type { App } from "../app.ts";
import type { Db } from "../db/index.ts";
import { deleteAllWorkers, deleteDeadWorkers, deleteWorker, renewWorker } from "./queries.ts";

/** A part of the worker that claims something. */
type Claimant = {
  /** Frees what is claimed by no known worker (queries.ts, isOrphaned). */
  release(db: Db): Promise<unknown>;
  /** Says that there is something to claim. */
  wake(): void;
  /** Says that others considered this process dead, so that what it holds may be claimed by them. */
  forget?(): void;
};

/** Shares of numbered work: this worker does every `of`-th, from `at` on. */
export type Share = { at: number; of: number };

export type Lease = {
  /** Returns null when this is the only worker, which does all work. */
  share(): Share | null;
  join(claimant: Claimant): void;
  /** Says that this process locks jobs under a name, from now on or no longer. */
  pool(name: string, isUsed: boolean): void;
  /** Ends the lease once nothing is in progress, and frees what is still claimed. */
  end(): Promise<void>;
};

export const ALONE: Lease = {
  share: () => null,
  join() {},
  pool() {},
  async end() {},
};

export type LeasePace = {
  /** Milliseconds after which a dead process's work is taken over. */
  leaseMs: number;
  renewMs: number;
};

const PACE: LeasePace = { leaseMs: 15_000, renewMs: 3000 };

class Held implements Lease {
  #app: App;
  #pace: LeasePace;
  #claimants: Claimant[] = [];
  #pools = new Set<string>();
  #living: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> | null = null;
  #isHeld = false;
  #renewedAt = -Infinity;
  /** Time since which this process has renewed its lease on time. */
  #steadySince = 0;

  constructor(app: App, pace: LeasePace) {
    this.#app = app;
    this.#pace = pace;
  }

  async begin(): Promise<void> {
    await this.#renewLease();
    this.#timer = setInterval(() => this.#renewSafely(), this.#pace.renewMs).unref();
  }

  share(): Share {
    return { at: this.#living.indexOf(this.#app.process.id), of: this.#living.length };
  }

  join(claimant: Claimant): void {
    this.#claimants.push(claimant);
  }

  pool(name: string, isUsed: boolean): void {
    if (isUsed) this.#pools.add(name);
    else this.#pools.delete(name);
    this.#renewSafely();
  }

  async end(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#renewing;
    await this.#app.sql.begin(async (tx) => {
      await deleteWorker(tx, this.#app.process.id);
      for (const { release } of this.#claimants) await release(tx);
    });
  }

  #renewSafely(): void {
    this.#renewing ??= this.#renewLease()
      .catch((error: unknown) => this.#app.log.warn({ err: error }, "the lease is not renewed"))
      .finally(() => (this.#renewing = null));
  }

  async #renewLease(): Promise<void> {
    const { sql, process: me } = this.#app;
    const began = performance.now();
    const { isNew, living, hasDead } = await renewWorker(
      sql,
      me.id,
      [...this.#pools],
      this.#pace.leaseMs,
    );
    // After a pause of this process or of the database all the others may be just as late.
    if (began - this.#renewedAt > 3 * this.#pace.renewMs) this.#steadySince = began;
    this.#renewedAt = began;
    if (isNew && this.#isHeld) this.#onLost();
    this.#isHeld = true;
    const isShared = living.length !== this.#living.length;
    this.#living = living;
    if (isShared) for (const { wake } of this.#claimants) wake();
    if (hasDead && began - this.#steadySince >= this.#pace.leaseMs) await this.#takeOver();
  }

  #onLost(): void {
    this.#app.log.warn("other processes took this one for dead; it goes on with a new lease");
    for (const { forget } of this.#claimants) forget?.();
  }

  async #takeOver(): Promise<void> {
    const dead = await this.#app.sql.begin(async (tx) => {
      const ids = await deleteDeadWorkers(tx);
      if (ids.length > 0) for (const { release } of this.#claimants) await release(tx);
      return ids;
    });
    if (dead.length === 0) return;
    this.#app.process.takeovers += dead.length;
    this.#app.log.warn({ dead }, "took over the work of a process that does not answer");
    for (const { wake } of this.#claimants) wake();
  }
}

/** Begins the lease of this process, before it claims anything. */
export const holdLease = async (app: App, pace: LeasePace = PACE): Promise<Lease> => {
  if (app.process.isAlone) {
    await deleteAllWorkers(app.sql);
    return ALONE;
  }
  const lease = new Held(app, pace);
  await lease.begin();
  return lease;
};
