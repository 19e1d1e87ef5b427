// Reads that a replica may answer (docs/design/database.md). A statement goes there when the
// replica has replayed all that was committed when the statement was given, and to the primary otherwise: whoever reads
// sees what they would have seen there, and what is cached of it is right.

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../log/index.ts";
import { connect, isCancelled, sqlState } from "./index.ts";
import type { Sql } from "./index.ts";
import { shareInvalidation } from "./commits.ts";
import { selectCommitted, selectReplayed, selectSystem } from "./queries-replica.ts";

/** How long a statement waits for the replica to have replayed so far. */
const PATIENCE_MS = 50;
const PAUSE_MS = 2;
/** A statement that takes longer there is given to the primary as well. */
const ANSWER_MS = 2000;
/** How often the replica is looked at. */
const LOOK_MS = 1000;
const WARN_EVERY_MS = 60_000;
/** SQLSTATE of a statement that the replica cannot run, because it writes. */
const READ_ONLY = "25006";

/** Why a statement was answered by the primary. */
export type Reason = "behind" | "gone" | "failed";

type ReplicaFigures = {
  /** Whether reads go there now. */
  isUsed: boolean;
  /** Bytes of the log that it had not replayed at the last look; null: not known. */
  behindBytes: number | null;
  /** Seconds since it was last seen to have everything; null: never. */
  behindSeconds: number | null;
  statements: { replica: number } & Record<Reason, number>;
};

export type Replica = {
  /** Like the pool of the primary, for what only reads; whatever else it is given goes to the primary. */
  sql: Sql;
  /** Looks at the replica from now on; before that nothing goes there. */
  start(): void;
  /** Looks at once: whether it can be used, and if not, why. */
  look(): Promise<Fault | null>;
  figures(): ReplicaFigures;
  end(): Promise<void>;
};

/** `writable`: it is no replica; `foreign`: it is one of another database. */
export type Fault = "away" | "writable" | "foreign" | "behind";

type Options = {
  url: string;
  primary: Sql;
  log: Logger;
  max: number;
  application: string;
  /** Behind a pooler nothing is prepared. */
  isPooled: boolean;
};

/** What postgres.js knows of a statement that has not been sent. */
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
 * One question at a time for all who ask: who comes while one is on its way waits for the next one, since the answer
 * must not be older than their question.
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
  /** Why it is not used; null: it is. */
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

  /** Whether it has replayed so far, soon; null: it replays nothing, it is no replica. */
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

  /** Whether a statement that is given now may be answered by the replica. */
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
    // What PostgreSQL says about one statement (it writes, or was in the way of replaying) says nothing of the others.
    const state = sqlState(error);
    if (state === null || state.startsWith("57P") || state.startsWith("08")) this.#become("away");
    if (state !== READ_ONLY)
      this.#options.log.debug({ err: error }, "a read of the replica failed");
  }

  /** Sends it to the replica; false: the primary has to answer. */
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

  /** Statements that read; parts of statements, and all others, are those of the primary. */
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

  /** Only transactions that say that they read may be the replica's. */
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
