// A small reverse proxy, like a load balancer in front of several processes: streams go to the streaming processes,
// everything else to the web processes in turn. A backend that refuses connections is skipped, as nginx does.

import { createServer, request as send } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";

export type Backends = { web: number[]; streaming: number[] };

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });

const isStream = ({ url }: IncomingMessage): boolean =>
  url?.startsWith("/api/v1/streaming") === true;

/** Listens on the port; the result closes it. */
export const startProxy = async (
  port: number,
  backends: Backends,
): Promise<() => Promise<void>> => {
  let turn = 0;
  const open = async (request: IncomingMessage): Promise<Socket> => {
    const ports = isStream(request) ? backends.streaming : backends.web;
    for (let tries = 0; tries < ports.length; tries++) {
      const socket = await connected(ports[turn++ % ports.length]!).catch(() => null);
      if (socket) return socket;
    }
    throw new Error("no process answers");
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fail = (): void => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    };
    try {
      const socket = await open(request);
      const { method, url: path, headers } = request;
      const onward = send({ method, path, headers, createConnection: () => socket }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
        answer.once("error", () => response.destroy());
      });
      onward.once("error", fail);
      response.once("close", () => onward.destroy());
      request.pipe(onward);
    } catch {
      fail();
    }
  };
  const server = createServer((request, response) => void forward(request, response));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", async (request, socket: Socket, head) => {
    socket.on("error", () => socket.destroy());
    const onward = await open(request).catch(() => null);
    if (!onward) return socket.destroy();
    onward.on("error", () => socket.destroy());
    onward.on("close", () => socket.destroy());
    socket.on("close", () => onward.destroy());
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let n = 0; n < request.rawHeaders.length; n += 2) {
      lines.push(`${request.rawHeaders[n]}: ${request.rawHeaders[n + 1]}`);
    }
    onward.write(`${lines.join("\r\n")}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket);
    socket.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
};
