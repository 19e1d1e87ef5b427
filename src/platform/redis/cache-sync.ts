// Keeps the caches of several processes consistent (docs/design/several-processes.md): what one process invalidates is
// published to the others through Valkey, in numbered messages, and through the database while Valkey is away. A
// request waits until its process has received everything that was published before it came.

import { setImmediate as endOfTurn } from "node:timers/promises";
import type { App, CacheSync } from "../app.ts";
import { notifyInvalidated } from "../db/invalidate-others.ts";
import { onShare, receiveInvalidations } from "../db/commits.ts";
import type { CacheKey } from "../db/commits.ts";
import { wakeAfterMissing } from "../wake.ts";
import type { Connection } from "./connection.ts";

/** Milliseconds to wait for a message; after that the caches are emptied instead. */
const PATIENCE_MS = 250;
/** Milliseconds that cached values may be old while nothing is received. */
const DISCONNECTED_MS = 1000;
/** Events of other processes that are remembered; a worker that is further behind reads from the database. */
const MAX_EVENTS = 10_000;
/** Missing messages in a row after which the node counts as cut off from the others. */
const DEAF_AFTER = 3;
/** Prefix of an event's id in a message. */
const EVENT = "event:";

/** Publishes a message: its number, the publisher, and the keys, one a line. */
const PUBLISH = `
local number = redis.call('INCR', KEYS[1])
redis.call('PUBLISH', ARGV[1], number .. '\\n' .. ARGV[2])
return number`;

type Commands = { rookeryPublish(key: string, channel: string, text: string): Promise<number> };

type Waiting = { number: number; resolve: () => void };

class Sync implements CacheSync {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #commands: Commands;
  readonly #numbers: string;
  readonly #channel: string;
  /** Number of the last message received; null while nothing is received. */
  #received: number | null = null;
  #waiting: Waiting[] = [];
  /** Keys that are published together in a moment. */
  #keys = new Set<CacheKey>();
  #written: string[] = [];
  /** Events of other processes, the oldest first. */
  readonly #events = new Set<string>();
  #publishing: Promise<void> = Promise.resolve();
  /** The question that is being answered, and the one that is asked after it. */
  #asking: Promise<number | null> | null = null;
  #toAsk: Promise<number | null> | null = null;
  readonly #timer: NodeJS.Timeout;
  /** Messages that were not received in time, since the last one that was. */
  #missed = 0;

