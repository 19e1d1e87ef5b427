// A server that closes finishes the requests in hand, and waits for nothing else: a connection that
// is kept alive after its answer, or on which nothing was ever asked (browsers open them ahead),
// would hold it for a minute.

import type { Socket } from "node:net";
import type { Server } from "./server.ts";

const SWEEP_MS = 50;

export const registerClosing = (server: Server): void => {
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const sweep = () => {
    server.server.closeIdleConnections();
    // Node counts these as busy until their headers are overdue.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  server.addHook("preClose", async () => {
    const timer = setInterval(sweep, SWEEP_MS);
    server.server.once("close", () => clearInterval(timer));
    sweep();
  });
};
