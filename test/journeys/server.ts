// Real servers: `rookery start` in a process of its own, with its own data folder and loopback port, which can
// be stopped, killed and started again.

import { setTimeout as sleep } from "node:timers/promises";
import { makeAccount } from "../../packages/administration/src/accounts.ts";
import { withAppIn } from "../../src/cli/session.ts";
import { connectEmbedded, startEmbedded } from "../../src/platform/db/embedded.ts";
import { connect } from "../../src/platform/db/index.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { runCommand } from "../command-line.ts";
import { freePort } from "../free-port.ts";
import { sendRequest } from "../person.ts";
import type { Answer, RequestOptions } from "../harness.ts";
import { isSplit } from "./layouts.ts";
import { copyFolder, makeFolder, removeFolder, runNode } from "./process.ts";
import type { Ended, Running, RunOptions } from "./process.ts";

export const BIN = new URL("../../bin/rookery.ts", import.meta.url).pathname;
const START_MS = 120_000;

export type ServerOptions = {
  /** Overrides the settings of a loopback server. */
  env?: Record<string, string>;
  /** Host name: 127.0.0.1 (default) or localhost. */
  hostName?: string;
  /** True for the very first start, which creates the database; otherwise the folder is a copy of a migrated one. */
  first?: boolean;
  /** Data folder instead of one of its own. */
  dataDir?: string;
};

/** A person with a token for all ordinary scopes. */
export type Someone = {
  name: string;
  token: string;
  password: string;
  id: string;
  /** Handle name@host, as on other servers. */
  acct: string;
  /** Calls the API and returns the body; fails on any status other than 200. */
  get(path: string): Promise<any>;
  post(path: string, json?: unknown): Promise<any>;
  put(path: string, json?: unknown): Promise<any>;
  patch(path: string, json?: unknown): Promise<any>;
  delete(path: string): Promise<any>;
};

export type CliResult = { code: number | null; out: string; err: string };

export type RealServer = {
  /** The server's host with port, as in its handles. */
  host: string;
  url: string;
  port: number;
  dataDir: string;
  env: Record<string, string>;
  /** Returns the id of the current or last process. */
  pid(): number;
  /** Returns the output of all its processes so far. */
  log(): string;
  /** Returns the standard output of the current process. */
  printed(): string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Runs a command in this process: a process of its own would cost ten times as much. */
  cli(args: string[]): Promise<CliResult>;
  /** Does what `accounts create` does, in this process, too. */
  person(name: string): Promise<Someone>;
  /** Returns the URL of its own role. */
  databaseUrl(): Promise<string>;
  /** Starts it again on the same folder and port; returns the milliseconds until it answered. */
  start(): Promise<number>;
  /** Sends SIGTERM; returns how it ended. */
  stop(): Promise<Ended>;
  /** Sends SIGKILL and waits until it has ended. */
  kill(): Promise<void>;
  /** Milliseconds that each start took so far. */
  startTimes: number[];
  /** Resolves with the exit of the current process. */
  ended(): Promise<Ended>;
  /** Ends it, whatever state it is in, and removes its folder. */
  remove(): Promise<void>;
};

/** Runs one command of `rookery` to its end, as a process. */
export const rookery = async (args: string[], options: RunOptions): Promise<CliResult> => {
  const running = runNode([BIN, ...args], options);
  const { code } = await running.ended;
  return { code, out: running.out(), err: running.err() };
};

/** Makes a data folder for servers whose tests are not about their first start (test/run.ts). */
export const makeDataDir = async (): Promise<string> => {
  const dataDir = makeFolder();
  const database = await startEmbedded({ dataDir });
  const sql = connect(database.url, { max: 1, application: "test" });
  try {
    await migrate(sql, database.url);
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
  return dataDir;
};

/** Returns a data folder with a database, where the run has one to copy (test/run.ts); otherwise an empty folder. */
export const makeDataFolder = (): string => {
  const folder = makeFolder();
  const template = process.env["TEST_DATA_DIR"];
  if (template) copyFolder(template, folder);
  return folder;
};

const isUp = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
};

export const waitUntilUp = async (running: Running, url: string): Promise<void> => {
  const deadline = Date.now() + START_MS;
  while (!(await isUp(url))) {
    if (!running.alive() || Date.now() > deadline) {
      // The error has its last output.
      if (!running.alive()) await running.ended;
      throw new Error(`the server did not start:\n${running.out()}\n${running.err()}`);
    }
    await sleep(20);
  }
};

