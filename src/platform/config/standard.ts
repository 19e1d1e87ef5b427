// Variables that are not ours: libraries read them from the process's environment, where those of .env are not.

import { readEnvironment } from "./config.ts";

export const exposeStandardVariables = (): void => {
  for (const [name, value] of Object.entries(readEnvironment())) {
    if (name.startsWith("OTEL_")) process.env[name] ??= value;
  }
};
