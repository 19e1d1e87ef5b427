// The connection, the migrations, and the lock of one process on a database: on a real PostgreSQL.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { cloneDatabase, dropDatabase, withDatabase } from "../../../test/database.ts";
import { ConfigError } from "../errors.ts";
import { checkDatabase, connect, isUniqueViolation, sqlState, within } from "./index.ts";
import type { Sql } from "./index.ts";
import { hostAddresses } from "./hosts.ts";
import { migrate, squashedIn } from "./migrate.ts";
import { faultOf } from "../health/faults.ts";
import { sessionOf } from "./session.ts";
import { holdDatabase } from "./single.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);
const FILES = readdirSync(FOLDER).toSorted();

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;
const pools: Sql[] = [];
const empties: string[] = [];

const open = (url: string, max = 2): Sql => {
  const pool = connect(url, { max, application: "tests" });
  pools.push(pool);
  return pool;
};

/** A database without any schema. */
const emptyDatabase = async (): Promise<string> => {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  empties.push(name);
  return withDatabase(database.url, name);
};

before(async () => {
  database = await cloneDatabase();
  sql = open(database.url);
});
after(async () => {
  const [own, ...others] = pools;
  await Promise.all(others.map((pool) => pool.end({ timeout: 1 })));
  for (const name of empties) await dropDatabase(sql, name);
  await own!.end();
  await database.drop();
});

const isSentence = (error: unknown): boolean =>
  error instanceof ConfigError && /^[A-Z][^\n]*\.$/.test(error.message);

test("no two migrations have the same number, but for two that are released", () => {
  const numbers = FILES.map((name) => name.slice(0, 4));
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  assert.deepEqual(twice, ["0382"]);
});

test("int8 comes as text, times as Date in UTC", async () => {
  const [row] = await sql`
    SELECT 9007199254740993::int8 AS big, 5::int4 AS small, true AS yes, NULL AS nothing,
           '2026-01-01T00:00:00.123Z'::timestamptz AS at, current_setting('TimeZone') AS zone
  `;
  assert.deepEqual(
    { ...row },
    {
      big: "9007199254740993",
      small: 5,
      yes: true,
      nothing: null,
      at: new Date("2026-01-01T00:00:00.123Z"),
      zone: "UTC",
    },
  );
});

test("errors have their code; unique violations are recognised", async () => {
  const taken = await sql`INSERT INTO migrations (name) VALUES ('x'), ('x')`.catch(
    (e: unknown) => e,
  );
  assert.equal(isUniqueViolation(taken), true);
  const wrong = await sql`SELECT 1/0`.catch((error: unknown) => error);
  assert.equal(sqlState(wrong), "22012");
  assert.equal(isUniqueViolation(wrong), false);
  assert.equal(sqlState(new Error("x")), null);
  assert.equal(sqlState(undefined), null);
});

test("a database that answers and is new enough passes", async () => {
  await checkDatabase(sql, database.url);
});

