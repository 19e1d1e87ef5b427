// Sends reads to a replica (docs/design/database.md). A statement goes there when the replica has replayed everything
// that was committed when the statement was given, and to the primary otherwise: readers see what the primary would
// have shown, and what is cached of it is right.

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../log/index.ts";
import { connect, isCancelled, sqlState } from "./index.ts";
import type { Sql } from "./index.ts";
import { shareInvalidation } from "./commits.ts";
import { selectCommitted, selectReplayed, selectSystem } from "./queries-replica.ts";

/** Milliseconds that a statement waits for the replica to catch up. */
const PATIENCE_MS = 50;
const PAUSE_MS = 2;
/** Milliseconds after which an unanswered statement is also given to the primary. */
const ANSWER_MS = 2000;
/** Milliseconds between checks of the replica. */
const LOOK_MS = 1000;
const WARN_EVERY_MS = 60_000;
/** SQLSTATE of a statement that the replica cannot run, because it writes. */
const READ_ONLY = "25006";

/** Why a statement was answered by the primary. */
export type Reason = "behind" | "gone" | "failed";

type ReplicaFigures = {
  /** Whether reads go to the replica now. */
  isUsed: boolean;
  /** Bytes of the log that it had not replayed at the last check; null if not known. */
  behindBytes: number | null;
  /** Seconds since it was last seen to have everything; null for never. */
  behindSeconds: number | null;
  statements: { replica: number } & Record<Reason, number>;
};

export type Replica = {
  /** Like the pool of the primary, for code that only reads; anything else that it is given goes to the primary. */
  sql: Sql;
  /** Starts to check the replica; before that nothing goes there. */
  start(): void;
  /** Checks at once whether it can be used, and returns why not. */
  look(): Promise<Fault | null>;
  figures(): ReplicaFigures;
  end(): Promise<void>;
};

/** `writable`: it is no replica; `foreign`: it is a replica of another database. */
export type Fault = "away" | "writable" | "foreign" | "behind";

type Options = {
  url: string;
  primary: Sql;
  log: Logger;
  max: number;
  application: string;
  /** True behind a pooler, where nothing is prepared. */
  isPooled: boolean;
};

/** Members that a postgres.js query has before it is sent. */
type Query = Promise<unknown> & {
  handler: (query: Query) => void;
  options: { simple?: boolean; prepare?: boolean };
  isRaw?: unknown;
  cursorFn?: unknown;
  forEachFn?: unknown;
  streaming?: boolean;
  resolve(value: unknown): void;
};

const READS = /^\s*(?:SELECT|WITH)\b/i;

const isPlain = (query: Query): boolean =>
  !query.isRaw && !query.cursorFn && !query.forEachFn && !query.streaming && !query.options.simple;

/**
 * Asks one question at a time for all callers: a caller during a question waits for the next one, since the answer must
 * not be older than the call.
 */
const together = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const answer = ask();
    running = answer;
    const finish = () => {
      if (running === answer) running = null;
    };
    answer.then(finish, finish);
    return answer;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
};

const inTime = async <T>(work: PromiseLike<T>, ms: number): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The replica does not answer")), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

const SENTENCES: Record<Fault, string> = {
  away: "the replica does not answer: reads go to the primary until it does",
  writable: "DATABASE_REPLICA_URL leads to a database that is no replica: reads go to the primary",
  foreign: "DATABASE_REPLICA_URL leads to a replica of another database: reads go to the primary",
  behind: "the replica is too far behind: reads go to the primary until it has caught up",
};

class Watched implements Replica {
  readonly sql: Sql;
  readonly #options: Options;
  readonly #replica: Sql;
  readonly #committed: () => Promise<number>;
  readonly #replayed: () => Promise<number | null>;
  /** Why it is not used, or null if it is. */
  #fault: Fault | "unseen" | null = "unseen";
  #system: string | null = null;
  #caughtUpAt: number | null = null;
  #behindBytes: number | null = null;
  #warnedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  readonly #statements = { replica: 0, behind: 0, gone: 0, failed: 0 };

  constructor(options: Options) {
    this.#options = options;
    const { url, primary, max, application, isPooled } = options;
    this.#replica = connect(url, { max, application, isPooled });
    this.#committed = together(() => selectCommitted(primary));
    this.#replayed = together(() => inTime(selectReplayed(this.#replica), ANSWER_MS));
    this.sql = this.#readingHandle();
  }

  start(): void {
    const look = () => void this.look();
    this.#timer ??= setInterval(look, LOOK_MS).unref();
    look();
  }

  async look(): Promise<Fault | null> {
    const fault = await this.#examine().catch((): Fault => "away");
    this.#become(fault);
    return fault;
  }

