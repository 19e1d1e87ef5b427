// The connections of graphile-worker, which has its own driver. It would open a pool for each of its workers, and would
// still be closing it when they have stopped (docs/decisions/0067-the-queues-migrations.md).

import { Pool } from "pg";

/** What fails in a statement is thrown by it; a connection that ends while nobody uses it has left the pool. */
const ignore = (): void => undefined;

/** At most `max` connections; whoever opens it awaits `end()`. */
export const openQueuePool = (url: string, max: number): Pool => {
  const pool = new Pool({ connectionString: url, max });
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
};
