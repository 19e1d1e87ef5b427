// Keeps the caches of several processes right (docs/decisions/0037-caches-of-several-processes.md): what one process
// invalidates is told to the others by Valkey, in numbered messages, and through the database while Valkey is away. A
// request waits until its process has heard of all that was told before it came.

import type { App } from "../app.ts";
import { notifyInvalidated } from "../db/invalidate-others.ts";
import { onShare, receiveInvalidations } from "../db/invalidate.ts";
import type { CacheKey } from "../db/invalidate.ts";
import type { Connection } from "./connection.ts";

/** A message that takes longer than this is not waited for: the caches are emptied instead. */
const PATIENCE_MS = 250;
/** How old what is cached may be while nothing is heard. */
const DEAF_MS = 1000;

/** The number of the message, who tells it, and the keys, a line each. */
const TELL = `
local number = redis.call('INCR', KEYS[1])
redis.call('PUBLISH', ARGV[1], number .. '\\n' .. ARGV[2])
return number`;

type Commands = { rookeryTell(key: string, channel: string, text: string): Promise<number> };

type Waiting = { number: number; resolve: () => void };

export type CacheSync = {
  /** What others have told so far is invalidated here. */
  caughtUp(): Promise<void>;
  /** What this process has invalidated so far is told to the others. */
  told(): Promise<void>;
  close(): void;
};

class Sync implements CacheSync {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #commands: Commands;
  readonly #numbers: string;
  readonly #channel: string;
  /** The number of the last message that was heard; null: nothing is heard now. */
  #heard: number | null = null;
  #waiting: Waiting[] = [];
  /** To be told together in a moment. */
  #keys = new Set<CacheKey>();
  #telling: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(app: App, connection: Connection) {
    this.#app = app;
    this.#connection = connection;
    this.#numbers = `${connection.prefix}invalidations`;
    this.#channel = `${connection.prefix}invalidated`;
    connection.redis.defineCommand("rookeryTell", { lua: TELL, numberOfKeys: 1 });
    this.#commands = connection.redis as unknown as Commands;
    connection.subscriber.on("message", (channel, text) => {
      if (channel === this.#channel) this.#hear(text);
    });
    connection.watchSubscriber(
      () => void this.#listen(),
      () => this.#becomeDeaf(),
    );
    this.#timer = setInterval(() => {
      if (this.#heard === null) app.caches.clear();
    }, DEAF_MS).unref();
    onShare(app.sql, (keys) => this.#share(keys));
  }

  async caughtUp(): Promise<void> {
    const number = await this.#connection.redis.get(this.#numbers).then(Number, () => null);
    // Not connected: the caches are emptied all the time.
    if (number === null || this.#heard === null || number <= this.#heard) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ number, resolve });
    const timer = setTimeout(() => this.#miss(number), PATIENCE_MS);
    await promise;
    clearTimeout(timer);
  }

  async told(): Promise<void> {
    await this.#telling;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #share(keys: ReadonlySet<CacheKey>): void {
    const isFirst = this.#keys.size === 0;
    for (const key of keys) this.#keys.add(key);
    if (!isFirst || this.#keys.size === 0) return;
    // After all that is committed in this turn.
    const tell = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#tell();
    };
    this.#telling = Promise.all([this.#telling, tell()]).then(() => {});
  }

  async #tell(): Promise<void> {
    const keys = [...this.#keys];
    this.#keys.clear();
    const text = [this.#app.process.id, ...keys].join("\n");
    try {
      await this.#commands.rookeryTell(this.#numbers, this.#channel, text);
    } catch {
      await notifyInvalidated(this.#app, keys).catch((error: unknown) =>
        this.#app.log.warn({ err: error }, "other processes are not told what has changed"),
      );
    }
  }

  #hear(text: string): void {
    const [number = "", process = "", ...keys] = text.split("\n");
    const heard = Number(number);
    const before = this.#heard;
    if (before !== null && heard !== before && heard !== before + 1) this.#app.caches.clear();
    if (process !== this.#app.process.id) {
      receiveInvalidations(this.#app.sql, keys as CacheKey[]);
    }
    if (before !== null) this.#advance(heard);
  }

  /** Subscribed, perhaps again: what was told meanwhile is not known, so nothing cached is kept. */
  async #listen(): Promise<void> {
    try {
      await this.#connection.subscriber.subscribe(this.#channel);
      const number = await this.#readNumber();
      this.#app.caches.clear();
      this.#advance(number);
    } catch {
      // It is connected again soon.
    }
  }

  /** The other connection may be a moment later. */
  async #readNumber(): Promise<number> {
    for (;;) {
      const number = await this.#connection.redis.get(this.#numbers).catch(() => undefined);
      if (number !== undefined) return Number(number);
      if (this.#connection.subscriber.status !== "ready") throw new Error("Valkey is away");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #becomeDeaf(): void {
    this.#heard = null;
    this.#app.caches.clear();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #advance(number: number): void {
    this.#heard = number;
    const [ready, waiting] = [[] as Waiting[], [] as Waiting[]];
    for (const one of this.#waiting) (one.number <= number ? ready : waiting).push(one);
    this.#waiting = waiting;
    for (const { resolve } of ready) resolve();
  }

  /** With empty caches it is as if all had been heard. */
  #miss(number: number): void {
    this.#app.caches.clear();
    if (this.#heard !== null) this.#advance(Math.max(number, this.#heard));
  }
}

export const createCacheSync = (app: App, connection: Connection): CacheSync =>
  new Sync(app, connection);