  figures(): ReplicaFigures {
    const now = performance.now();
    return {
      isUsed: this.#fault === null,
      behindBytes: this.#behindBytes,
      behindSeconds: this.#caughtUpAt === null ? null : (now - this.#caughtUpAt) / 1000,
      statements: { ...this.#statements },
    };
  }

  async end(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#replica.end({ timeout: 1 });
  }

  async #examine(): Promise<Fault | null> {
    const { primary } = this.#options;
    const [system, own] = await Promise.all([
      this.#system ?? selectSystem(primary),
      inTime(selectSystem(this.#replica), ANSWER_MS),
    ]);
    this.#system = system;
    if (system !== own) return "foreign";
    const reached = await this.#reaches(await this.#committed());
    return reached === null ? "writable" : reached ? null : "behind";
  }

  #become(fault: Fault | null): void {
    const before = this.#fault;
    this.#fault = fault;
    if (before === fault) return;
    const { log } = this.#options;
    if (fault === null) return log.info("reads go to the replica");
    const now = performance.now();
    if (now - this.#warnedAt < WARN_EVERY_MS && fault === "behind") return;
    this.#warnedAt = now;
    log.warn(SENTENCES[fault]);
  }

  /** Whether it soon reaches this position; null if it replays nothing and so is no replica. */
  async #reaches(committed: number): Promise<boolean | null> {
    const began = performance.now();
    for (;;) {
      const replayed = await this.#replayed();
      if (replayed === null) return null;
      this.#behindBytes = Math.max(0, committed - replayed);
      if (replayed >= committed) {
        this.#caughtUpAt = performance.now();
        return true;
      }
      if (performance.now() - began > PATIENCE_MS) return false;
      await sleep(PAUSE_MS);
    }
  }

  /** Whether the replica may answer a statement that is given now. */
  async #isReady(): Promise<boolean> {
    if (this.#fault !== null) {
      this.#statements[this.#fault === "behind" ? "behind" : "gone"] += 1;
      return false;
    }
    try {
      const reached = await this.#reaches(await this.#committed());
      if (reached) return true;
      this.#become(reached === null ? "writable" : "behind");
      this.#statements.behind += 1;
    } catch {
      this.#become("away");
      this.#statements.gone += 1;
    }
    return false;
  }

  #failed(error: unknown): void {
    this.#statements.failed += 1;
    // An error of PostgreSQL about one statement (it writes, or was in the way of replaying) says nothing about others.
    const state = sqlState(error);
    if (state === null || state.startsWith("57P") || state.startsWith("08")) this.#become("away");
    if (state !== READ_ONLY)
      this.#options.log.debug({ err: error }, "a read of the replica failed");
  }

  /** Sends a statement to the replica; returns false where the primary has to answer. */
  async #answer(query: Query, copy: () => PromiseLike<unknown>): Promise<boolean> {
    if (!isPlain(query) || !(await this.#isReady())) return false;
    try {
      const result = await inTime(copy(), ANSWER_MS);
      this.#statements.replica += 1;
      query.resolve(result);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Returns a handle for reading statements; parts of statements, and all others, go to the primary. */
  #readingHandle(): Sql {
    const { primary } = this.#options;
    type Call = (...args: unknown[]) => unknown;
    const onPrimary = primary as unknown as Call;
    const onReplica = this.#replica as unknown as Call;
    const handle: Call = (...args) => {
      const unsent = onPrimary(...args) as Query;
      const [text] = args as [{ raw?: readonly string[] } & readonly string[]];
      if (!Array.isArray(text?.raw) || !READS.test(text[0]!)) return unsent;
      const { handler } = unsent;
      unsent.handler = (query) => {
        const copy = () => onReplica(...args) as PromiseLike<unknown>;
        void this.#answer(query, copy).then((isAnswered) => {
          if (!isAnswered) handler(query);
        });
      };
      return unsent;
    };
    const sql = Object.assign(handle, primary, {
      begin: (...args: unknown[]) => this.#begin(args),
    }) as unknown as Sql;
    shareInvalidation(sql, primary);
    return sql;
  }

  /** Begins a transaction, on the replica only if it is declared read-only. */
  async #begin(args: unknown[]): Promise<unknown> {
    const begin = (sql: Sql) => (sql.begin as (...args: unknown[]) => Promise<unknown>)(...args);
    const { primary } = this.#options;
    if (args[0] !== "read only" || !(await this.#isReady())) return begin(primary);
    try {
      const result = await begin(this.#replica);
      this.#statements.replica += 1;
      return result;
    } catch (error) {
      if (isCancelled(error)) throw error;
      this.#failed(error);
      return begin(primary);
    }
  }
}

export const createReplica = (options: Options): Replica => new Watched(options);
