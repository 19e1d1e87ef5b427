// Lets a closing server finish its open requests and wait for nothing else: connections that are kept
// alive, or on which nothing was ever sent (browsers open them in advance), would delay it by a minute.

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
    // Node treats these as busy until the timeout for headers.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  server.addHook("preClose", async () => {
    const timer = setInterval(sweep, SWEEP_MS);
    server.server.once("close", () => clearInterval(timer));
    sweep();
  });
};
