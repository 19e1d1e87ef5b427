// The pool behind Debian's PgBouncer in transaction mode, where each transaction may have another connection.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startPgBouncer, withoutPgBouncer } from "../../../test/pgbouncer.ts";
import { afterCommit, invalidate, onInvalidate } from "./commits.ts";
import { connect, within } from "./index.ts";
import type { Sql } from "./index.ts";

describe("behind PgBouncer", { skip: withoutPgBouncer }, () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let sql: Sql;

  before(async () => {
    database = await cloneDatabase();
    pooler = await startPgBouncer(database.url, 3);
    sql = connect(pooler.url, { max: 12, application: "tests", direct: database.url });
  });
  after(async () => {
    await sql?.end();
    await pooler?.close();
    await database?.drop();
  });

  test("many at once share few connections, with the same statements again and again", async () => {
    const pids = new Set<number>();
    const ask = async (n: number): Promise<void> => {
      const [row] = await sql<{ n: number; pid: number; zone: string }[]>`
        SELECT ${n}::int AS n, pg_backend_pid() AS pid, current_setting('TimeZone') AS zone`;
      assert.deepEqual([row!.n, row!.zone], [n, "UTC"]);
      pids.add(row!.pid);
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n)));
    assert.ok(pids.size <= 3);
  });

  test("transactions, their hooks and their invalidations are as ever", async () => {
    const seen: string[] = [];
    onInvalidate(sql, (keys) => seen.push(...keys));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        sql.begin(async (tx) => {
          await tx`INSERT INTO workers (id, expires_at) VALUES (gen_random_uuid(), now())`;
          const [row] = await tx<{ n: number }[]>`SELECT ${n}::int AS n`;
          invalidate(tx, `status:${row!.n}`);
          afterCommit(tx, () => seen.push(`after ${n}`));
        }),
      ),
    );
    const [row] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM workers`;
    assert.deepEqual([row!.n, seen.length], [20, 40]);
    await assert.rejects(sql.begin((tx) => tx`SELECT 1 / 0`));
    assert.equal(await within(sql, 30, (tx) => tx`SELECT pg_sleep(5)`), null);
    const [left] = await sql<{ limit: string }[]>`
      SELECT current_setting('statement_timeout') AS limit`;
    assert.equal(left!.limit, "0");
  });

  test("what is notified is heard, by a connection to the database itself", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { unlisten } = await sql.listen("news", resolve);
    await sql.notify("news", "one");
    assert.equal(await promise, "one");
    await unlisten();
  });
});
