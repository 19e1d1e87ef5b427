// The remote servers of the benchmark: thousands of hosts on addresses of 127.0.0.0/8 and one port, which accept and
// count every delivery.

import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { once } from "node:events";

/** Returns the address of host number `index`, from 0. */
export const hostAddress = (index: number): string =>
  `127.1.${Math.floor(index / 200)}.${1 + (index % 200)}`;

export type Receivers = {
  /** Returns the number of deliveries so far, and of those to one host. */
  count(): number;
  countAt(host: string): number;
  /** Resolves when `count()` has reached `wanted`; fails after `seconds`. */
  reached(total: number, seconds: number): Promise<void>;
  close(): Promise<void>;
};

const addressesOf = (hosts: number | null): string[] =>
  hosts === null ? ["0.0.0.0"] : Array.from({ length: hosts }, (_, index) => hostAddress(index));

/** Listens on `hosts` addresses; for null on all addresses, with one listener. */
export const startReceivers = async (hosts: number | null, port: number): Promise<Receivers> => {
  let count = 0;
  const counts = new Map<string, number>();
  let waiting: { total: number; done: () => void } | null = null;
  const http = createHttpServer((request, response) => {
    request.resume();
    request.once("end", () => {
      response.writeHead(202, { "content-length": "0" }).end();
      count += 1;
      const host = request.headers.host ?? "";
      counts.set(host, (counts.get(host) ?? 0) + 1);
      if (waiting && count >= waiting.total) waiting.done();
    });
  });
  http.keepAliveTimeout = 600_000;
  const servers: Server[] = [];
  for (const address of addressesOf(hosts)) {
    const server = createServer((socket) => void http.emit("connection", socket));
    server.listen(port, address);
    await once(server, "listening");
    servers.push(server);
  }
  return {
    count: () => count,
    countAt: (host) => counts.get(host) ?? 0,
    async reached(total, seconds) {
      if (count >= total) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting = { total, done: resolve };
      const message = () => `${total} deliveries were awaited, ${count} came`;
      const timer = setTimeout(() => reject(new Error(message())), seconds * 1000);
      await promise.finally(() => clearTimeout(timer));
      waiting = null;
    },
    async close() {
      for (const server of servers) server.close();
      http.closeAllConnections();
    },
  };
};
