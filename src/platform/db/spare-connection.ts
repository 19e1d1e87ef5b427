// A transaction may have to wait for a statement that runs outside of it, as one that reads a value for all. If
// transactions had every connection of the pool, and each waited so, none of them would ever end: one connection is
// left to statements outside of transactions (docs/decisions/0203-a-spare-connection.md).

import type { Sql } from "./types.ts";

/** Begins a transaction when fewer than `max` less one are open; the others wait in the order in which they came. */
export const spareConnection = (sql: Sql, max: number): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const waiting: (() => void)[] = [];
  let places = Math.max(1, max - 1);
  const enter = async (): Promise<void> => {
    if (places > 0) places -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** Its place is passed on to the next. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else places += 1;
  };
  const bounded = async (...args: unknown[]): Promise<unknown> => {
    await enter();
    try {
      return await begin(...args);
    } finally {
      leave();
    }
  };
  sql.begin = bounded as typeof sql.begin;
  return sql;
};
