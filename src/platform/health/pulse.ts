// Measures the health of this process every second while it serves: whether the database answers, how late work is, and
// how much disk is left. overload.ts acts on it; /health and /metrics show it.

import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Sql } from "../db/index.ts";
import { sessionOf } from "../db/session.ts";
import { inPlaceOfTransaction } from "../db/spare-connection.ts";
import type { Logger } from "../log/index.ts";
import { faultOf } from "./faults.ts";
import type { Fault } from "./faults.ts";

export type Pulse = {
  start(): void;
  stop(): void;
  /** Returns why the database or the disk cannot be used, or null if they can. */
  fault(): Fault | null;
  /**
   * Milliseconds for which work waits for the event loop or for the database; the lower of the last two measurements.
   */
  lateness(): number;
  /** Free bytes on the disk of the data folder; null while not known. */
  diskFree(): number | null;
  /** Calls the listener each time the database becomes unusable. */
  onAway(listener: () => void): () => void;
};

type PulseOptions = {
  sql: Sql;
  log: Logger;
  /** Folder whose disk is watched. */
  dataDir: string;
  /** Free bytes below which nothing is accepted that has to be stored. */
  reserveBytes: number;
};

const LOOK_MS = 1000;
/** Milliseconds without an answer after which the database counts as away, so that requests are answered within 5 s. */
export const AWAY_AFTER_MS = 3500;
/**
 * Milliseconds between samples of the event loop, ten for each measurement. At 20 ms the samples woke an idle process
 * 50 times a second.
 */
const RESOLUTION_MS = 100;
const DISK_EVERY = 10;
/** A warning is logged when less than this many times the reserve is free. */
export const DISK_WARN_AT = 5;
const WARN_EVERY_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;

/** Exported for tests that count statements and leave this one out. */
export const PULSE_QUERY = "SELECT 1 AS pulse";

/** Measures how long a question takes to be answered; it is asked again once it was answered. */
const watchAnswers = (ask: () => Promise<unknown>, answered: (error: unknown) => void) => {
  let askedAt: number | null = null;
  let durations: number[] = [0, 0];
  const age = (): number => (askedAt === null ? 0 : performance.now() - askedAt);
  const askNow = async (): Promise<void> => {
    askedAt = performance.now();
    try {
      await ask();
      durations = [durations[1]!, age()];
      answered(null);
    } catch (error) {
      answered(error);
    } finally {
      askedAt = null;
    }
  };
  return {
    /** Milliseconds since an open question was asked. */
    age,
    look(): void {
      if (askedAt === null) void askNow();
    },
    /** A question that is still open counts with its age. */
    lateness: (): number => Math.max(Math.min(...durations), Math.min(durations[1]!, age())),
  };
};

/**
 * Asks two questions. Whether the database is there is asked on the connection that nothing else waits for
 * (session.ts). How late it is, is asked on the pool that requests use, in the place of a transaction, since those wait
 * first. Where all connections are busy only the second question waits: requests are refused, and those in progress
 * continue.
 */
const watchDatabase = ({ sql, log }: PulseOptions, changed: (isAway: boolean) => void) => {
  let isAway = false;
  const become = (away: boolean): void => {
    if (away === isAway) return;
    isAway = away;
    if (away) log.error("the database does not answer: requests get 503 until it does");
    else log.info("the database answers again");
    changed(away);
  };
  const failed = (error: unknown): void => {
    if (faultOf(error) === "away") become(true);
    else log.warn({ err: error }, "the database cannot be asked whether it is well");
  };
  const own = watchAnswers(
    () => sessionOf(sql).sql.unsafe(PULSE_QUERY),
    (error) => (error === null ? become(false) : failed(error)),
  );
  const pool = watchAnswers(
    () => inPlaceOfTransaction(sql, () => sql.unsafe(PULSE_QUERY)),
    (error) => {
      if (error !== null) failed(error);
    },
  );
  return {
    look(): void {
      if (own.age() > AWAY_AFTER_MS) become(true);
      own.look();
      pool.look();
    },
    isAway: () => isAway,
    lateness: () => Math.max(own.lateness(), pool.lateness()),
  };
};

/**
 * Returns the mean delay of the event loop in each of the last two measurements, so that one long pause counts for
 * little.
 */
const watchLoop = () => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let means: number[] = [0, 0];
  return {
    start: () => void histogram.enable(),
    stop: () => void histogram.disable(),
    look(): void {
      const mean = histogram.count > 0 ? histogram.mean / 1e6 - RESOLUTION_MS : 0;
      means = [means[1]!, Math.max(0, mean)];
      histogram.reset();
    },
    lateness: () => Math.min(...means),
  };
};

const watchDisk = ({ dataDir, reserveBytes, log }: PulseOptions) => {
  let free: number | null = null;
  let warnedAt = -Infinity;
  const warn = (bytes: number): void => {
    const now = performance.now();
    if (bytes >= reserveBytes * DISK_WARN_AT || now - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now;
    const left = Math.round(bytes / MEGABYTE);
    const from = Math.round(reserveBytes / MEGABYTE);
    log.warn(
      `the disk is nearly full: ${left} MB are left, and from ${from} MB on nothing is accepted`,
    );
  };
  return {
    async look(): Promise<void> {
      try {
        const { bavail, bsize } = await statfs(dataDir);
        free = bavail * bsize;
        warn(free);
      } catch (error) {
        log.warn({ err: error }, "the disk of DATA_DIR cannot be looked at");
      }
    },
    free: () => free,
    isFull: () => free !== null && free < reserveBytes,
  };
};

export const createPulse = (options: PulseOptions): Pulse => {
  const listeners = new Set<() => void>();
  const database = watchDatabase(options, (isAway) => {
    if (isAway) for (const listener of listeners) listener();
  });
  const loop = watchLoop();
  const disk = watchDisk(options);
  let timer: NodeJS.Timeout | null = null;
  let looks = 0;
  let lookedAt = performance.now();
  const look = (): void => {
    const now = performance.now();
    // After a pause of this process, an answer may have arrived that it has not read yet.
    if (now - lookedAt < 2 * LOOK_MS) database.look();
    lookedAt = now;
    loop.look();
    if (looks++ % DISK_EVERY === 0) void disk.look();
  };
  return {
    start() {
      loop.start();
      timer ??= setInterval(look, LOOK_MS).unref();
      void disk.look();
    },
    stop() {
      loop.stop();
      if (timer) clearInterval(timer);
      timer = null;
    },
    fault: () => (database.isAway() ? "away" : disk.isFull() ? "full" : null),
    lateness: () => Math.max(database.lateness(), loop.lateness()),
    diskFree: disk.free,
    onAway(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
