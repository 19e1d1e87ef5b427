// A circuit breaker for each host, so that one that is down or slow does not hold up the others. A few
// deliveries to a host run at once; after repeated failures there are none for a while, then one at a
// time as a probe. Failures are stored in remote_hosts; the rest is the state of this process.

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import { addHostFailure, claimProbe, deleteHost, selectHost } from "./queries.ts";

/** Failures in a row after which the circuit opens: no deliveries to the host for a while. */
export const OPEN_AFTER = 5;
const MAX_IN_FLIGHT = 4;
/** How many may wait in this process for a place, and how long, before they go back to the queue. */
const MAX_WAITING = 24;
const MAX_WAIT_MS = 1000;
/** A probe that never ended (a killed process) stops counting after this. */
const PROBE_MS = 30_000;
/** Rows are read again after this, since other processes write them. */
const FRESH_MS = 30_000;

type HostState = {
  failures: number;
  retryAt: number;
  readAt: number;
  /** The host asked for a pause (429 with Retry-After). */
  pausedUntil: number;
  started: number[];
  waiting: (() => void)[];
  /** Moving mean of how long an answer takes. */
  latencyMs: number;
  nextSlot: number;
};

export type Outcome = "up" | "down";

/** Either a place (to be given back with `leave`, once), or the time to come again. */
export type Turn =
  | { go: true; leave: (outcome: Outcome) => Promise<void>; pause: (until: Date) => void }
  | { go: false; until: Date; failing: boolean };

/** Bytes of a host for which nothing runs or waits. */
const HOST_BYTES = 500;

/** By name; the least recently used are dropped first. This is state, not a cache: it has no time to live. */
const hostsOf = perApp("hosts", (app) => {
  const max = Math.floor(app.caches.budget("hosts") / HOST_BYTES);
  const hosts = new LRUCache<string, HostState>({ max });
  return { hosts, entries: () => hosts.size, bytes: () => hosts.size * HOST_BYTES };
});

const stateOf = (app: App, host: string): HostState => {
  const { hosts } = hostsOf(app);
  const present = hosts.get(host);
  if (present) return present;
  const state: HostState = {
    failures: 0,
    retryAt: 0,
    readAt: -Infinity,
    pausedUntil: 0,
    started: [],
    waiting: [],
    latencyMs: 100,
    nextSlot: 0,
  };
  hosts.set(host, state);
  return state;
};

const refresh = async (app: App, host: string, state: HostState, now: number): Promise<void> => {
  if (now - state.readAt < FRESH_MS) return;
  state.readAt = now;
  const row = await selectHost(app.sql, host);
  state.failures = row?.failures ?? 0;
  state.retryAt = row?.retry_at?.getTime() ?? 0;
};

/** When the host may be tried again; null: now. Claims the probe if no other process has it. */
const closedUntil = async (app: App, host: string, state: HostState): Promise<number | null> => {
  const now = app.clock.now().getTime();
  await refresh(app, host, state, now);
  if (state.pausedUntil > now) return state.pausedUntil;
  if (state.failures < OPEN_AFTER) return null;
  if (state.retryAt > now) return state.retryAt;
  const until = now + PROBE_MS;
  const claimed = await claimProbe(app.sql, host, new Date(now), new Date(until));
  state.retryAt = until;
  return claimed ? null : until;
};

const placesOf = (state: HostState) => (state.failures > 0 ? 1 : MAX_IN_FLIGHT);

/** Milliseconds until one of the places is likely to be free. */
const paceOf = (state: HostState): number => {
  const oldest = performance.now() - Math.min(...state.started);
  return Math.min(2500, Math.max(5, Math.max(state.latencyMs, oldest) / placesOf(state)));
};

const mayWait = (state: HostState): boolean =>
  state.failures === 0 &&
  state.waiting.length < MAX_WAITING &&
  (state.waiting.length + 1) * paceOf(state) < MAX_WAIT_MS;

/** A different time for each delivery that goes back to the queue, at the pace of the host's answers. */
const nextSlot = (app: App, state: HostState): Date => {
  const now = app.clock.now().getTime();
  state.nextSlot = Math.max(now + MAX_WAIT_MS, state.nextSlot) + paceOf(state);
  return new Date(state.nextSlot);
};

const wake = (state: HostState, count: number): void => {
  for (const resume of state.waiting.splice(0, count)) resume();
};

const settle = async (app: App, host: string, state: HostState, outcome: Outcome) => {
  const wasFailing = state.failures > 0;
  if (outcome === "up") {
    Object.assign(state, { failures: 0, retryAt: 0 });
    if (wasFailing) await deleteHost(app.sql, host);
    return;
  }
  const row = await addHostFailure(app.sql, host, OPEN_AFTER, app.clock.now());
  state.failures = row.failures;
  state.retryAt = row.retry_at?.getTime() ?? 0;
  if (row.failures === OPEN_AFTER)
    app.log.warn({ host }, "host does not answer, deliveries paused");
};

const take = (app: App, host: string, state: HostState): Turn => {
  const startedAt = performance.now();
  state.started.push(startedAt);
  return {
    go: true,
    async leave(outcome) {
      state.started.splice(state.started.indexOf(startedAt), 1);
      state.latencyMs += (performance.now() - startedAt - state.latencyMs) / 8;
      try {
        await settle(app, host, state, outcome);
      } finally {
        wake(state, outcome === "up" ? 1 : state.waiting.length);
      }
    },
    pause(until) {
      state.pausedUntil = until.getTime();
    },
  };
};

/** Gets a place at the host, or the time to come again. */
export const enterHost = async (app: App, host: string): Promise<Turn> => {
  const state = stateOf(app, host);
  for (;;) {
    const closed = await closedUntil(app, host, state);
    if (closed !== null) return { go: false, until: new Date(closed), failing: true };
    if (state.started.length < placesOf(state)) return take(app, host, state);
    if (!mayWait(state)) return { go: false, until: nextSlot(app, state), failing: false };
    await new Promise<void>((resolve) => state.waiting.push(resolve));
  }
};
