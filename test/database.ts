// The PostgreSQL of the tests: one embedded server, a template with the schema, and a new clone of it for each test
// file. A whole run shares one server through TEST_DATABASE_URL.

import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { CLOCK_OFFSET } from "./clocks/offset.ts";
import { installWatch } from "./invalidation.ts";

const TEMPLATE = "rookery_template";

/** Returns the URL of another database on the same server. */
export const withDatabase = (url: string, name: string): string => {
  const parsed = new URL(url.replace(/^postgres:\/\/([^@/]*@)?\//, "postgres://$1localhost/"));
  parsed.pathname = `/${name}`;
  const text = parsed.toString();
  return url.includes("localhost")
    ? text
    : text.replace("@localhost/", "@/").replace("//localhost/", "///");
};

const nameOf = (url: string): string => /\/([^/?]+)(?:\?|$)/.exec(url)![1]!;

const admin = (url: string): Sql => connect(url, { max: 1, application: "tests" });

/** Template with the same schema, in which `now()` is ahead by a setting of the database. */
const SHIFTED_TEMPLATE = "rookery_template_shifted";

/** Makes a template with every migration applied, and the triggers that watch cached rows. */
const makeTemplate = async (
  url: string,
  template: string,
  prepare?: (sql: Sql) => Promise<void>,
): Promise<void> => {
  const root = admin(url);
  await root.unsafe(`CREATE DATABASE ${template}`);
  await root.end();
  const templateUrl = withDatabase(url, template);
  if (prepare) {
    const first = admin(templateUrl);
    await prepare(first);
    await first.end();
  }
  const sql = admin(templateUrl);
  await migrate(sql, templateUrl);
  await installWatch(sql);
  await sql.end();
};

/**
 * Makes `now()` run ahead of PostgreSQL's own for later connections: it is searched in pg_catalog first, unless the
 * search path names that later.
 */
const setClock = async (sql: Sql, database: string, offset: number): Promise<void> => {
  const shifted = (name: string, volatility: string) => `
    CREATE OR REPLACE FUNCTION test_clock.${name}() RETURNS timestamptz
    LANGUAGE sql ${volatility} AS $$
      SELECT pg_catalog.${name}() + interval '${offset} milliseconds'
    $$;`;
  await sql.unsafe(`
    CREATE SCHEMA IF NOT EXISTS test_clock;
    ${shifted("now", "STABLE")}
    ${shifted("clock_timestamp", "VOLATILE")}
    ALTER DATABASE ${database} SET search_path = public, test_clock, pg_catalog;
    ALTER DATABASE ${database} SET timezone = '${process.env["TZ"] ?? "UTC"}'`);
};

/** Makes the template for tests whose clock is ahead (test/clocks/clocks.ts). */
export const makeShiftedTemplate = (url: string): Promise<void> =>
  makeTemplate(url, SHIFTED_TEMPLATE, (sql) => setClock(sql, SHIFTED_TEMPLATE, 0));

export type TestServer = { url: string; stop(): Promise<void> };

/** Starts a temporary server without fsync, with the template. */
export const startTestServer = async (): Promise<TestServer> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-test-"));
  // Databases live for seconds, in which vacuuming by itself would come or not.
  const settings = { autovacuum: "off" };
  const server = await startEmbedded({ dataDir: folder, durable: false, settings });
  await makeTemplate(server.url, TEMPLATE);
  if (CLOCK_OFFSET !== 0) await makeShiftedTemplate(server.url);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Milliseconds that a connection waits for the next database to be made; a process that makes none ends. */
const SPARE_MS = 500;
let spare: { url: string; root: Sql; timer: NodeJS.Timeout } | null = null;

/** Returns a connection by which databases are made and dropped: that of a file that is over, or a new one. */
const takeAdmin = (url: string): Sql => {
  if (spare?.url !== url) return admin(url);
  const { root, timer } = spare;
  clearTimeout(timer);
  spare = null;
  return root;
};

const leaveAdmin = async (url: string, root: Sql): Promise<void> => {
  if (spare !== null) return root.end();
  const end = (): void => {
    spare = null;
    void root.end();
  };
  spare = { url, root, timer: setTimeout(end, SPARE_MS) };
};

/** Attempts to drop a database, each of which waits for five seconds. */
const DROP_ATTEMPTS = 2;

const holders = async (root: Sql, name: string): Promise<string> => {
  const rows = await root<{ holder: string }[]>`
    SELECT format('%s (%s, %s): %s', application_name, backend_type, state, left(query, 200)) AS holder
    FROM pg_stat_activity
    WHERE datname = ${name}
  `;
  return rows.map(({ holder }) => holder).join("\n");
};

/**
 * Drops a database after waiting for closing connections, which would throw unhandled errors if they were cut off.
 * Throws with the connections that are still open after that.
 */
export const dropDatabase = async (root: Sql, name: string): Promise<void> => {
  for (let attempt = 0; attempt < DROP_ATTEMPTS; attempt++) {
    try {
      await root.unsafe(`DROP DATABASE IF EXISTS ${name}`);
      return;
    } catch {
      await sleep(50);
    }
  }
  console.log(`the database ${name} is still held by\n${await holders(root, name)}`);
  await root.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch((error: unknown) => {
    console.log(`the database ${name} is left to the end of the run: ${String(error)}`);
  });
};

/**
 * Clones the template, on the run's server or, when a file runs alone, on a server of its own. `of` is another database
 * to clone, to which nobody is connected.
 */
export const cloneDatabase = async (of?: {
  url: string;
}): Promise<{ url: string; drop(): Promise<void> }> => {
  const shared = of?.url ?? process.env["TEST_DATABASE_URL"];
  const own = shared ? null : await startTestServer();
  const serverUrl = shared ?? own!.url;
  const name = `test_${randomBytes(6).toString("hex")}`;
  const isShared = !own && !of;
  const root = isShared ? takeAdmin(serverUrl) : admin(serverUrl);
  const usual = CLOCK_OFFSET === 0 ? TEMPLATE : SHIFTED_TEMPLATE;
  const template = of ? nameOf(of.url) : usual;
  await root.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = withDatabase(serverUrl, name);
  if (CLOCK_OFFSET !== 0) {
    const inside = admin(url);
    await setClock(inside, name, CLOCK_OFFSET);
    await inside.end();
  }
  return {
    url,
    async drop() {
      await dropDatabase(root, name);
      await (isShared ? leaveAdmin(serverUrl, root) : root.end());
      await own?.stop();
    },
  };
};

export const MIGRATIONS = new URL("../migrations/", import.meta.url);

export const migrationNames = (): string[] => readdirSync(MIGRATIONS).toSorted();

/**
 * Makes a database as left by the version whose last migration has this number; `upgrade()` brings it to this version.
 */
export const databaseBefore = async (last: string) => {
  const server = await cloneDatabase();
  const root = admin(server.url);
  const name = `upgraded_${randomBytes(6).toString("hex")}`;
  await root.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = withDatabase(server.url, name);
  const sql = connect(url, { max: 2, application: "tests" });
  const newer = migrationNames().filter((file) => file.slice(0, last.length) > last);
  await sql`CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz DEFAULT now())`;
  await sql`INSERT INTO migrations (name) SELECT unnest(${newer}::text[])`;
  await migrate(sql, url);
  return {
    sql,
    async upgrade(): Promise<void> {
      await sql`DELETE FROM migrations WHERE name = ANY(${newer})`;
      const applied = await migrate(sql, url);
      if (applied.join() !== newer.join()) throw new Error(`applied were: ${applied.join(", ")}`);
    },
    async drop(): Promise<void> {
      await sql.end();
      await dropDatabase(root, name);
      await root.end();
      await server.drop();
    },
  };
};