  constructor(app: App, connection: Connection) {
    this.#app = app;
    this.#connection = connection;
    this.#numbers = `${connection.prefix}invalidations`;
    this.#channel = `${connection.prefix}invalidated`;
    connection.redis.defineCommand("rookeryPublish", { lua: PUBLISH, numberOfKeys: 1 });
    this.#commands = connection.redis as unknown as Commands;
    connection.subscriber.on("message", (channel, text) => {
      if (channel === this.#channel) this.#receive(text);
    });
    connection.watchSubscriber(
      () => void this.#listen(),
      () => this.#disconnected(),
    );
    this.#timer = setInterval(() => {
      if (this.#received === null) this.#forget();
    }, DISCONNECTED_MS).unref();
    onShare(app.sql, (keys) => this.#share(keys));
  }

  async caughtUp(): Promise<boolean> {
    const number = await this.#lastNumber();
    // While not connected, the caches are emptied all the time.
    if (number === null || this.#received === null) return false;
    if (number <= this.#received) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ number, resolve });
    const timer = setTimeout(() => this.#miss(number), PATIENCE_MS);
    await promise;
    clearTimeout(timer);
    return true;
  }

  async published(): Promise<void> {
    await this.#publishing;
  }

  wrote(eventIds: string[]): void {
    this.#written.push(...eventIds);
  }

  hasReceived(eventIds: string[]): boolean {
    // Every id is deleted: `every` would stop at the first missing one.
    return eventIds.filter((id) => !this.#events.delete(id)).length === 0;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #share(keys: ReadonlySet<CacheKey>): void {
    const isFirst = this.#keys.size === 0;
    for (const key of keys) this.#keys.add(key);
    if (!isFirst || this.#keys.size === 0) return;
    // This publishes after everything that is committed in this turn.
    const publish = async (): Promise<void> => {
      await endOfTurn();
      await this.#publish();
    };
    this.#publishing = Promise.all([this.#publishing, publish()]).then(() => {});
  }

  async #publish(): Promise<void> {
    const keys = [...this.#keys];
    this.#keys.clear();
    const events = this.#written.splice(0).map((id) => EVENT + id);
    const text = [this.#app.process.id, ...keys, ...events].join("\n");
    try {
      await this.#commands.rookeryPublish(this.#numbers, this.#channel, text);
    } catch {
      await notifyInvalidated(this.#app, keys).catch((error: unknown) =>
        this.#app.log.warn({ err: error }, "other processes do not get what was invalidated"),
      );
    }
  }

  #receive(text: string): void {
    const [number = "", process = "", ...lines] = text.split("\n");
    const received = Number(number);
    this.#connection.received.invalidations += 1;
    this.#missed = 0;
    const before = this.#received;
    if (before !== null && received !== before && received !== before + 1) this.#forget();
    if (process !== this.#app.process.id) {
      const { keys = [], events = [] } = Object.groupBy(lines, (line) =>
        line.startsWith(EVENT) ? "events" : "keys",
      );
      receiveInvalidations(this.#app.sql, keys as CacheKey[]);
      for (const event of events) this.#remember(event.slice(EVENT.length));
    }
    if (before !== null) this.#advance(received);
  }

  #remember(eventId: string): void {
    this.#events.add(eventId);
    if (this.#events.size > MAX_EVENTS) this.#events.delete(this.#events.values().next().value!);
  }

  /**
   * Reads the number of the last message as of now: calls made while the question is being answered share the next
   * question.
   */
  #lastNumber(): Promise<number | null> {
    this.#toAsk ??= this.#askNext();
    return this.#toAsk;
  }

  async #askNext(): Promise<number | null> {
    await this.#asking;
    await endOfTurn();
    this.#asking = this.#connection.redis.get(this.#numbers).then(Number, () => null);
    this.#toAsk = null;
    return this.#asking;
  }

  /** Messages were missed, so all cached values are dropped, and workers look for work. */
  #forget(): void {
    this.#app.caches.clear();
    wakeAfterMissing(this.#app);
  }

  /** Handles a new subscription. What was published before it is not known, so all cached values are dropped. */
  async #listen(): Promise<void> {
    try {
      await this.#connection.subscriber.subscribe(this.#channel);
      const number = await this.#readNumber();
      this.#forget();
      this.#advance(number);
    } catch {
      // The connection is made again soon.
    }
  }

  /** The connection for commands may be ready a moment later than the subscriber. */
  async #readNumber(): Promise<number> {
    for (;;) {
      const number = await this.#connection.redis.get(this.#numbers).catch(() => undefined);
      if (number !== undefined) return Number(number);
      if (this.#connection.subscriber.status !== "ready") throw new Error("Valkey is away");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #disconnected(): void {
    this.#received = null;
    this.#forget();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #advance(number: number): void {
    this.#received = number;
    const ready = this.#waiting.filter((reader) => reader.number <= number);
    this.#waiting = this.#waiting.filter((reader) => reader.number > number);
    for (const { resolve } of ready) resolve();
  }

  /** Counts everything as received up to `number`, which emptied caches allow. */
  #miss(number: number): void {
    this.#forget();
    if (this.#received !== null) this.#advance(Math.max(number, this.#received));
    if (++this.#missed % DEAF_AFTER === 0) this.#connection.listenElsewhere();
  }
}

export const createCacheSync = (app: App, connection: Connection): CacheSync =>
  new Sync(app, connection);
