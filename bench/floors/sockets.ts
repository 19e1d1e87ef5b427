// The floor of the streaming scenario: `ws` alone, one frame to every socket.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { offer } from "./process.ts";

const http = createServer();
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

offer({
  port: () => (http.address() as AddressInfo).port,
  send(text: string) {
    const frame = Buffer.from(text);
    for (const socket of sockets.clients) socket.send(frame, { binary: false });
  },
});
