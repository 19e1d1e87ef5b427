// Finds transactions that run a statement outside of themselves, on another connection of their pool. That connection
// may wait for a row of theirs: a deadlock that PostgreSQL cannot detect (docs/design/database.md).

import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "../src/platform/db/index.ts";

/** A query of postgres.js: `handler` is the pool's own, or that of one transaction. */
type Query = {
  handler: object;
  executed: boolean;
  strings: readonly string[];
  origin: string;
  handle(): unknown;
};
type Transaction = { pool: object; isOpen: boolean; begun: Error | null };

const NONE: Transaction = { pool: {}, isOpen: false, begun: null };
const current = new AsyncLocalStorage<Transaction>();
/** Faults found, by pool. */
const found = new WeakMap<object, string[]>();
const patched = new WeakSet<object>();

const ROOT = new URL("../", import.meta.url).pathname;

/** Returns the lines of a stack that are in our code. */
const placesOf = (stack: string): string =>
  stack
    .split("\n")
    .filter(
      (line) => line.includes(ROOT) && !/node_modules|\/platform\/db\/|outside\.ts/.test(line),
    )
    .slice(0, 3)
    .map((line) => line.trim().replace(ROOT, ""))
    .join(" ");

/** `say`: the statement, and the stack of who asked, which only a fault is worth writing out. */
const note = (pool: object, say: () => { what: string; stack: string }): void => {
  const transaction = current.getStore();
  if (!transaction?.isOpen || transaction.pool !== pool) return;
  const { what, stack } = say();
  const text = what.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  found
    .get(pool)!
    .push(`${text}\n    ${placesOf(stack)}\n    in ${placesOf(transaction.begun!.stack!)}`);
};

/** Patches `handle`, with which all statements of the driver begin. */
const patch = (query: Query): void => {
  const prototype = Object.getPrototypeOf(query) as Query;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { handle } = prototype;
  prototype.handle = function (this: Query) {
    if (!this.executed && found.has(this.handler))
      note(this.handler, () => ({ what: this.strings.join("$"), stack: this.origin }));
    return handle.call(this);
  };
};

const watchBegin = (sql: Sql, pool: object): void => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const watched = (...args: unknown[]): Promise<unknown> => {
    const begun = new Error();
    note(pool, () => ({ what: "BEGIN", stack: begun.stack! }));
    const work = args.pop() as (tx: unknown) => unknown;
    return begin(...args, async (tx: unknown) => {
      const transaction = { pool, isOpen: true, begun };
      try {
        return await current.run(transaction, async () => work(tx));
      } finally {
        transaction.isOpen = false;
      }
    });
  };
  sql.begin = watched as typeof sql.begin;
};

/** Starts to watch the pool; the result throws for what was found since it was called last. */
export const watchOutside = (sql: Sql): (() => void) => {
  // This query is never awaited, so it is never sent.
  const query = sql`SELECT 1` as unknown as Query;
  const faults: string[] = [];
  found.set(query.handler, faults);
  patch(query);
  watchBegin(sql, query.handler);
  return () => {
    const texts = [...new Set(faults.splice(0))].slice(0, 20);
    if (texts.length === 0) return;
    throw new Error(
      `A transaction waits for a statement outside of itself: give it the transaction, or ask before it begins.\n  ${texts.join("\n  ")}`,
    );
  };
};

/** Runs what a test does in this way on purpose. */
export const unwatched = <T>(work: () => Promise<T>): Promise<T> => current.run(NONE, work);
