// The logger (pino, which fastify uses too). Lines contain ids, never tokens or private text.

import { createRequire } from "node:module";
import pino from "pino";
import type { DestinationStream, LogFn, Logger as PinoLogger } from "pino";
import { createRepeats } from "./repeats.ts";

export type Logger = PinoLogger;

const WARN = pino.levels.values["warn"]!;

/**
 * Formats lines for people at a terminal. It is loaded only where it is wanted, and without the thread that pino would
 * start, which commands would never end.
 */
const prettyOutput = (): DestinationStream => {
  const pretty = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
  return pretty({ translateTime: "HH:MM:ss", ignore: "pid,hostname", sync: true });
};

/** Writes to standard output, or as JSON to `destination`. */
export const createLogger = (
  options: { level: string; pretty: boolean },
  destination?: DestinationStream,
): Logger => {
  let logger: Logger | null = null;
  const mayWrite = createRepeats((left) =>
    logger?.warn({ left }, "lines like those before were left out of the log"),
  );
  const settings = {
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      // Only warnings and errors are limited: ordinary lines are as many as the requests that they report.
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) {
        if (level < WARN || mayWrite(args)) method.apply(this, args);
      },
    },
    // PostgreSQL's errors quote stored values in these members.
    redact: [
      "req.headers.authorization",
      "req.headers.cookie",
      "err.detail",
      "err.where",
      "err.parameters",
      "err.args",
    ],
  };
  const output = destination ?? (options.pretty ? prettyOutput() : null);
  logger = output ? pino(settings, output) : pino(settings);
  return logger;
};
