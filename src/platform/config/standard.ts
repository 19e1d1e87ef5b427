// Standard variables that libraries read from the process's environment, which does not have those of the .env file.

import { readEnvironment } from "./config.ts";

export const exposeStandardVariables = (): void => {
  for (const [name, value] of Object.entries(readEnvironment())) {
    if (name.startsWith("OTEL_")) process.env[name] ??= value;
  }
};