test("a database that cannot be used is one sentence without the password", async () => {
  const faults: [url: string, pattern: RegExp][] = [
    ["postgres://me:s3cret@127.0.0.1:1/db", /the connection was refused/],
    ["postgres://me:s3cret@no-such-host.invalid/db", /host was not found|cannot be used/],
    [withDatabase(database.url, "no_such_database"), /does not exist/],
  ];
  for (const [url, pattern] of faults) {
    await assert.rejects(checkDatabase(open(url, 1), url), (error: Error) => {
      assert.ok(isSentence(error), error.message);
      assert.match(error.message, pattern);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
  }
});

test("a lost connection is opened again", async () => {
  const pool = open(database.url, 1);
  const [row] = await pool<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await sql`SELECT pg_terminate_backend(${row!.pid})`;
  await sleep(50);
  const [again] = await pool<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  assert.notEqual(again!.pid, row!.pid);
});

/** In front of the database: the first connection whose client says what `ends` tells is cut off. */
const proxy = async (ends: (bytes: string | Buffer) => boolean) => {
  const [, folder] = /@(%2F[^:/?]*)/i.exec(database.url)!;
  let isCut = false;
  const server = createServer((client) => {
    const upstream = createConnection(join(decodeURIComponent(folder!), ".s.PGSQL.5432"));
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("data", (bytes) => {
      if (isCut || !ends(bytes)) return upstream.write(bytes);
      isCut = true;
      upstream.destroy();
      return client.resetAndDestroy();
    });
    client.on("close", () => upstream.destroy());
    upstream.pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port, close: () => server.close() };
};

const loseTransaction = async (pause: number): Promise<void> => {
  const pool = open(database.url, 1);
  await assert.rejects(
    pool.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await sql`SELECT pg_terminate_backend(${row!.pid})`;
      await sleep(pause);
      await tx`SELECT 1`;
    }),
    (error: Error) => faultOf(error) === "away",
  );
  // Nothing of the transaction is sent on the connection that others use now.
  for (let n = 0; n < 20; n++) {
    const [row] = await pool<{ n: number }[]>`SELECT ${n}::int AS n`;
    assert.equal(row!.n, n);
  }
};

test("a connection that is lost in a transaction fails the transaction, and nothing else", async () => {
  // Heard of at the next statement, or before it.
  for (const pause of [0, 0, 0, 1, 5, 50]) await loseTransaction(pause);
});

test("the first statement on a new connection does not get the error of the old one", async () => {
  const pool = open(database.url, 1);
  const [row] = await pool<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const slow = assert.rejects(async () => pool`SELECT pg_sleep(10)`);
  await sleep(20);
  await sql`SELECT pg_terminate_backend(${row!.pid})`;
  await slow;
  assert.deepEqual([...(await pool`SELECT 1 AS n`)], [{ n: 1 }]);
});

test("a pool ends whose connections were lost with what they did", async () => {
  for (const isEnding of [false, true]) {
    const pool = open(database.url, 1);
    const [row] = await pool<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const slow = assert.rejects(async () => pool`SELECT pg_sleep(10)`);
    await sleep(20);
    const ending = isEnding ? pool.end() : null;
    await sql`SELECT pg_terminate_backend(${row!.pid})`;
    await slow;
    await sleep(20);
    const ended = (ending ?? pool.end()).then(() => "ended");
    assert.equal(await Promise.race([ended, sleep(10_000, "still open")]), "ended");
  }
});

test("a connection that is lost in its first moments fails who waits for it, and nothing else", async () => {
  const { host, port, close } = await proxy((bytes) => bytes.includes("pg_type"));
  const name = /\/[^/]*$/.exec(database.url)![0];
  const pool = open(`postgres://rookery@${host}:${port}${name}`, 1);
  await assert.rejects(
    async () => pool`SELECT 1`,
    (error: Error) => faultOf(error) === "away",
  );
  assert.deepEqual([...(await pool`SELECT 1 AS n`)], [{ n: 1 }]);
  await pool.end();
  close();
});

test("statements that follow each other have the same connection, whose plans are made", async () => {
  const pool = open(database.url, 4);
  const ask = async () => (await pool<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`)[0]!.pid;
  const waiting = (seconds: number) => pool`SELECT pg_sleep(${seconds})`;
  const first = await ask();
  // The others are free again after it.
  await Promise.all([waiting(0.05), waiting(0.1), waiting(0.15), waiting(0.2)]);
  const pids = [await ask(), await ask(), await ask(), await pool.begin(async () => 0).then(ask)];
  assert.deepEqual(new Set(pids), new Set([first]));
});

test("an address behind which nothing answers is an error, of one host and of several", async () => {
  const deaf = createServer((client) => client.on("error", () => {}).end());
  await once(deaf.listen(0, "127.0.0.1"), "listening");
  const { port } = deaf.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  for (const hosts of [host, `${host},${host}`, `127.0.0.1:1,${host}`, `${host},127.0.0.1:1`]) {
    const pool = open(`postgres://me@${hosts}/rookery`, 1);
    await assert.rejects(pool`SELECT 1`.execute(), (error) => faultOf(error) === "away");
  }
  deaf.close();
});

test("an address that names several hosts is an address for each of them", () => {
  const url = "postgres://me:p%40ss@one:5432,[::1]:6432/rookery?sslmode=require";
  assert.deepEqual(hostAddresses(url), [
    "postgres://me:p%40ss@one:5432/rookery?sslmode=require",
    "postgres://me:p%40ss@[::1]:6432/rookery?sslmode=require",
  ]);
  assert.deepEqual(hostAddresses(database.url), [database.url]);
});

const NEVER = "the statement outside waits for ever";

test("a transaction may wait for a statement outside of it, however many are open", async () => {
  const pool = open(database.url, 3);
  const ask = () => pool<{ n: number }[]>`SELECT 1 AS n`;
  const nested = () =>
    pool.begin(async (tx) => {
      await tx`SELECT pg_sleep(0.01)`;
      const [row] = await ask();
      return row!.n;
    });
  const waits = sleep(60_000, NEVER, { ref: false });
  const answers = await Promise.race([Promise.all(Array.from({ length: 9 }, nested)), waits]);
  assert.deepEqual(answers, Array(9).fill(1));
});

test("a transaction that fails, or cannot begin, leaves its place to the next", async () => {
  const pool = open(database.url, 2);
  for (let n = 0; n < 3; n++) {
    await assert.rejects(pool.begin((tx) => tx`SELECT 1 / 0`));
    await assert.rejects(pool.begin("unknown mode", async () => 0));
  }
  assert.equal(await pool.begin(async () => 1), 1);
});

test("connections that are lost while they are written to work again", async () => {
  const pool = connect(database.url, { max: 4, application: "doomed" });
  pools.push(pool);
  const number = async (n: number): Promise<void> => {
    const [row] = await pool<{ n: number }[]>`SELECT ${n}::int AS n`;
    assert.equal(row!.n, n);
  };
  const unlessLost = (error: Error): void => assert.equal(faultOf(error), "away", error.message);
  for (let round = 0; round < 25; round++) {
    // The second is asked between the error of a connection and its end.
    const queries = Array.from({ length: 16 }, (_, n) =>
      number(n).catch((error) => {
        unlessLost(error);
        return number(n + 100).catch(unlessLost);
      }),
    );
    const killing = sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'doomed'`;
    await Promise.all([...queries, killing]);
  }
  const ask = () => pool`SELECT pg_sleep(0.01)`.then(() => true).catch(() => false);
  // One that never sends anything again would let the others wait for the driver's ten seconds.
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    if (answers.every(Boolean)) break;
  }
});

const queueVersion = async (pool: Sql): Promise<number> => {
  const [row] = await pool<{ id: number }[]>`SELECT max(id) AS id FROM graphile_worker.migrations`;
  return row!.id;
};

test("migrations are applied in order, once; a second run does nothing", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  assert.deepEqual(await migrate(pool, url), FILES);
  assert.deepEqual(await migrate(pool, url), []);
  const rows = await pool<
    { name: string }[]
  >`SELECT name FROM migrations ORDER BY applied_at, name`;
  const { names } = squashedIn(readFileSync(new URL(FILES[0]!, FOLDER), "utf8"))!;
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...names, ...FILES.slice(1)],
  );
  assert.ok((await queueVersion(pool)) > 0);
});

test("a pool that was used before the migrations knows the types that they make", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  const arrays = (session: Sql) => session<{ names: string[]; is: boolean }[]>`
    SELECT array_agg(username) AS names, bool_and(username = ANY (${["Alice"]}::citext[])) AS is
    FROM (SELECT 'alice'::citext AS username) AS accounts`;
  const { sql: session } = sessionOf(pool);
  for (const each of [pool, session]) await each`SELECT 1`;
  await migrate(pool, url);
  for (const each of [pool, session])
    assert.deepEqual([...(await arrays(each))], [{ names: ["alice"], is: true }]);
});

test("a pool of one connection is enough", async () => {
  const url = await emptyDatabase();
  assert.deepEqual(await migrate(open(url, 1), url), FILES);
});

test("several processes at once apply each migration once between them", async () => {
  const url = await emptyDatabase();
  const done = await Promise.all(Array.from({ length: 4 }, () => migrate(open(url), url)));
  assert.deepEqual(done.flat().toSorted(), FILES);
  assert.ok((await queueVersion(open(url))) > 0);
});

test("a run that ended between our migrations and the queue's is completed by the next one", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  await migrate(pool, url);
  await pool`DROP SCHEMA graphile_worker CASCADE`;
  assert.deepEqual(await migrate(pool, url), []);
  assert.ok((await queueVersion(pool)) > 0);
});

test("a database from a newer version is refused in one sentence and left alone", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  await migrate(pool, url);
  await pool`INSERT INTO migrations (name) VALUES ('9999-from-the-future.sql')`;
  await pool`DELETE FROM migrations WHERE name = ${FILES.at(-1)!}`;
  await assert.rejects(migrate(pool, url), (error: Error) => {
    assert.ok(isSentence(error), error.message);
    assert.match(error.message, /9999-from-the-future/);
    return true;
  });
  const [row] = await pool`SELECT 1 FROM migrations WHERE name = ${FILES.at(-1)!}`;
  assert.equal(row, undefined);
});

test("a migration that fails leaves nothing behind", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  await pool`CREATE TABLE accounts (id int)`; // makes the first migration fail
  await assert.rejects(migrate(pool, url), /already exists/);
  assert.deepEqual([...(await pool`SELECT name FROM migrations`)], []);
  await pool`DROP TABLE accounts`;
  assert.deepEqual(await migrate(pool, url), FILES);
});

const OUTSIDE = FILES.map((name) => ({
  name,
  text: readFileSync(new URL(name, FOLDER), "utf8"),
})).filter(({ text }) => text.startsWith("-- no transaction\n"));

test("every statement of a migration outside a transaction may be repeated", () => {
  assert.ok(OUTSIDE.length > 0);
  for (const { name, text } of OUTSIDE) {
    const statements = text.replaceAll(/^--.*$/gm, "").split(/;\s*$/m);
    for (const statement of statements) {
      assert.match(statement, /^\s*$|\bIF (?:NOT )?EXISTS\b|\bOR REPLACE\b|^\s*UPDATE\b/, name);
    }
  }
});

test("a migration outside a transaction that was interrupted is completed by the next run", async () => {
  const url = await emptyDatabase();
  const pool = open(url);
  await migrate(pool, url);
  const { name } = OUTSIDE.find(({ text }) => text.includes("import_rows_named"))!;
  await pool`DELETE FROM migrations WHERE name = ${name}`;
  await pool`DROP INDEX import_rows_named`;
  await pool`CREATE INDEX import_rows_target ON import_rows (target)`;
  // One that fails leaves its index behind as an interrupted one does: invalid.
  await pool`ALTER TABLE import_rows DROP CONSTRAINT import_rows_import_id_fkey`;
  await pool`
    INSERT INTO import_rows (import_id, n, data, due_at) SELECT 1, n, '{}', now() FROM generate_series(1, 2) AS n`;
  const failing = pool`CREATE UNIQUE INDEX CONCURRENTLY import_rows_named ON import_rows (import_id)`;
  await assert.rejects(failing, isUniqueViolation);
  assert.deepEqual(await migrate(pool, url), [name]);
  const indexes = await pool<{ name: string; valid: boolean }[]>`
    SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
    WHERE indrelid = 'import_rows'::regclass AND indexrelid::regclass::text LIKE '%\\_named'
      OR indexrelid = to_regclass('import_rows_target')
  `;
  assert.deepEqual(
    indexes.map((row) => [row.name, row.valid]),
    [["import_rows_named", true]],
  );
});

const lockSession = async (): Promise<number | undefined> => {
  const [row] = await sql<{ pid: number }[]>`
    SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return row?.pid;
};

test("one process at a time has a database, until it releases it", async () => {
  const releaseFirst = await holdDatabase(open(database.url, 1));
  await assert.rejects(holdDatabase(open(database.url, 1)), (error: Error) => {
    assert.ok(isSentence(error), error.message);
    assert.match(error.message, /Another Rookery process is using this database/);
    return true;
  });
  await releaseFirst();
  const releaseSecond = await holdDatabase(open(database.url, 1));
  await releaseSecond();
  assert.equal(await lockSession(), undefined);
});

test("processes that share their state share a database, but not with one that does not", async () => {
  const releases = [
    await holdDatabase(open(database.url, 1), undefined, { isShared: true }),
    await holdDatabase(open(database.url, 1), undefined, { isShared: true }),
  ];
  await assert.rejects(holdDatabase(open(database.url, 1)), /requires Valkey or Redis/);
  for (const release of releases) await release();
  const releaseOnly = await holdDatabase(open(database.url, 1));
  await assert.rejects(
    holdDatabase(open(database.url, 1), undefined, { isShared: true }),
    (error: Error) => {
      assert.ok(isSentence(error), error.message);
      return /without Valkey or Redis/.test(error.message);
    },
  );
  await releaseOnly();
});

test("a lost lock is taken again; when another process was quicker, that is told", async () => {
  let lost = 0;
  const release = await holdDatabase(open(database.url, 1), () => (lost += 1), { checkMs: 20 });
  const session = (await lockSession())!;
  await sql`SELECT pg_terminate_backend(${session})`;
  while ([undefined, session].includes(await lockSession())) await sleep(10);
  assert.equal(lost, 0);
  // The lock goes to whoever waits for it.
  const other = open(database.url, 1);
  const waiting = other`SELECT pg_advisory_lock(7266534)`.then(() => "taken");
  await sleep(50);
  await sql`SELECT pg_terminate_backend(${(await lockSession())!})`;
  assert.equal(await waiting, "taken");
  while (lost === 0) await sleep(10);
  await release();
  await other.end();
  // Its end is not waited for.
  while ((await lockSession()) !== undefined) await sleep(10);
});

test("all who listen share the session that holds the lock, and hear again when it was lost", async () => {
  const pool = open(database.url, 1);
  const [heard, begun]: [string[], string[]] = [[], []];
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await sleep(5);
  };
  const listen = (name: string, channel: string) =>
    pool.listen(
      channel,
      (text) => heard.push(`${name} ${text}`),
      () => void begun.push(name),
    );
  const release = await holdDatabase(pool, undefined, { checkMs: 20 });
  const first = await listen("first", "one");
  await Promise.all([listen("second", "one"), listen("third", "two")]);
  assert.deepEqual(begun.splice(0), ["first", "second", "third"]);
  await sql.notify("one", "a");
  await sql.notify("two", "b");
  await until(() => heard.length === 3);
  assert.deepEqual(heard.splice(0).toSorted(), ["first a", "second a", "third b"]);
  const sessions = () => sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE application_name = 'tests session' AND datname = current_database() AND pid = ANY(
      SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
  const [session] = await sessions();
  assert.equal(session!.pid, await lockSession(), "one connection for both");
  await first.unlisten();
  await sql`SELECT pg_terminate_backend(${session!.pid})`;
  await until(() => begun.length === 2);
  await sql.notify("one", "c");
  await until(() => heard.length === 1);
  assert.deepEqual([heard, begun.toSorted()], [["second c"], ["second", "third"]]);
  while ((await sessions()).length === 0) await sleep(5);
  await release();
});

test("a statement that takes too long is cancelled, and the connection is as before", async () => {
  const single = open(database.url, 1);
  assert.equal(await within(single, 50, (tx) => tx`SELECT pg_sleep(5)`), null);
  const [after] = await single<
    { limit: string }[]
  >`SELECT current_setting('statement_timeout') AS limit`;
  assert.equal(after!.limit, "0");
  const rows = await within(single, 5000, (tx) => tx<{ n: number }[]>`SELECT 1 AS n`);
  assert.deepEqual(
    rows?.map(({ n }) => n),
    [1],
  );
  await assert.rejects(
    within(single, 5000, (tx) => tx`SELECT 1 / 0`),
    (error) => sqlState(error) === "22012",
  );
});

test("connections that nothing needs any more are closed, but for the oldest and the session", async () => {
  const pool = connect(database.url, { max: 3, idle: 1, application: "idle" });
  pools.push(pool);
  const open = async (): Promise<string[]> => {
    const rows = await sql<{ pid: number; application_name: string }[]>`
      SELECT pid, application_name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'idle%' ORDER BY 1
    `;
    return rows.map(({ pid, application_name: name }) => `${pid} ${name}`);
  };
  const [{ pid: oldest }] = (await pool`SELECT pg_backend_pid() AS pid`) as [{ pid: number }];
  const [{ pid: session }] = (await sessionOf(pool).sql`SELECT pg_backend_pid() AS pid`) as [
    { pid: number },
  ];
  await Promise.all([1, 2, 3].map(() => pool`SELECT pg_sleep(0.05)`));
  assert.equal((await open()).length, 4);
  while ((await open()).length > 2) await sleep(50);
  const kept = [`${oldest} idle`, `${session} idle session`];
  // The oldest has been idle for as long as the others, or longer.
  await sleep(100);
  assert.deepEqual((await open()).toSorted(), kept.toSorted());
  const again = await Promise.all(
    [1, 2, 3].map((n) => pool`SELECT ${n}::int AS n, pg_sleep(0.05)`),
  );
  assert.deepEqual(
    again.map(([row]) => row!["n"]),
    [1, 2, 3],
  );
});
