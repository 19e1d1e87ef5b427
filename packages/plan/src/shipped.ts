// Figures of a whole run of the benchmark (`npm run bench -- --json FILE`), for plans without figures of their own.

/** A row of the benchmark. */
export type Figure = {
  name: string;
  value: number;
  p50_ms: number | null;
  p99_ms: number | null;
  /** Milliseconds of CPU of an operation. */
  node_ms: number | null;
  postgres_ms: number | null;
};

const row = (
  name: string,
  value: number,
  cost: [node: number, postgres: number] | null = null,
  latency: [p50: number, p99: number] | null = null,
): Figure => ({
  name,
  value,
  p50_ms: latency?.[0] ?? null,
  p99_ms: latency?.[1] ?? null,
  node_ms: cost?.[0] ?? null,
  postgres_ms: cost?.[1] ?? null,
});

export const SHIPPED: readonly Figure[] = [
  row("idle_memory_postgres", 45.4),
  row("post", 435, [1.46, 0.83], [13, 58.9]),
  row("inbox", 433, [1.55, 0.76], [15.7, 141]),
  row("delivery", 962, [0.95, 0.09]),
  row("stream_socket", 3.02),
  row("stream", 32_051, [0.029, 0.002]),
  row("mix_reads", 1122, [0.71, 0.18], [4.91, 40.8]),
  row("mix_reads_alone", 1122, [0.71, 0.18], [0.8, 4]),
  row("mix", 383, [1.8, 0.81], [11, 75.2]),
  row("mix_memory", 459),
];
