// A span for each statement, with its text and never its values.

import type { Sql } from "./index.ts";
import type { Tracing } from "../tracing/index.ts";

type Query = Promise<unknown> & {
  executed: boolean;
  handle(): unknown;
  statement?: { string?: string } | null;
};

const NAME = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/s;

const patched = new WeakSet<object>();
let current: Tracing | null = null;

/**
 * All statements of the driver: its queries say neither when they begin nor when they end, but they are promises that
 * begin with `handle`.
 */
export const traceQueries = (sql: Sql, tracing: Tracing): void => {
  current = tracing;
  // Never asked for, so it is never sent.
  const prototype = Object.getPrototypeOf(sql`SELECT 1`) as Query;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { handle } = prototype;
  prototype.handle = function (this: Query) {
    const span = this.executed ? null : current?.startWithin("query", { kind: "client" });
    if (!span) return handle.call(this);
    const end = (error?: unknown) => {
      const text = this.statement?.string ?? "";
      span.name(NAME.exec(text)?.[1]?.toUpperCase() ?? "query");
      span.set({ "db.system.name": "postgresql", "db.query.text": text });
      span.end(error);
    };
    const result = handle.call(this);
    Promise.prototype.then.call(this, () => end(), end);
    return result;
  };
};

/** After the traces were closed. */
export const stopTracingQueries = (): void => {
  current = null;
};
