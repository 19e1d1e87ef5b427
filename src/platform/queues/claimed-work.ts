// What a ClaimedQueue is given: how work is claimed, run and stored, at which pace and within which limits.

import type { Db } from "../db/index.ts";
import type { Work } from "../wake.ts";
import type { Lease } from "../workers/lease.ts";

export type Claim<T> = {
  /** The claimed items, in the order in which they are begun. */
  items: T[];
  /** There may be more rows: the queue claims again as soon as there is room. */
  isMore?: boolean;
  /** Milliseconds after which the queue looks again, even if it is woken before. */
  againMs?: number;
  /** Time at which the queue looks again, unless it is woken before. */
  dueAt?: Date | null;
};

/** Items whose work continues when the rest of their batch has ended; the next batch does not wait for them. */
export type Behind = { keys: string[]; ended: Promise<unknown> };

/** How the rows of one table are claimed and processed. */
export type ClaimedWork<T, R> = {
  /**
   * Returns the key of an item. From its claim until its result is being stored, no item with the same key is begun;
   * what is claimed then was released by that, although the database's answer has not arrived yet.
   */
  keyOf(item: T): string;
  /**
   * Claims due rows, in this process's name and for a limited time. `room` is the number of items that may be begun.
   */
  claim(room: number): Promise<Claim<T>>;
  /**
   * Works on items that are begun together; must be idempotent. Items without a reported result, also after an error,
   * are released, and the queue looks again: their rows say what becomes of them. Returned work reports before it ends.
   */
  run(items: T[], report: (result: R) => void): Promise<Behind[] | void>;
  /** Stores results, which ends claims; retried until it succeeds. Returns when the next row is due because of them. */
  settle(results: R[]): Promise<Date | null>;
  /** Extends claims, at the latest after two thirds of their time. */
  renewClaims(keys: string[]): Promise<unknown>;
  /** Ends the claims of dead processes. */
  release(db: Db): Promise<unknown>;
  /** Forgets what this process holds, because others may have claimed it. */
  forget?(): void;
  /** Called when the queue stops: running work may end early. */
  close?(): unknown;
};

export type QueuePace = {
  /** Milliseconds; rows that come within this time are claimed together. */
  gather: number;
  /** Milliseconds; results that come within this time are stored together. */
  settle: number;
  /** Milliseconds between looks without being woken. */
  poll: number;
};

export type QueueLimits = {
  /** Items that are begun together, and batches that run at once. */
  batch: number;
  atOnce: number;
  /** Items that may be claimed and not yet stored. */
  claimed: number;
  /** Milliseconds between extensions of claims: a third of the time of a claim. */
  renewMs: number;
};

export type QueueOptions = { name: Work; limits: QueueLimits; pace: QueuePace; lease?: Lease };

/** The interface of a started queue. */
export type QueueWorker = {
  stop(): Promise<void>;
  /** True when no row is known to be due and nothing is in progress. */
  isIdle(): boolean;
};
