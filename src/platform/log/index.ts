// The logger (pino, the one fastify uses). Lines carry ids, never tokens or private text.

import pino from "pino";
import type { Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

export const createLogger = (options: { level: string; pretty: boolean }): Logger =>
  pino({
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["req.headers.authorization", "req.headers.cookie"],
    ...(options.pretty && {
      transport: {
        target: "pino-pretty",
        options: { translateTime: "HH:MM:ss", ignore: "pid,hostname" },
      },
    }),
  });
