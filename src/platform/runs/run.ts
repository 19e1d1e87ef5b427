// Starts commands in separate processes with a low priority, so that the server's memory and speed are not affected.
// One of each name runs at a time, whichever process of the server starts it.

import { spawn } from "node:child_process";
import type { App } from "../app.ts";
import type { Db } from "../db/index.ts";
import { makeNice } from "../pictures/limited.ts";
import { claimRun, deleteRun, selectRuns, touchRun } from "./queries.ts";

export type RunName = "backup" | "doctor";

const SEEN_EVERY_MS = 60_000;
/** Milliseconds unseen after which a run counts as ended, together with the server that started it. */
const LOST_AFTER_MS = 3 * SEEN_EVERY_MS;

const lostBefore = ({ clock }: App): Date => new Date(clock.now().getTime() - LOST_AFTER_MS);

/** Claims a run; returns false if one of this name runs already. */
export const claim = (app: App, name: RunName, db: Db = app.sql): Promise<boolean> =>
  claimRun(db, name, { now: app.clock.now(), since: lostBefore(app) });

export const runningNow = async (app: App): Promise<ReadonlySet<string>> =>
  new Set((await selectRuns(app.sql, lostBefore(app))).map(({ name }) => name));

type Command = { name: RunName; args: string[]; program?: string };

type Ending = { code: number | null; signal: NodeJS.Signals | null };

const started = (app: App, { name, args, program = process.argv[1]! }: Command): Promise<Ending> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("error", (error) => {
      app.log.error({ err: error }, `the ${name} cannot be started`);
      resolve({ code: null, signal: null });
    });
    child.once("exit", (code, signal) => resolve({ code, signal }));
    makeNice(child);
  });

/** Runs a claimed command and resolves with how it ended; a server that stops does not wait for it. */
export const runClaimed = async (app: App, command: Command): Promise<Ending> => {
  const seen = () =>
    touchRun(app.sql, command.name, app.clock.now()).catch((error: unknown) =>
      app.log.warn({ err: error }, "a run cannot be marked as seen"),
    );
  await seen();
  const timer = setInterval(seen, SEEN_EVERY_MS).unref();
  try {
    return await started(app, command);
  } finally {
    clearInterval(timer);
    if (!app.process.isStopping) await deleteRun(app.sql, command.name);
  }
};
