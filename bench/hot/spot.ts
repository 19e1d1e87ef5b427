// The types of hot spots, and what they share: one account, post, thread or server causes a thousand times the usual
// work, while everybody else goes on.

import { quantile } from "#plan";
import type { Bench } from "../scenarios/scenario.ts";
import type { Everybody, Others } from "./others.ts";

/** Milliseconds that everybody else may wait, at the 99th percentile. */
export const OTHERS_MS = 50;

/** `most` is the bound, or null where the figure is for information. */
export type Figure = { what: string; value: number; unit: string; most: number | null };

export type Spot = {
  name: string;
  /** Prepares the data; not measured. */
  prepare?(bench: Bench): Promise<void>;
  /**
   * Environment of the server that is started after that: its caches do not know what was written directly into the
   * database. Null where the one before goes on.
   */
  restart: Record<string, string> | null;
  /** Brings the started server into the state to be measured. */
  warm?(bench: Bench): Promise<void>;
  /** Runs the hot spot while the waiting of those who read is measured; `readers` measures parts of it. */
  run(bench: Bench, readers: Others, everybody: Everybody): Promise<Figure[]>;
};

export type SpotResult = Figure & { spot: string; met: boolean | null };

export const resultOf = (spot: string, figure: Figure): SpotResult => ({
  spot,
  ...figure,
  met: figure.most === null ? null : figure.value <= figure.most,
});

export const p99 = (what: string, times: number[], most: number | null): Figure => ({
  what,
  value: quantile(times, 0.99),
  unit: "ms",
  most,
});

/** Sends a request that has to succeed; returns the milliseconds and the JSON. */
export const timed = async (
  bench: Bench,
  method: string,
  path: string,
  token: string,
  json?: unknown,
): Promise<{ ms: number; json: any }> => {
  const began = performance.now();
  const response = await fetch(`http://${bench.world.host}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { "content-type": "application/json" }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const ms = performance.now() - began;
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return { ms, json: text.startsWith("<") ? null : JSON.parse(text) };
};
