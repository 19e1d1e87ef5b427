// The logger (pino, which fastify uses too). Lines contain ids, never tokens or private text.

import pino from "pino";
import type { DestinationStream, Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

const PRETTY = {
  target: "pino-pretty",
  options: { translateTime: "HH:MM:ss", ignore: "pid,hostname" },
};

/** Writes to standard output, or as JSON to `destination`. */
export const createLogger = (
  options: { level: string; pretty: boolean },
  destination?: DestinationStream,
): Logger => {
  const settings = {
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // PostgreSQL's errors quote values in these members.
    redact: [
      "req.headers.authorization",
      "req.headers.cookie",
      "err.detail",
      "err.where",
      "err.parameters",
      "err.args",
    ],
  };
  if (destination) return pino(settings, destination);
  return pino({ ...settings, ...(options.pretty && { transport: PRETTY }) });
};
