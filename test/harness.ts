// Starts a real server for one test file: its own database, real HTTP on loopback. Only the clock and remote servers
// are fake.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hash } from "@node-rs/argon2";
import { closeApp, createApp } from "../src/app.ts";
import { createPerson } from "../src/domain/people/users/create.ts";
import type { NewPerson } from "../src/domain/people/users/create.ts";
import { issueToken } from "../src/domain/people/oauth/tokens.ts";
import { eventTable } from "../src/events.ts";
import { jobTable } from "../src/jobs.ts";
import type { App, Clock } from "../src/platform/app.ts";
import { readConfig, withSecrets } from "../src/platform/config/config.ts";
import type { FormerNames } from "../src/platform/config/names.ts";
import type { Env } from "../src/platform/config/parse.ts";
import { sqlState } from "../src/platform/db/index.ts";
import { sessionOf } from "../src/platform/db/session.ts";
import { selectFormerNames } from "../src/platform/db/site-names.ts";
import type { Tracing } from "../src/platform/tracing/index.ts";
import type { Sql, Tx } from "../src/platform/db/index.ts";
import type { Server } from "../src/platform/http/server.ts";
import { PULSE_QUERY } from "../src/platform/health/pulse.ts";
import type { JobName, JobOptions } from "../src/platform/jobs/index.ts";
import { touchingOf } from "../src/domain/people/oauth/authenticate.ts";
import { drainDeliveries } from "../src/federation/delivery/worker.ts";
import { drainOutbox } from "../src/platform/outbox/worker.ts";
import { runDueJobs } from "../src/platform/jobs/worker.ts";
import { startWeb } from "../src/roles/web.ts";
import { startJobs } from "../src/roles/worker.ts";
import type { Pace, WorkerRole } from "../src/roles/worker.ts";
import { cloneDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { isWatchQuery, watchInvalidation, writeFixture } from "./invalidation.ts";
import { unwatched, watchOutside } from "./outside.ts";
import { TEST_KEYS } from "./keys.ts";
import { recordAnswer } from "./contract/examples.ts";
import { requestsTo, sendRequest } from "./person.ts";
import type { Answer, Person, RequestOptions, Visitor } from "./person.ts";

export type { Answer, Person, RequestOptions, Visitor };

export type TestOptions = {
  /** Overrides the defaults of a loopback server. */
  env?: Env;
  clock?: Clock;
  tracing?: Tracing;
  /**
   * False for a file that changes rows behind the server's back on purpose, to see how it notices (see
   * test/invalidation.ts); others write with `fixture`.
   */
  checked?: boolean;
  /** False makes jobs and events wait until `runJobs()`, for tests that look at what waits. */
  worker?: boolean;
  /** Milliseconds that the worker gathers; null for those of a real one. */
  pace?: Pace | null;
  /** Database instead of a clone of the template; whoever made it removes it. */
  databaseUrl?: string;
  /** Returns the names that the server had before, by its port. */
  formerNames?: (port: number) => FormerNames[];
};

export type PersonOptions = Partial<NewPerson> & { scopes?: string[] };

export type TestApp = {
  app: App;
  /** The address http://127.0.0.1:PORT, which is also the server's own origin. */
  url: string;
  databaseUrl: string;
  /** For what a person's or visitor's own methods cannot send. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Creates a confirmed person with a token that has all ordinary scopes. */
  person(name: string, options?: PersonOptions): Promise<Person>;
  token(userId: string | null, scopes: string[]): Promise<string>;
  /** Sends without a token. */
  visitor: Visitor;
  /** Returns who sends with this token, or with that of somebody whom another server made. */
  as(who: string | null | { token: string | null }): Visitor;
  /** Jobs that the server enqueued, done or not, oldest first; a test may empty the list. */
  enqueued: Enqueued[];
  /** Resolves when no event or job is due or in progress, nor what follows from them. */
  runJobs(): Promise<void>;
  /** Waits for the record of people's activity, which is written a moment after requests. */
  untilNoted(): Promise<void>;
  /**
   * Writes rows by SQL, behind the server's back, in one transaction; then invalidates whatever is cached of these
   * rows. Feeds (app.feeds) are not made of rows and stay as they are.
   */
  fixture<T>(write: (sql: Tx) => Promise<T>): Promise<T>;
  /** Does the same with a single statement. */
  write<T extends Row[] = Row[]>(statement: TemplateStringsArray, ...values: unknown[]): Promise<T>;
  /**
   * Throws when the server wrote rows without invalidating what is cached of them. Every request, every runJobs and
   * close do so by themselves.
   */
  checkInvalidation(): Promise<void>;
  /**
   * Counts the SQL statements that `work` sends on the app's pool, once the worker is idle. Caches are off, unless
   * `warm` is set.
   */
  countQueries<T>(
    work: () => Promise<T>,
    options?: { warm?: boolean },
  ): Promise<{ result: T; queries: number }>;
  close(): Promise<void>;
};

type Row = Record<string, any>;

export type Enqueued = { name: JobName; payload: unknown } & JobOptions;

export const ALL_SCOPES = ["read", "write", "follow", "push", "profile"];

/** SQLSTATE of a transaction that was cancelled because of a deadlock. */
const DEADLOCK = "40P01";
const PASSWORD = "correct horse";
const hashes = new Map<string, Promise<string>>();

/** Costs of a hash of argon2id, the least that there are: those of a real one would take 20 ms of each sign-in. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Hashes a password once, because most people of tests have the same one. */
const hashOnce = (password: string): Promise<string> => {
  const hashed = hashes.get(password) ?? hash(password, CHEAP);
  hashes.set(password, hashed);
  return hashed;
};

/** Comment in the statement of `runJobs`, which the session of the server sends. */
const OF_THE_TEST = "/* of the test */";

/** Whether a statement is not a request's: the driver sends the first by itself, once per new connection. */
const isOwn = (query: string): boolean =>
  query.includes("pg_catalog.pg_type") ||
  /^(?:UN)?LISTEN /.test(query) ||
  isWatchQuery(query) ||
  query.includes(OF_THE_TEST) ||
  query === PULSE_QUERY;

/**
 * Counts meanwhile, by the option `debug` of pool and session, which postgres.js calls for each statement. With it each
 * statement of a transaction also has a stack of its own.
 */
const countStatements = async <T>(
  app: App,
  work: () => Promise<T>,
): Promise<{ result: T; queries: number }> => {
  let queries = 0;
  const pools = [app.sql, sessionOf(app.sql).sql];
  for (const { options } of pools) {
    options.debug = (_connection, query) => {
      if (!isOwn(query)) queries += 1;
    };
  }
  try {
    const result = await work();
    return { result, queries };
  } finally {
    for (const { options } of pools) options.debug = false;
  }
};

const recordJobs = (app: App): Enqueued[] => {
  const enqueued: Enqueued[] = [];
  const { add, addMany } = app.jobs;
  app.jobs = {
    async add(db, name, payload, options) {
      enqueued.push({ name, payload, ...options });
      await add(db, name, payload, options);
    },
    async addMany(db, name, jobs) {
      enqueued.push(...jobs.map((job) => ({ name, ...job })));
      await addMany(db, name, jobs);
    },
  };
  return enqueued;
};

const makeConfig = (port: number, dataDir: string, env: Env) =>
  withSecrets(
    readConfig({
      PORT: String(port),
      LOCAL_DOMAIN: `127.0.0.1:${port}`,
      LOCAL_HTTPS: "false",
      ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
      DATA_DIR: dataDir,
      // Tests send more requests than people do; tests of the limits switch them on.
      RATE_LIMITS: "false",
      // Links of tests lead nowhere; tests of cards switch them on.
      PREVIEW_CARDS: "false",
      LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
      DEFAULT_LOCALE: process.env["DEFAULT_LOCALE"],
      ...env,
    }),
  );

/** Pace of the worker: production's, which gathers for tens of milliseconds, would make tests wait for nothing. */
const PACE: Pace = {
  jobs: 1,
  // Polling would count among the statements of a test.
  inbox: { gather: 2, settle: 1, poll: 600_000 },
  outbox: { gather: 2, settle: 2, poll: 600_000, help: 20 },
  deliveries: { gather: 1, settle: 1, poll: 600_000 },
  crontab: [],
};

/** Counts due jobs; jobs that a test made due by SQL are found when the worker is notified. */
const countDue = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    WITH due AS (
      SELECT locked_at FROM graphile_worker._private_jobs
      WHERE run_at <= now() AND (attempts < max_attempts OR locked_at IS NOT NULL)
    )
    SELECT /* of the test */ count(*)::int AS count, CASE WHEN bool_or(locked_at IS NULL)
      THEN pg_notify('jobs:insert', '{"count": 1}') END AS notified
    FROM due`;
  return row!.count;
};

/** Waits for two quiet looks: between two looks one thing could make another due and be done itself. */
const settled = async (sql: Sql, worker: WorkerRole): Promise<void> => {
  for (let quiet = 0; quiet < 2;) {
    const isQuiet = worker.isIdle() && (await countDue(sql)) === 0 && worker.isIdle();
    quiet = isQuiet ? quiet + 1 : 0;
    if (!isQuiet) await sleep(2);
  }
};

/** Waits until people's activity is recorded, a moment after their requests. */
const untilNoted = async (app: App): Promise<void> => {
  while (touchingOf(app).entries() > 0) await sleep(2);
};

const runAll = async (app: App, databaseUrl: string): Promise<void> => {
  do {
    await drainOutbox(app, eventTable);
    await runDueJobs(app, jobTable, databaseUrl);
  } while ((await drainOutbox(app, eventTable)) > 0);
  await drainDeliveries(app);
};

/**
 * Waits until all notifications sent so far have arrived: the database keeps their order, and the pool has one
 * listener.
 */
const untilNotified = async ({ sql }: App): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = `test_${randomUUID()}`;
  const { unlisten } = await sql.listen(channel, () => resolve());
  await sql.notify(channel, "");
  await promise;
  await unlisten();
};

/**
 * Removes the parts of a closed app, which a file's variables would keep in memory while its process runs other files.
 */
const forget = (parts: Partial<TestApp>): void => {
  for (const key of Object.keys(parts) as (keyof TestApp)[]) {
    if (key !== "url" && key !== "databaseUrl") delete parts[key];
  }
};

const routeTables = new WeakMap<App, Server["routeTable"]>();

/** Returns the routes of the server that was started for this app. */
export const routeTableOf = (app: App): Server["routeTable"] => {
  const table = routeTables.get(app);
  if (!table) throw new Error("no server was started for this app");
  return table;
};

/** Starts the server; call `close` in `after`. */
export const startTestApp = async (options: TestOptions = {}): Promise<TestApp> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-app-"));
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await cloneDatabase();
  const port = await freePort();
  const config = makeConfig(port, folder, options.env ?? {});
  const app = createApp({
    config,
    databaseUrl: database.url,
    ...(options.clock && { clock: options.clock }),
    ...(options.tracing && { tracing: options.tracing }),
  });
  const session = sessionOf(app.sql).sql;
  const checkOutside = watchOutside(app.sql);
  const enqueued = recordJobs(app);
  config.site.former = options.formerNames?.(port) ?? (await selectFormerNames(app.sql));
  const server = await startWeb(app);
  routeTables.set(app, server.routeTable);
  const pace = options.pace === undefined ? PACE : (options.pace ?? undefined);
  const worker = options.worker === false ? null : await startJobs(app, database.url, pace);
  const url = `http://127.0.0.1:${config.http.port}`;
  const isChecked = config.caches.enabled && options.checked !== false;
  const watch = isChecked ? watchInvalidation(app) : null;
  const checkTransactions = (): void => {
    watch?.checkTransactions();
    checkOutside();
  };
  let keysUsed = 0;

  const fixture: TestApp["fixture"] = async (write) => {
    const result = await writeFixture(app, (tx) => unwatched(() => write(tx)));
    await untilNotified(app);
    return result;
  };

  const token = async (userId: string | null, scopes: string[]) =>
    (await issueToken(app.sql, { app_id: null, user_id: userId, scopes })).token;

  const requests = requestsTo({
    request: (...sent) => testApp.request(...sent),
    runJobs: () => testApp.runJobs(),
  });

  const person = async (name: string, { scopes, ...options }: PersonOptions = {}) => {
    const keys = TEST_KEYS[keysUsed++ % TEST_KEYS.length]!;
    const password = options.password ?? PASSWORD;
    const passwordHash = await hashOnce(password);
    // Tests read English pages and mails, whatever the language of the server (DEFAULT_LOCALE).
    const own = { username: name, email: `${name}@example.com`, locale: "en" };
    const base = { ...own, password, passwordHash, keys };
    const created = await app.sql.begin((tx) =>
      createPerson(app, tx, { confirmed: true, ...base, ...options }),
    );
    const ownToken = await token(created.userId, scopes ?? ALL_SCOPES);
    return { ...created, username: name, token: ownToken, ...requests };
  };

  const testApp: TestApp = {
    app,
    url,
    databaseUrl: database.url,
    token,
    person,
    visitor: { token: null, ...requests },
    as: (who) => ({ ...requests, token: typeof who === "string" ? who : (who?.token ?? null) }),
    enqueued,
    fixture,
    async write(statement, ...values) {
      const once = () =>
        fixture(async (sql) => [...(await sql(statement, ...(values as never[])))] as never);
      // A TRUNCATE of several tables may deadlock with a job that reads them in another order.
      return once().catch((error: unknown) => {
        if (sqlState(error) === DEADLOCK) return once();
        throw error;
      });
    },
    checkInvalidation: async () => watch?.check(),
    async request(method, path, init = {}) {
      const answer = await sendRequest(new URL(path, url).toString(), method, init);
      checkTransactions();
      recordAnswer({
        method,
        path,
        sent: init.json ?? init.form,
        status: answer.status,
        json: answer.json,
      });
      return answer;
    },
    untilNoted: () => untilNoted(app),
    async runJobs() {
      await untilNoted(app);
      await (worker ? settled(session, worker) : runAll(app, database.url));
      checkTransactions();
    },
    async countQueries(work, { warm = false } = {}) {
      await untilNoted(app);
      if (worker) await settled(session, worker);
      const { caches } = app.config;
      const enabled = caches.enabled;
      caches.enabled &&= warm;
      return countStatements(app, work).finally(() => (caches.enabled = enabled));
    },
    async close() {
      await server.close();
      await worker?.stop();
      try {
        await watch?.check();
        checkOutside();
      } finally {
        await closeApp(app);
        await database.drop();
        rmSync(folder, { recursive: true, force: true });
        forget(testApp);
      }
    },
  };
  return testApp;
};
