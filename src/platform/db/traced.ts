// Traces each statement: a span with its text, but never its values, and its duration.

import type { Sql } from "./index.ts";
import type { Histogram } from "../metrics/index.ts";
import type { OpenSpan, Tracing } from "../tracing/index.ts";

type Query = Promise<unknown> & {
  executed: boolean;
  handle(): unknown;
  statement?: { string?: string } | null;
};

const NAME = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/s;

/**
 * The tracer gets the spans of statements, the meter their durations. A process has one App, except in tests, where the
 * last one counts.
 */
type Watch = { tracing: Tracing | null; meter: Histogram | null };

const patched = new WeakSet<object>();
let current: Watch = { tracing: null, meter: null };

const finish = (
  query: Query,
  span: OpenSpan | null | undefined,
  began: number,
  error?: unknown,
) => {
  const text = query.statement?.string ?? "";
  const name = NAME.exec(text)?.[1]?.toUpperCase() ?? "query";
  const seconds = (performance.now() - began) / 1000;
  current.meter?.observe([name, error === undefined ? "done" : "failed"], seconds);
  if (!span) return;
  span.name(name);
  span.set({ "db.system.name": "postgresql", "db.query.text": text });
  span.end(error);
};

/**
 * Watches all statements of the driver: its queries say neither when they begin nor when they end, but they are
 * promises that begin with `handle`.
 */
export const watchQueries = (sql: Sql, watch: Watch): void => {
  current = watch;
  // This query is never awaited, so it is never sent.
  const prototype = Object.getPrototypeOf(sql`SELECT 1`) as Query;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { handle } = prototype;
  prototype.handle = function (this: Query) {
    if (this.executed) return handle.call(this);
    const span = current.tracing?.startWithin("query", { kind: "client" });
    if (!span && !current.meter) return handle.call(this);
    const began = performance.now();
    const end = (error?: unknown) => finish(this, span, began, error);
    const result = handle.call(this);
    Promise.prototype.then.call(this, () => end(), end);
    return result;
  };
};

/** Stops after the traces were closed. */
export const stopTracingQueries = (): void => {
  current = { ...current, tracing: null };
};
