// Tells systemd (Type=notify) that the server is ready, that it stops, and regularly that it still works. Node has no
// Unix datagram sockets, so each message is sent by systemd's own program (docs/design/foundations.md).

import { spawn } from "node:child_process";
import { findProgram, programEnvironment } from "./config/programs.ts";
import type { Env } from "./config/parse.ts";
import type { Logger } from "./log/index.ts";

export type ServiceManager = {
  /**
   * Says that the server serves: systemd continues with what waited for the start, and watches the server from now on.
   */
  ready(): void;
  stopping(): void;
};

const NOBODY: ServiceManager = { ready() {}, stopping() {} };

/**
 * Returns half of the time after which systemd considers the process stuck, in milliseconds; null if systemd does not
 * watch it.
 */
const watchdogMs = ({ WATCHDOG_USEC, WATCHDOG_PID }: Env): number | null => {
  const isOurs = !WATCHDOG_PID || WATCHDOG_PID === String(process.pid);
  const microseconds = Number(WATCHDOG_USEC);
  return isOurs && microseconds > 0 ? microseconds / 1000 / 2 : null;
};

/** `env` is the process's environment, which has systemd's variables. */
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
      // The event loop sends these messages, so that a stuck process sends none.
      if (every !== null) watchdog = setInterval(() => tell("WATCHDOG=1"), every).unref();
    },
    stopping() {
      // A process that stops is not watched.
      clearInterval(watchdog);
      tell("STOPPING=1");
    },
  };
};
