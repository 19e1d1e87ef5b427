// Helpers of the attacks: sending, watching, waiting.

import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, requestBytes } from "../load.ts";
import type { Server } from "../server.ts";
import { tokenOf } from "../world.ts";
import type { World } from "../world.ts";
import type { Stage } from "./attack.ts";

export type Answer = { status: number; body: Buffer; ms: number };

/** Sends a request on a connection of its own; status 0 means that there was no answer. */
export const send = async (port: number, bytes: Buffer): Promise<Answer> => {
  const began = performance.now();
  const done = (status: number, body: Buffer): Answer => ({
    status,
    body,
    ms: performance.now() - began,
  });
  try {
    const connection = await openConnection(port);
    try {
      const { status, body } = await connection.ask(bytes);
      return done(status, body);
    } finally {
      connection.close();
    }
  } catch {
    return done(0, Buffer.alloc(0));
  }
};

/** Milliseconds until the next attempt of a sender that ignores Retry-After. */
const AGAIN_MS = 500;

/** Sends all requests, `atOnce` at a time; returns the statuses. */
export const sendAll = async (
  port: number,
  requests: (() => Buffer)[],
  atOnce: number,
  isDone: (status: number) => boolean = () => true,
): Promise<number[]> => {
  const statuses: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) {
      const bytes = requests[next++]!();
      let { status } = await send(port, bytes);
      while (!isDone(status)) {
        await sleep(AGAIN_MS);
        ({ status } = await send(port, bytes));
      }
      statuses.push(status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return statuses;
};

export const statusCounts = (statuses: number[]): string =>
  [...new Set(statuses)]
    .toSorted()
    .map((status) => `${statuses.filter((other) => other === status).length} × ${status}`)
    .join(", ");

/** Sends a request of local person `person`, or of nobody for null. */
export const ask = (
  { world, server }: { world: World; server: Server },
  person: number | null,
  path: string,
  json?: unknown,
): Promise<Answer> =>
  send(
    server.port,
    requestBytes(json === undefined ? "GET" : "POST", path, {
      host: world.host,
      ...(person !== null && { token: tokenOf(person) }),
      ...(json !== undefined && { json }),
    }),
  );

/** Returns the milliseconds until the condition holds; Infinity after `seconds`. */
export const timeUntil = async (
  isSo: () => Promise<boolean> | boolean,
  seconds: number,
): Promise<number> => {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > seconds * 1000) return Infinity;
    await sleep(20);
  }
  return performance.now() - began;
};

const SAMPLE_MS = 150;

/** Watches by how many MB the server's own process (without PostgreSQL) grows. */
export const watchMemory = ({ server }: Stage) => {
  const now = () => server.memory().node;
  const first = now();
  let peak = first;
  const timer = setInterval(() => (peak = Math.max(peak, now())), SAMPLE_MS);
  return {
    first,
    growth: () => now() - first,
    /** Returns the greatest growth so far; ends the watch. */
    peak(): number {
      clearInterval(timer);
      return Math.max(peak, now()) - first;
    },
  };
};

/** Measures the slowest answer of /health in milliseconds until it is stopped; none within 10 s counts as Infinity. */
export const watchHealth = ({ world, server }: Stage) => {
  let slowest = 0;
  const stop = new AbortController();
  const bytes = requestBytes("GET", "/health", { host: world.host });
  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const { status, ms } = await send(server.port, bytes);
      slowest = Math.max(slowest, status === 200 ? ms : Infinity);
      await sleep(100);
    }
  };
  const watching = watch();
  return async (): Promise<number> => {
    stop.abort();
    await watching;
    return slowest;
  };
};

export const medianOf = async (count: number, work: () => Promise<number>): Promise<number> => {
  const values: number[] = [];
  for (let n = 0; n < count; n++) values.push(await work());
  return values.toSorted((a, b) => a - b)[count >> 1]!;
};
