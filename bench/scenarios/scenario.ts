// The types of scenarios, and what they share.

import type { Floor } from "../floors/process.ts";
import { quantile } from "#plan";
import type { Cpu } from "../measure.ts";
import type { Receivers } from "../receivers.ts";
import type { Server } from "../server.ts";
import type { World } from "../world.ts";

/** A lower or an upper bound; `ratio` is the figure divided by its floor. */
export type Aim = {
  of: "ratio" | "value";
  least?: number;
  most?: number;
  /** SQL statements that one request may send. */
  queries?: number;
};

/** A line of the table; a scenario may have several. */
export type Row = { name: string; unit: string; aim: Aim | null };

export type Sample = {
  value: number;
  p50?: number;
  p99?: number;
  cpu?: CpuOfOne;
  /**
   * The median of the ratios of server and floor, where the two are measured in turn. Without it the ratio is the
   * figure divided by the floor.
   */
  ratio?: number;
};
/** Milliseconds of CPU of one operation, in node, in PostgreSQL and in Valkey. */
export type CpuOfOne = { node: number; postgres: number; valkey: number };
export type Samples = Record<string, Sample>;

export type Scenario = {
  name: string;
  rows: Row[];
  /** True when it restarts or stops the server, so that its rounds run before all others and not between them. */
  alone?: boolean;
  /** True when it leaves work behind (deliveries to hosts that do not exist), so that it runs after all others. */
  last?: boolean;
  /** Brings the server into the state to be measured, and checks its answers. */
  prepare?(): Promise<void>;
  run(round: number): Promise<Samples>;
  floor?(round: number): Promise<Record<string, number>>;
  /** Returns the SQL statements of one request, by row. */
  queries?(): Promise<Record<string, number>>;
};

/** The objects that all scenarios share; `server` changes when it is restarted. */
export type Bench = {
  world: World;
  server: Server;
  receivers: Receivers;
  /** The static fastify. */
  still: Floor;
  /** Seconds of one measurement. */
  seconds: number;
  /** Minutes that the mix continues after it was measured; 0 for none. */
  minutes: number;
  /** Tells whoever runs the benchmark what no row has. */
  say(text: string): void;
  /** Stops the server, if it runs, and starts it again; `env` holds until the next start. */
  restart(env?: Record<string, string>): Promise<void>;
};

/** Returns the sample of `count` operations that took this CPU; `times` are latencies in milliseconds. */
export const perCoreSecond = (count: number, cpu: Cpu, times: number[]): Sample => ({
  value: count / cpu.total,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  cpu: {
    node: (cpu.node * 1000) / count,
    postgres: (cpu.postgres * 1000) / count,
    valkey: (cpu.valkey * 1000) / count,
  },
});

/** Returns the sample of a latency: its value is the 99th percentile. */
export const slowest = (times: number[]): Sample => {
  const p99 = quantile(times, 0.99);
  return { value: p99, p50: quantile(times, 0.5), p99 };
};

/** Connections of the load, and concurrency of the floors. */
export const CONNECTIONS = 8;