const someone = (
  server: RealServer,
  person: Omit<Someone, "get" | "post" | "put" | "patch" | "delete">,
) => {
  const call = (method: string) => async (path: string, json?: unknown) => {
    const answer = await server.request(method, path, { token: person.token, json });
    if (answer.status === 200) return answer.json;
    throw new Error(`${person.acct}: ${method} ${path} answered ${answer.status} ${answer.text}`);
  };
  return {
    ...person,
    get: call("GET"),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
  };
};

/** Returns the settings of a loopback server. */
export const settings = (
  port: number,
  dataDir: string,
  options: ServerOptions,
): Record<string, string> => ({
  PORT: String(port),
  LOCAL_DOMAIN: `${options.hostName ?? "127.0.0.1"}:${port}`,
  LOCAL_HTTPS: "false",
  ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8,::1",
  DATA_DIR: dataDir,
  LOG_FORMAT: "json",
  // Polling sends more requests than people do.
  RATE_LIMITS: "false",
  ...(process.env["DEFAULT_LOCALE"] && { DEFAULT_LOCALE: process.env["DEFAULT_LOCALE"] }),
  ...options.env,
});

/** Functions that start and end a server's processes. */
export type Processes = Pick<
  RealServer,
  "pid" | "log" | "printed" | "start" | "stop" | "kill" | "startTimes" | "ended" | "remove"
>;

type Place = Pick<RealServer, "port" | "dataDir" | "env">;

/** Returns what can be done with a server, whatever its layout. */
export const serverOf = ({ port, dataDir, env }: Place, processes: Processes): RealServer => {
  const host = env["LOCAL_DOMAIN"]!;
  const url = `http://${host}`;
  const server: RealServer = {
    ...processes,
    host,
    url,
    port,
    dataDir,
    env,
    request: (method, path, init = {}) => sendRequest(new URL(path, url).toString(), method, init),
    cli: (args) => runCommand(env, args),
    databaseUrl: async () => env["DATABASE_URL"] ?? (await connectEmbedded({ dataDir })).url,
    async person(name) {
      const email = `${name}@example.com`;
      const options = { email, confirmed: true, scopes: "read write follow push" };
      const { password, token } = await withAppIn(env, (app) => makeAccount(app, name, options), {
        migrated: false,
      });
      const path = "/api/v1/accounts/verify_credentials";
      const me = await server.request("GET", path, { token });
      if (me.status !== 200) throw new Error(`no account ${name}: ${me.text}`);
      const { id } = me.json as { id: string };
      return someone(server, { name, token: token!, password, id, acct: `${name}@${host}` });
    },
  };
  return server;
};

/** Makes a server of one process with its own data folder; call `remove` in `after`. */
const startOne = async (options: ServerOptions): Promise<RealServer> => {
  const port = await freePort();
  const dataDir = options.dataDir ?? (options.first ? makeFolder() : makeDataFolder());
  const env = settings(port, dataDir, options);
  const url = `http://${env["LOCAL_DOMAIN"]}`;
  const processes: Running[] = [];
  const present = () => processes.at(-1)!;
  const startTimes: number[] = [];
  const kill = async (): Promise<void> => {
    present().child.kill("SIGKILL");
    await present().ended;
  };
  const server = serverOf(
    { port, dataDir, env },
    {
      pid: () => present().pid,
      log: () =>
        processes.map((process) => process.out() + process.err()).join("\n--- started again ---\n"),
      printed: () => present().out(),
      async start() {
        const began = performance.now();
        const running = runNode([BIN, "start"], { cwd: dataDir, env });
        processes.push(running);
        await waitUntilUp(running, url);
        startTimes.push(Math.round(performance.now() - began));
        return startTimes.at(-1)!;
      },
      async stop() {
        present().child.kill("SIGTERM");
        return present().ended;
      },
      kill,
      startTimes,
      ended: () => present().ended,
      async remove() {
        if (present().alive()) await kill();
        removeFolder(dataDir);
      },
    },
  );
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
};

/** Makes a server of the wanted layout and starts it; call `remove` in `after`. */
export const startServer = async (options: ServerOptions = {}): Promise<RealServer> => {
  if (!isSplit || options.env?.["DATABASE_URL"]) return startOne(options);
  return (await import("./cluster.ts")).startCluster(options);
};
