// Tells systemd (Type=notify) that the server is ready, that it stops, and again and again that it is not stuck. Node
// has no datagram sockets of the file system, so each message is sent by systemd's own program
// (docs/design/foundations.md).

import { spawn } from "node:child_process";
import { findProgram, programEnvironment } from "./config/programs.ts";
import type { Env } from "./config/parse.ts";
import type { Logger } from "./log/index.ts";

export type ServiceManager = {
  /** It serves: whoever waits for the start goes on, and from now on it may not be stuck. */
  ready(): void;
  stopping(): void;
};

const NOBODY: ServiceManager = { ready() {}, stopping() {} };

/** Twice in the time after which systemd takes it for stuck; null: nobody watches it. */
const watchdogMs = ({ WATCHDOG_USEC, WATCHDOG_PID }: Env): number | null => {
  const isOurs = !WATCHDOG_PID || WATCHDOG_PID === String(process.pid);
  const microseconds = Number(WATCHDOG_USEC);
  return isOurs && microseconds > 0 ? microseconds / 1000 / 2 : null;
};

/** `env`: of the process, from which systemd's variables are read. */
export const openServiceManager = (
  env: Env,
  log: Logger,
  program = findProgram("systemd-notify"),
): ServiceManager => {
  const socket = env["NOTIFY_SOCKET"];
  if (!socket) return NOBODY;
  if (program === null) {
    log.warn("systemd waits for a message, and there is no systemd-notify to send it");
    return NOBODY;
  }
  const tell = (message: string): void => {
    const variables = { ...programEnvironment(), NOTIFY_SOCKET: socket };
    const child = spawn(program, [message], { stdio: "ignore", env: variables });
    child.once("error", (error) => log.warn({ err: error }, "systemd could not be told"));
  };
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready() {
      tell("READY=1");
      const every = watchdogMs(env);
      // The event loop runs it, so that a process that is stuck says nothing.
      if (every !== null) watchdog = setInterval(() => tell("WATCHDOG=1"), every).unref();
    },
    stopping() {
      // Nobody watches a process that stops.
      clearInterval(watchdog);
      tell("STOPPING=1");
    },
  };
};
