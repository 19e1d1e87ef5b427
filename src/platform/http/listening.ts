// Checks that a process can listen, and explains why it cannot.

import { createServer } from "node:net";
import { ConfigError } from "../errors.ts";

export type Place = { bind: string; port: number };

/** Returns a sentence for the administrator where a setting is the cause. */
export const listenFault = (error: NodeJS.ErrnoException, { bind, port }: Place): Error => {
  const hints: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop it, or set PORT to another port.`,
    EACCES: `This user is not allowed to listen on port ${port}: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `BIND is ${bind}, which is not an address of this machine.`,
    ENOTFOUND: `BIND is ${bind}, which is not an address of this machine.`,
  };
  const hint = hints[error.code ?? ""];
  return hint ? new ConfigError(hint) : error;
};

/** Listens for a moment, so that a start that must fail does so before it creates a database. */
export const tryListening = async ({ bind, port }: Place): Promise<void> => {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once("error", (error) => reject(listenFault(error, { bind, port })));
  probe.listen({ host: bind, port }, () => probe.close(() => resolve()));
  await promise;
};
